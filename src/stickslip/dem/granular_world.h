#pragma once

#include "stickslip/dem/bodies/granular_body.h"
#include "stickslip/dem/granular_material.h"
#include "stickslip/dem/periodic_box.h"
#include "stickslip/dem/walls/granular_wall.h"

#include <vector>

namespace stickslip {

constexpr double least_skin = 0.1; // [-] of the mean radius: of the shortest list of neighbours

/// One sphere as the user gives it.
struct Grain {
    Vec3 x; // [m]
    double radius; // [m]
    int material = 0;
    Vec3 v = Vec3::Zero(); // [m/s]
    Vec3 w = Vec3::Zero(); // [rad/s]
    int group = 0; // whose it is
    Quat orientation = Quat::Identity();
};

/// Contact parameters of two materials, or of two grains of one, that do not follow from theirs (pair_law).
struct PairException {
    int first, second; // materials
    std::optional<double> friction; // [-] Coulomb
    std::optional<double> restitution; // [-] in (0, 1]
    std::optional<double> rolling_friction, twisting_friction; // [-]
    std::optional<double> stiffness; // [N/m] linear law, whatever the sizes
    std::optional<double> shear_ratio; // [-] linear law: tangential over normal stiffness
    std::optional<double> surface_energy; // [J/m^2] of one surface: the two take twice as much to part
    bool touches = true; // false: the two pass through each other
};

/// Constants of a run of spheres.
struct GranularWorld {
    NormalLaw law = NormalLaw::linear;
    std::vector<GranularMaterial> materials;
    std::vector<PairException> pair_exceptions; // a later one goes before
    std::vector<GranularWall> walls;
    std::vector<GranularBody> bodies; // at the start; those that stay for ever first
    std::vector<GranularBody> clumps; // kinds of clumps that may come and leave
    std::vector<Bounds> outlets; // [m] who comes through one is caught there: GranularState::caught
    Vec3 gravity = Vec3::Zero(); // [m/s^2]
    PeriodicBox box;
    double local_damping = 0; // [-] share of the resultant taken off where it speeds a touching sphere up (Cundall)
    double dt = 0; // [s] 0: stable_time_step of the first spheres
    double start_time = 0; // [s]
    double safety = 0.2; // [-] share of the stability limit, for dt = 0
    double skin = 0; // [m] extra range of the neighbour list; 0: chosen by how fast spheres move
    bool ledger = false; // keep account of the energy, at some cost
    double largest_radius = 0; // [m] of spheres that come later (insert)
};

/// Throws InputError for values out of range.
void check(const GranularWorld& world, const std::vector<Grain>& grains);
void check_bodies(const GranularWorld& world); // part of it

/// Coefficients of every two materials, row a, column b, with what is given for pairs.
std::vector<PairLaw> pair_laws(const GranularWorld& world);

/// Some contact resists rolling or twisting: its history keeps the turn too.
bool resists_turning(const GranularWorld& world);

/// The largest gap that adhesion bridges [m], of spheres up to this radius.
double adhesive_reach(NormalLaw law, const std::vector<PairLaw>& laws, double largest_radius);

/// Step [s] below the stability limit by `safety`: docs/derivations.md#granular-spheres.
double stable_time_step(const GranularWorld& world, const std::vector<Grain>& spheres);

} // namespace stickslip
