#pragma once

#include "stickslip/bodies/material.h"
#include "stickslip/math/small_matrix.h"
#include "stickslip/math/types.h"

namespace stickslip {

enum class MpmModel { fixed_corotated, neo_hookean, drucker_prager, von_mises, snow, fluid };

/// Isotropic material of material points. The first two are those of bodies/material.h. The others split F into an
/// elastic and a plastic part; their elastic trial F flows back to the yield surface within the step (return mapping).
///   drucker_prager  Hencky elasticity tau = 2 mu dev(e) + kappa tr(e), e = log of the stretches;
///                   |dev tau| <= k - alpha tr(tau), the cone that is Coulomb's law in simple shear; flow keeps the
///                   volume, and volume gained at the apex is given back before stress builds up again. Source: Klar et
///                   al., Drucker-Prager elastoplasticity for sand animation (2016); Tampubolon et al. (2017)
///   von_mises       the same elasticity; |dev tau| <= sqrt(2/3) (yield_stress + hardening x plastic strain), radial
///                   return. Source: Simo and Hughes, Computational Inelasticity, 3.3
///   snow            the same elasticity; stretches within [1 - compression, 1 + stretch], associated flow; both Lame
///                   parameters grow as exp(hardening (1 - J_p)). Source of range and hardening: Stomakhin et al., A
///                   material point method for snow (2013)
///   fluid           tau = bulk/2 (J^2 - 1) I, tension included, and Newtonian viscosity without a bulk part
struct MpmMaterial {
    MpmModel model = MpmModel::neo_hookean;
    ElasticMaterial elastic; // density; lambda and mu unless it is a fluid; damping of the two elastic models
    double cone_slope = 0, cone_base = 0; // alpha [-] and k [Pa]
    double yield_stress = 0; // [Pa]
    double hardening = 0; // von_mises [Pa], snow [-]
    double critical_compression = 0, critical_stretch = 0; // [-]
    double bulk_modulus = 0, viscosity = 0; // [Pa], [Pa s]
};

/// alpha and k of the cone that bears the shear stress cohesion + tan(friction_angle) x pressure where layers slide
/// over each other at constant volume. Angle [rad] in (0, pi/2), cohesion [Pa].
void set_cone(MpmMaterial& material, double friction_angle, double cohesion);

/// The material forgets its shape: all but the first two models.
bool flows(const MpmMaterial& material);

/// The mpm_stress_derivative is symmetric for every F: the stress is the derivative of a stored energy.
bool has_symmetric_derivative(const MpmMaterial& material);

/// Young's modulus [Pa], of a fluid its bulk modulus: from which the contact stiffness follows.
double stiffness_of(const MpmMaterial& material);

/// Elastic state of a material point, and the internal variable of its flow, `plastic`:
///   drucker_prager  log of the volume it has gained at the apex [-], 0 at the start
///   von_mises       accumulated plastic strain [-], 0 at the start
///   snow            log J_p, the volume ratio of its plastic part [-], 0 at the start
struct MpmPoint {
    Mat3 F = Mat3::Identity(); // elastic deformation gradient
    double plastic = 0;
};

/// Stress and flow at a trial F. Not finite where det F <= 0, which only the two elastic models know.
struct MpmStress {
    Mat3 P; // [Pa] tau F^-T of the trial F: first Piola-Kirchhoff stress, viscous part included
    MpmPoint after; // the flow
    double plastic_work = 0; // [J/m^3] tau : plastic strain of this step; >= 0
};

/// A trial F, and what stress and derivative both need of it.
struct TrialGradient {
    TrialGradient() = default;
    TrialGradient(const MpmMaterial& material, const Mat3& F);

    Mat3 F;
    RotationSvd svd; // where the response needs_principal_stretches; else undefined
};

/// The material flows by its principal stretches, and det F > 0.
bool needs_principal_stretches(const MpmMaterial& material, const Mat3& F);

/// Of the trial F that has led from `old.F` in dt [s].
MpmStress mpm_stress(const MpmMaterial& material, const TrialGradient& trial, const MpmPoint& old, double dt);

/// d vec(P) / d vec(F), the flow included (consistent tangent). Symmetric only without flow and viscosity.
Mat9 mpm_stress_derivative(const MpmMaterial& material, const TrialGradient& trial, const MpmPoint& old, double dt);

inline MpmStress mpm_stress(const MpmMaterial& material, const Mat3& F, const MpmPoint& old, double dt)
{
    return mpm_stress(material, TrialGradient(material, F), old, dt);
}
inline Mat9 mpm_stress_derivative(const MpmMaterial& material, const Mat3& F, const MpmPoint& old, double dt)
{
    return mpm_stress_derivative(material, TrialGradient(material, F), old, dt);
}

/// The viscous part of P alone [Pa]: P : (F - old.F) >= 0.
Mat3 mpm_viscous_piola(const MpmMaterial& material, const Mat3& F, const MpmPoint& old, double dt);

/// Cauchy stress [Pa] at rest, without its viscous part, and the ratio [-] of the volume to that at the start.
Mat3 mpm_cauchy_stress(const MpmMaterial& material, const MpmPoint& point);
double mpm_volume_ratio(const MpmMaterial& material, const MpmPoint& point);

/// Stored energy [J/m^3].
double mpm_energy_density(const MpmMaterial& material, const MpmPoint& point);

/// Gain of the energy density [J/m^3] at the strain of `old` once the flow is `plastic`: snow hardens (> 0) or softens.
double mpm_hardening_energy(const MpmMaterial& material, const MpmPoint& old, double plastic);

} // namespace stickslip
