#pragma once

#include "stickslip/mpm/mpm_material.h"

namespace stickslip {

/// Kirchhoff stress of a plastic material in the principal axes of its trial deformation, and where it flows.
struct PrincipalStress {
    Vec3 tau; // [Pa]
    Mat3 dtau; // [Pa] d tau_i / d sigma_j
    Vec3 quotient; // [Pa] (tau_i - tau_j) / (sigma_i - sigma_j) of the pairs 12, 20, 01, or its limit
    Vec3 sigma; // [-] elastic stretches after the flow
    double plastic; // MpmPoint::plastic after it
    double plastic_work; // [J/m^3]
};

/// Pre: drucker_prager, von_mises or snow; trial stretches sigma > 0.
PrincipalStress principal_stress(const MpmMaterial& material, const Vec3& sigma, double plastic);

} // namespace stickslip
