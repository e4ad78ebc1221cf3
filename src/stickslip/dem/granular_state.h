#pragma once

#include "stickslip/dem/bodies/clumps.h"
#include "stickslip/dem/bodies/point_contacts.h"
#include "stickslip/dem/granular_world.h"
#include "stickslip/dem/pairs/pair_forces.h"

#include <string>
#include <vector>

namespace stickslip {

/// A sphere by itself or a clump whose centre of mass has come through an outlet.
struct Caught {
    int id; // of the sphere, or of the first of the clump
    int outlet; // of GranularWorld::outlets: the first that it came through
};

/// Everything that goes from step to step. A copy of it, restored later, continues with the same bits.
struct GranularState {
    double time = 0; // [s]
    long steps = 0, rebuilds = 0;
    Spheres spheres; // velocities at `time`
    int next_id = 0; // of the next sphere that comes
    NeighbourList list;
    std::vector<Vec3> listed_at; // [m] where the spheres were when the list was made
    double skin = 0; // [m] extra range of the list
    std::vector<Vec3> bodies_listed_at; // [m] the same of the bodies, without end where the box is periodic
    std::vector<Caught> caught; // by rising id
    long listed_step = 0; // `steps` when the list was made
    double wall_travel = 0; // [m] the most that a wall has moved since, where there are spheres
    ContactHistory pairs;
    std::vector<WallContacts> walls;
    std::vector<Load> wall_load; // on each wall at `time`
    std::vector<BodyMotion> bodies; // velocities at `time`
    std::vector<BodySpheres> body_spheres; // of each body
    std::vector<Load> body_load; // contacts on each body at `time`, about its centre of mass
    PointContacts points;
    ContactLosses losses; // the rest is counted with GranularWorld::ledger alone
    double wrapped_work =
        0; // [J] of gravity on the ways, whole periodic boxes, that spheres by themselves were put back
    double local_damping_loss = 0, gravity_work = 0, wall_work = 0, load_work = 0; // [J]
    struct {
        double damping = 0, local_damping = 0, body_damping = 0, wall = 0; // [J]
    } last_step; // power at `time` times dt: works of forces are sums by the trapezoidal rule
    double first_energy = 0; // [J] kinetic and elastic at the start, and what spheres brought and took along since
};

/// The account of the energy [J]. All entries but the stored ones count since the start.
struct EnergyLedger {
    double kinetic_translation, kinetic_rotation, elastic_normal, elastic_tangential, elastic_rolling; // stored now
    double gravity_work, wall_work, load_work; // given; loads: forces, torques and accelerations of bodies
    double friction_loss, rolling_loss, damping_loss, adhesion_loss, local_damping_loss; // taken
    double first; // stored at the start, with what spheres brought that came, less what those took that left

    double stored() const
    {
        return kinetic_translation + kinetic_rotation + elastic_normal + elastic_tangential + elastic_rolling;
    }
    double lost() const { return friction_loss + rolling_loss + damping_loss + adhesion_loss + local_damping_loss; }
    /// Zero but for the error of the integrator, which falls with dt^2.
    double imbalance() const { return stored() + lost() - first - gravity_work - wall_work - load_work; }
};

/// Covers the whole state (time, places, velocities, orientations by id; springs of contacts): 32 hexadecimal digits.
std::string state_hash(const GranularState& state);

/// Throws InputError when the arrays of a state do not fit together or to its world: a state from a damaged file.
void check(const GranularWorld& world, const GranularState& state);

} // namespace stickslip
