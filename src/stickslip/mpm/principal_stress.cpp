#include "stickslip/mpm/principal_stress.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace stickslip {

namespace {

// Where Hencky strain e = log sigma flows.
struct Flow {
    Vec3 e; // after it
    Mat3 de; // its derivative by the trial e
    Vec3 slope; // (e_i - e_j) / (trial e_i - trial e_j) of the pairs 12, 20, 01, or its limit
    double plastic; // MpmPoint::plastic after it
    double stiffening = 1; // factor of both Lame parameters
    Vec3 dstiffening = Vec3::Zero(); // d log stiffening / d trial e
};

// The deviator keeps its direction and takes the length r'(r, t) of its own length r and the trace t; the trace becomes
// t'(t).
struct RadialReturn {
    double r, dr_dr, dr_dt; // r' and its derivatives
    double t, dt_dt; // t' and its derivative
    double plastic;
};

struct TraceReturn {
    double t, dt_dt; // t' and its derivative
    double gained; // volume, at the apex
};

// What was gained is given back before pressure builds up. At the apex, where sand falls that carries nothing yet, it
// already bears what presses it.
TraceReturn return_trace(double t, double apex, double gained)
{
    if (t > apex)
        return {apex, 0, gained + (t - apex)};
    if (t >= 0 || gained == 0)
        return {t, 1, gained};
    if (t + gained > 0)
        return {0, 0, t + gained};
    return {t + gained, 1, 0};
}

RadialReturn drucker_prager(const MpmMaterial& m, double r, double t, double gained)
{
    const double two_mu = 2 * m.elastic.mu, cone = m.cone_slope * (3 * m.elastic.lambda + two_mu);
    const double apex = m.cone_base / cone; // trace there
    const TraceReturn to = return_trace(t, apex, gained);
    const double limit = cone * (apex - to.t) / two_mu;
    if (r <= limit && (limit > 0 || to.dt_dt == 1))
        return {r, 1, 0, to.t, to.dt_dt, to.gained};
    return {limit, 0, -cone / two_mu * to.dt_dt, to.t, to.dt_dt, to.gained};
}

RadialReturn von_mises(const MpmMaterial& m, double r, double t, double strain)
{
    const double two_mu = 2 * m.elastic.mu, root = std::sqrt(2.0 / 3);
    const double excess = two_mu * r - root * (m.yield_stress + m.hardening * strain);
    if (excess <= 0)
        return {r, 1, 0, t, 1, strain};
    const double flow = excess / (two_mu + 2 * m.hardening / 3);
    return {r - flow, 1 - two_mu / (two_mu + 2 * m.hardening / 3), 0, t, 1, strain + root * flow};
}

Flow radial_flow(const MpmMaterial& m, const Vec3& e, double plastic)
{
    const double t = e.sum();
    const Vec3 deviator = e - Vec3::Constant(t / 3);
    const double r = deviator.norm();
    const RadialReturn to =
        m.model == MpmModel::drucker_prager ? drucker_prager(m, r, t, plastic) : von_mises(m, r, t, plastic);
    const Vec3 n = r > 0 ? Vec3(deviator / r) : Vec3::Zero();
    const double share = r > 0 ? to.r / r : to.dr_dr; // of the deviator
    const Mat3 flat = Mat3::Identity() - Mat3::Constant(1.0 / 3);
    return {share == 1 && to.t == t ? e : Vec3(share * deviator + Vec3::Constant(to.t / 3)),
        share * (flat - n * n.transpose()) + to.dr_dr * n * n.transpose() + to.dr_dt * n * Vec3::Ones().transpose()
            + Mat3::Constant(to.dt_dt / 3),
        Vec3::Constant(share), to.plastic};
}

// Associated flow back to the box [low, high]^3: the nearest point in the energy's own norm, which is clamp(e - a) with
// the a where of_shift(a) = beta (tr clamp(e - a) - tr e) - a vanishes. That falls along a and is piecewise linear.
struct BoxReturn {
    Vec3 e;
    double low, high, beta; // beta = lambda / (2 mu)

    Vec3 at(double a) const { return (e.array() - a).max(low).min(high); }
    double of_shift(double a) const { return beta * (at(a).sum() - e.sum()) - a; }

    /// a, and which strains are within the limits there.
    std::pair<double, Vec3> solve() const
    {
        double before = -std::numeric_limits<double>::infinity(), behind = -before; // kinks next to the root
        for (int i = 0; i < 3; ++i)
            for (const double kink : {e[i] - low, e[i] - high})
                if (of_shift(kink) > 0)
                    before = std::max(before, kink);
                else
                    behind = std::min(behind, kink);
        double fixed = 0;
        Vec3 free = Vec3::Zero();
        for (int i = 0; i < 3; ++i)
            if (e[i] - low <= before)
                fixed += low - e[i];
            else if (e[i] - high >= behind)
                fixed += high - e[i];
            else
                free[i] = 1;
        return {beta * fixed / (1 + free.sum() * beta), free};
    }
};

Flow snow_flow(const MpmMaterial& m, const Vec3& e, double log_plastic)
{
    const BoxReturn box{
        e, std::log1p(-m.critical_compression), std::log1p(m.critical_stretch), m.elastic.lambda / (2 * m.elastic.mu)};
    const auto [a, free] = box.solve();
    Flow to;
    to.e = box.at(a);
    const Vec3 held = Vec3::Ones() - free;
    to.de = free.asDiagonal();
    to.de += box.beta / (1 + free.sum() * box.beta) * free * held.transpose();
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const bool both = free[i] == 1 && free[j] == 1; // without cancellation
        to.slope[k] = both ? 1 : e[i] != e[j] ? (to.e[i] - to.e[j]) / (e[i] - e[j]) : 0;
    }
    to.plastic = log_plastic + (e - to.e).sum();
    const double J_p = std::exp(to.plastic);
    to.stiffening = std::exp(m.hardening * (1 - J_p));
    to.dstiffening = -m.hardening * J_p * (Vec3::Ones() - to.de.colwise().sum().transpose());
    return to;
}

// (log a - log b) / (a - b), 1/a where they are the same.
double log_quotient(double a, double b)
{
    const double x = (a - b) / b;
    return (std::abs(x) < 1e-300 ? 1 : std::log1p(x) / x) / b;
}

} // namespace

PrincipalStress principal_stress(const MpmMaterial& m, const Vec3& sigma, double plastic)
{
    const Vec3 e = sigma.array().log();
    const Flow to = m.model == MpmModel::snow ? snow_flow(m, e, plastic) : radial_flow(m, e, plastic);
    const double two_mu = 2 * to.stiffening * m.elastic.mu, lambda = to.stiffening * m.elastic.lambda;

    PrincipalStress s;
    s.tau = two_mu * to.e + Vec3::Constant(lambda * to.e.sum());
    const Mat3 dtau_de =
        two_mu * to.de + lambda * Vec3::Ones() * to.de.colwise().sum() + s.tau * to.dstiffening.transpose();
    s.dtau = dtau_de * sigma.cwiseInverse().asDiagonal();
    for (int k = 0; k < 3; ++k)
        s.quotient[k] = two_mu * to.slope[k] * log_quotient(sigma[(k + 1) % 3], sigma[(k + 2) % 3]);
    s.sigma = to.e == e ? sigma : Vec3(to.e.array().exp()); // bit for bit
    s.plastic = to.plastic;
    s.plastic_work = s.tau.dot(e - to.e);
    return s;
}

} // namespace stickslip
