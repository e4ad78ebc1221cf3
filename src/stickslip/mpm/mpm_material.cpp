#include "stickslip/mpm/mpm_material.h"

#include "stickslip/mpm/principal_stress.h"

#include <Eigen/LU>

#include <cmath>

namespace stickslip {

namespace {

// Newtonian stress as that of a Kelvin-Voigt solid whose F is j I at the start of the step: tau = F S F^T is j^4 x 2
// eta D to first order in dt, and what is wanted is J 2 eta D. It dissipates for every step.
ElasticMaterial newtonian(const MpmMaterial& m, const MpmPoint& old)
{
    ElasticMaterial viscous;
    viscous.mu = m.viscosity / old.F(0, 0);
    viscous.lambda = -2.0 / 3 * viscous.mu;
    viscous.damping = 1;
    return viscous;
}

// d vec(P_viscous) / d vec(F), added to D.
void add_viscous_derivative(const MpmMaterial& m, const Mat3& F, const MpmPoint& old, double dt, Mat9& D)
{
    if (!flows(m) && m.elastic.damping > 0)
        D += viscous_piola_derivative(m.elastic, F, old.F, dt);
    if (m.model == MpmModel::fluid && m.viscosity > 0)
        D += viscous_piola_derivative(newtonian(m, old), F, old.F, dt);
}

MpmStress fluid_stress(const MpmMaterial& m, const Mat3& F, const MpmPoint& old, double dt)
{
    const double J = F.determinant();
    return {0.5 * m.bulk_modulus * (J - 1 / J) * cofactor(F) + mpm_viscous_piola(m, F, old, dt),
        {std::cbrt(J) * Mat3::Identity(), 0}};
}

Mat9 fluid_derivative(const MpmMaterial& m, const Mat3& F, const MpmPoint& old, double dt)
{
    const double J = F.determinant();
    const Vec9 c = vec(cofactor(F));
    Mat9 D = 0.5 * m.bulk_modulus * ((1 + 1 / (J * J)) * c * c.transpose() + (J - 1 / J) * cofactor_derivative(F));
    add_viscous_derivative(m, F, old, dt, D);
    return D;
}

// In the axes of the singular vectors the diagonal of dF changes the principal values and each pair of its other
// entries turns the axes, on the left and on the right: closed forms without differences of nearly equal numbers.
Mat9 principal_derivative(const RotationSvd& svd, const PrincipalStress& at)
{
    const Vec3& sigma = svd.sigma;
    const Vec3 P = at.tau.cwiseQuotient(sigma);
    Mat9 axes; // column 3 j + i: vec(u_i v_j^T)
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            axes.col(3 * j + i) = vec(svd.U.col(i) * svd.V.col(j).transpose());
    Mat9 axes_C;
    for (int j = 0; j < 3; ++j) {
        axes_C.col(4 * j).setZero();
        for (int i = 0; i < 3; ++i)
            axes_C.col(4 * j) += (at.dtau(i, j) - (i == j ? P[i] : 0)) / sigma[i] * axes.col(4 * i);
    }
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double difference = at.quotient[k] / sigma[i] - at.tau[j] / (sigma[i] * sigma[j]);
        const double sum = (P[i] + P[j]) / (sigma[i] + sigma[j]);
        const int ij = 3 * j + i, ji = 3 * i + j;
        axes_C.col(ij) = 0.5 * ((difference + sum) * axes.col(ij) + (difference - sum) * axes.col(ji));
        axes_C.col(ji) = 0.5 * ((difference - sum) * axes.col(ij) + (difference + sum) * axes.col(ji));
    }
    return axes_C.lazyProduct(axes.transpose());
}

double hencky_energy(const MpmMaterial& m, const Mat3& F)
{
    const Vec3 e = rotation_svd(F).sigma.array().log();
    return m.elastic.mu * e.squaredNorm() + 0.5 * m.elastic.lambda * e.sum() * e.sum();
}

// Factor of both Lame parameters.
double snow_stiffening(const MpmMaterial& m, double log_plastic)
{
    return std::exp(m.hardening * (1 - std::exp(log_plastic)));
}

} // namespace

void set_cone(MpmMaterial& m, double friction_angle, double cohesion)
{
    m.cone_slope = std::sqrt(2.0) / 3 * std::tan(friction_angle);
    m.cone_base = std::sqrt(2.0) * cohesion;
}

