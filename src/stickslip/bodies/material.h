#pragma once

#include "stickslip/math/small_matrix.h"
#include "stickslip/math/types.h"

namespace stickslip {

enum class ElasticModel { linear, fixed_corotated, neo_hookean, st_venant_kirchhoff };

/// Isotropic elastic material. F is the deformation gradient dx/dX [-], P the first Piola-Kirchhoff stress [Pa] = d
/// energy / dF, J = det F. Energies are zero at rest and models agree with Hooke's law of the same Young's modulus and
/// Poisson ratio there.
///   linear               mu |e|^2 + lambda/2 tr(e)^2,  e = (F + F^T)/2 - I      small rotations only
///   fixed_corotated      mu |F - R|^2 + lambda/2 (J - 1)^2, R nearest rotation  finite when inverted
///                        (Stomakhin, Howes, Schroeder, Teran 2012)
///   neo_hookean          mu'/2 (I_C - 3) - mu'/2 log((I_C + 1)/4) + lambda'/2 ((J - a)^2 - (1 - a)^2), I_C = |F|^2
///                        finite when inverted (Smith, de Goes, Kim 2018: mu' = 4/3 mu, lambda' = lambda + 5/6 mu,
///                        a = 1 + 3/4 mu'/lambda')
///   st_venant_kirchhoff  mu |E|^2 + lambda/2 tr(E)^2,  E = (F^T F - I)/2        collapses under strong compression
struct ElasticMaterial {
    ElasticModel model = ElasticModel::neo_hookean;
    double density = 0; // [kg/m^3]
    double lambda = 0, mu = 0; // [Pa] Lame parameters
    double damping = 0; // [s] viscous stress = damping x the stiffness at rest, applied to the Green strain rate
};

/// lambda and mu from Young's modulus [Pa] and Poisson's ratio in (-1, 0.5).
ElasticMaterial make_material(ElasticModel model, double density, double young, double poisson, double damping);

/// Young's modulus [Pa] of the Lame parameters.
double young_modulus(const ElasticMaterial& material);

double energy_density(const ElasticMaterial& material, const Mat3& F); // [J/m^3]
Mat3 first_piola(const ElasticMaterial& material, const Mat3& F);

/// d vec(P) / d vec(F). Symmetric. The rotation part of fixed_corotated is singular where two singular values cancel
/// (a fold through a line); its gain is bounded there by 1e6.
Mat9 first_piola_derivative(const ElasticMaterial& material, const Mat3& F);

/// Kelvin-Voigt stress P = F S, S = damping (2 mu D + lambda tr(D) I), with the Green strain rate D = sym(F_dot^T F),
/// F_dot = (F - F_old)/dt. P : F_dot = S : D >= 0 for every pair of states: it only ever takes energy out. Needs lambda
/// >= 0 or the like (mu > 0, 3 lambda + 2 mu > 0).
Mat3 viscous_piola(const ElasticMaterial& material, const Mat3& F, const Mat3& F_old, double dt);

/// d vec(P_viscous) / d vec(F). Not symmetric.
Mat9 viscous_piola_derivative(const ElasticMaterial& material, const Mat3& F, const Mat3& F_old, double dt);

} // namespace stickslip
