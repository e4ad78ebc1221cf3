#include "stickslip/mpm/principal_stress.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// Radial return in Hencky strain e = log sigma: the deviator keeps its direction n and takes the length r'(r, t) of its
// own length r and the trace t; the trace becomes t'(t).
struct RadialReturn {
    double r, dr_dr, dr_dt; // r' and its derivatives
    double t, dt_dt; // t' and its derivative
    double plastic;
};

RadialReturn unchanged(double r, double t, double plastic)
{
    return {r, 1, 0, t, 1, plastic};
}

RadialReturn drucker_prager(const MpmMaterial& m, double r, double t)
{
    const double two_mu = 2 * m.elastic.mu, three_kappa = 3 * m.elastic.lambda + two_mu;
    const double apex = m.cone_base / (m.cone_slope * three_kappa); // trace of e there
    if (t > apex) // at it, where sand falls that carries nothing yet, it already bears what presses it
        return {0, 0, 0, apex, 0, t - apex};
    const double limit = (m.cone_base - m.cone_slope * three_kappa * t) / two_mu;
    if (r <= limit)
        return unchanged(r, t, 0);
    return {limit, 0, -m.cone_slope * three_kappa / two_mu, t, 1, 0};
}

RadialReturn von_mises(const MpmMaterial& m, double r, double t, double strain)
{
    const double two_mu = 2 * m.elastic.mu, root = std::sqrt(2.0 / 3);
    const double excess = two_mu * r - root * (m.yield_stress + m.hardening * strain);
    if (excess <= 0)
        return unchanged(r, t, strain);
    const double flow = excess / (two_mu + 2 * m.hardening / 3);
    return {r - flow, 1 - two_mu / (two_mu + 2 * m.hardening / 3), 0, t, 1, strain + root * flow};
}

// (log a - log b) / (a - b), 1/a where they are the same.
double log_quotient(double a, double b)
{
    const double x = (a - b) / b;
    return (std::abs(x) < 1e-300 ? 1 : std::log1p(x) / x) / b;
}

PrincipalStress hencky_stress(const MpmMaterial& m, const Vec3& sigma, double plastic)
{
    const double mu = m.elastic.mu, kappa = m.elastic.lambda + 2 * mu / 3;
    Vec3 e = sigma.array().log();
    if (m.model == MpmModel::drucker_prager) // volume gained earlier
        e += Vec3::Constant(plastic / 3);
    const double t = e.sum();
    const Vec3 deviator = e - Vec3::Constant(t / 3);
    const double r = deviator.norm();
    const RadialReturn to = m.model == MpmModel::drucker_prager ? drucker_prager(m, r, t) : von_mises(m, r, t, plastic);
    const Vec3 n = r > 0 ? Vec3(deviator / r) : Vec3::Zero();
    const double share = r > 0 ? to.r / r : to.dr_dr; // of the deviator

    PrincipalStress s;
    const Vec3 kept = share * deviator;
    s.tau = 2 * mu * kept + Vec3::Constant(kappa * to.t);
    const Mat3 flat = Mat3::Identity() - Mat3::Constant(1.0 / 3);
    const Mat3 dtau_de = 2 * mu
            * (share * (flat - n * n.transpose()) + to.dr_dr * n * n.transpose()
                + to.dr_dt * n * Vec3::Ones().transpose())
        + Mat3::Constant(kappa * to.dt_dt);
    s.dtau = dtau_de * sigma.cwiseInverse().asDiagonal();
    for (int k = 0; k < 3; ++k)
        s.quotient[k] = 2 * mu * share * log_quotient(sigma[(k + 1) % 3], sigma[(k + 2) % 3]);
    const Vec3 e_after = kept + Vec3::Constant(to.t / 3);
    s.sigma = share == 1 && to.t == t && (m.model == MpmModel::von_mises || plastic == 0) ? sigma // bit for bit
                                                                                          : Vec3(e_after.array().exp());
    s.plastic = to.plastic;
    s.plastic_work = s.tau.dot(e - e_after);
    return s;
}

PrincipalStress snow_stress(const MpmMaterial& m, const Vec3& sigma, double log_plastic)
{
    const double low = 1 - m.critical_compression, high = 1 + m.critical_stretch;
    const Vec3 elastic = sigma.cwiseMax(low).cwiseMin(high);
    const Vec3 follows = (elastic.array() == sigma.array()).cast<double>(); // d elastic / d sigma
    const double J = elastic.prod();
    const double after = log_plastic + std::log(sigma.prod() / J), J_p = std::exp(after);
    const double firm = std::exp(m.hardening * (1 - J_p));
    const double mu = firm * m.elastic.mu, lambda = firm * m.elastic.lambda;

    PrincipalStress s;
    s.tau = 2 * mu * ((elastic.array() - 1) * elastic.array()).matrix() + Vec3::Constant(lambda * (J - 1) * J);
    // firm depends on J_p = sigma_1 sigma_2 sigma_3 / J, by those stretches that flow
    const Vec3 dlog_firm = -m.hardening * J_p * ((1 - follows.array()) / sigma.array()).matrix();
    const Vec3 dJ = J * (follows.array() / sigma.array()).matrix();
    s.dtau = s.tau * dlog_firm.transpose() + lambda * (2 * J - 1) * Vec3::Ones() * dJ.transpose();
    s.dtau.diagonal() += (2 * mu * (2 * elastic.array() - 1) * follows.array()).matrix();
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double slope = sigma[i] != sigma[j] ? (elastic[i] - elastic[j]) / (sigma[i] - sigma[j]) : follows[i];
        s.quotient[k] = 2 * mu * slope * (elastic[i] + elastic[j] - 1);
    }
    s.sigma = elastic;
    s.plastic = after;
    s.plastic_work = s.tau.dot(Vec3((sigma.array() / elastic.array()).log()));
    return s;
}

} // namespace

PrincipalStress principal_stress(const MpmMaterial& material, const Vec3& sigma, double plastic)
{
    return material.model == MpmModel::snow ? snow_stress(material, sigma, plastic)
                                            : hencky_stress(material, sigma, plastic);
}

} // namespace stickslip
