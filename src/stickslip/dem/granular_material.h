#pragma once

#include "stickslip/bodies/friction.h"

#include <vector>

namespace stickslip {

/// Normal force between two spheres, or a sphere and a wall, as a function of their overlap.
///   linear  k d, k of the two sides in series
///   hertz   4/3 E* sqrt(R*) d^(3/2), with Mindlin's tangential stiffness
///   dmt     hertz, pulled by 2 pi w R* (short range adhesion of hard grains)
///   jkr     Johnson, Kendall, Roberts (adhesion of soft grains): breaks off later than it begins
enum class NormalLaw { linear, hertz, dmt, jkr };

/// Material of a sphere. Two of one material touch with these very numbers; see pair_law for unlike ones.
struct GranularMaterial {
    double density = 2500; // [kg/m^3]
    double young = 1e7; // [Pa] linear law: stiffness of two equal spheres = young x radius
    double poisson = 0.3; // [-] not read by the linear law
    double stiffness = 0; // [N/m] linear law: of two spheres of this material, whatever their size; 0: from young
    double shear_ratio = 2.0 / 7; // [-] linear law: tangential over normal stiffness
    double friction = default_friction; // [-] Coulomb
    double restitution = 1; // [-] of a head-on collision of two, in (0, 1]
    double rolling_friction = 0; // [-] largest rolling moment over (normal force x R*)
    double twisting_friction = 0; // [-] largest twisting moment over (normal force x R*)
    double surface_energy = 0; // [J/m^2] gamma of one surface: two of a kind take w = 2 gamma to part
};

/// Throws InputError naming the field that is out of range.
void check(const GranularMaterial& material);

/// The coefficients of a contact that its sizes have no part in. Real: of one contact, or Lanes of four.
template <typename Real>
struct PairCoefficients {
    Real friction, rolling_friction, twisting_friction; // [-]
    Real damping_ratio; // [-] of critical
    Real shear_ratio; // [-]
    Real young; // [Pa] E*: 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b
    Real shear; // [Pa] G*: 1/G* = (2 - nu_a)/G_a + (2 - nu_b)/G_b
    Real adhesion; // [J/m^2] w: work that parts the surfaces
    Real stiffness = {}; // [N/m] linear law, whatever the sizes; 0: that of both sides in series
    bool touches = true; // false: the two pass through each other
};
using PairLaw = PairCoefficients<double>;

/// Stiffness of a contact in the linear law [N/m]. compliance: of both sides [m/N]
inline double contact_stiffness(const PairLaw& pair, double compliance)
{
    return pair.stiffness > 0 ? pair.stiffness : 1 / compliance;
}

/// Unlike materials: of frictions and restitutions the lesser (of_two_materials), w = 2 sqrt(gamma_a gamma_b).
PairLaw pair_law(const GranularMaterial& a, const GranularMaterial& b);

/// Row a, column b of materials.size() columns.
std::vector<PairLaw> pair_laws(const std::vector<GranularMaterial>& materials);

/// Half of the compliance [m/N] of two equal spheres in the linear law: those of both sides add.
double side_compliance(const GranularMaterial& material, double radius);

/// Share of critical damping with which a head-on collision gives this restitution in (0, 1], when the contact ends as
/// soon as it would pull. One formula for the linear law and for Hertz: docs/derivations.md#granular-spheres.
double damping_ratio(double restitution);
double restitution(double damping_ratio);

} // namespace stickslip