bool flows(const MpmMaterial& m)
{
    return m.model != MpmModel::fixed_corotated && m.model != MpmModel::neo_hookean;
}

bool has_symmetric_derivative(const MpmMaterial& m)
{
    return m.model == MpmModel::fluid ? m.viscosity == 0 : !flows(m) && m.elastic.damping == 0;
}

double stiffness_of(const MpmMaterial& m)
{
    return m.model == MpmModel::fluid ? m.bulk_modulus : young_modulus(m.elastic);
}

TrialGradient::TrialGradient(const MpmMaterial& m, const Mat3& trial)
    : F(trial)
{
    if (needs_principal_stretches(m, F))
        svd = rotation_svd(F);
}

bool needs_principal_stretches(const MpmMaterial& m, const Mat3& F)
{
    return flows(m) && m.model != MpmModel::fluid && F.determinant() > 0;
}

// P = U diag(tau_i / sigma_i) V^T of the principal stresses tau_i.
MpmStress mpm_stress(const MpmMaterial& m, const TrialGradient& trial, const MpmPoint& old, double dt)
{
    const auto& [F, svd] = trial;
    if (!flows(m))
        return {first_piola(m.elastic, F) + mpm_viscous_piola(m, F, old, dt), {F, 0}};
    if (!(F.determinant() > 0))
        return {Mat3::Constant(nan), {Mat3::Constant(nan), nan}, nan};
    if (m.model == MpmModel::fluid)
        return fluid_stress(m, F, old, dt);
    const PrincipalStress at = principal_stress(m, svd.sigma, old.plastic);
    const bool flows = at.sigma != svd.sigma;
    return {svd.U * at.tau.cwiseQuotient(svd.sigma).asDiagonal() * svd.V.transpose(),
        {flows ? Mat3(svd.U * at.sigma.asDiagonal() * svd.V.transpose()) : F, at.plastic}, at.plastic_work};
}

Mat9 mpm_stress_derivative(const MpmMaterial& m, const TrialGradient& trial, const MpmPoint& old, double dt)
{
    const auto& [F, svd] = trial;
    if (!flows(m)) {
        Mat9 D = first_piola_derivative(m.elastic, F);
        add_viscous_derivative(m, F, old, dt, D);
        return D;
    }
    if (!(F.determinant() > 0))
        return Mat9::Constant(nan);
    if (m.model == MpmModel::fluid)
        return fluid_derivative(m, F, old, dt);
    return principal_derivative(svd, principal_stress(m, svd.sigma, old.plastic));
}

Mat3 mpm_viscous_piola(const MpmMaterial& m, const Mat3& F, const MpmPoint& old, double dt)
{
    if (!flows(m) && m.elastic.damping > 0)
        return viscous_piola(m.elastic, F, old.F, dt);
    if (m.model == MpmModel::fluid && m.viscosity > 0)
        return viscous_piola(newtonian(m, old), F, old.F, dt);
    return Mat3::Zero();
}

Mat3 mpm_cauchy_stress(const MpmMaterial& m, const MpmPoint& point)
{
    return mpm_stress(m, point.F, point, 1).P * point.F.transpose() / point.F.determinant();
}

double mpm_volume_ratio(const MpmMaterial& m, const MpmPoint& point)
{
    const bool flows = m.model == MpmModel::drucker_prager || m.model == MpmModel::snow;
    return point.F.determinant() * (flows ? std::exp(point.plastic) : 1);
}

double mpm_energy_density(const MpmMaterial& m, const MpmPoint& point)
{
    const double J = point.F.determinant();
    switch (m.model) {
    case MpmModel::fixed_corotated:
    case MpmModel::neo_hookean:
        return energy_density(m.elastic, point.F);
    case MpmModel::drucker_prager:
    case MpmModel::von_mises:
        return hencky_energy(m, point.F);
    case MpmModel::snow:
        return snow_stiffening(m, point.plastic) * hencky_energy(m, point.F);
    case MpmModel::fluid:
        return 0.5 * m.bulk_modulus * (0.5 * (J * J - 1) - std::log(J));
    }
    return nan;
}

double mpm_hardening_energy(const MpmMaterial& m, const MpmPoint& old, double plastic)
{
    if (m.model != MpmModel::snow || plastic == old.plastic)
        return 0;
    return (snow_stiffening(m, plastic) - snow_stiffening(m, old.plastic)) * hencky_energy(m, old.F);
}

} // namespace stickslip
