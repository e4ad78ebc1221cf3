#pragma once

#include "stickslip/bodies/deformable.h"
#include "stickslip/bodies/obstacle.h"
#include "stickslip/bodies/rigid_body.h"
#include "stickslip/contact/attachment.h"
#include "stickslip/contact/contact_law.h"
#include "stickslip/contact/detect/contact_bodies.h"
#include "stickslip/mpm/mpm_set.h"

#include <cstdint>
#include <vector>

namespace stickslip {

/// Constants of a run.
struct World {
    Vec3 gravity = Vec3::Zero(); // [m/s^2]
    DeformableSet deformables;
    std::vector<RigidBody> rigids;
    std::vector<Obstacle> obstacles;
    MpmSet mpm;
    ContactLaw contact;
    RelaxationKind relaxation = RelaxationKind::planar;
};

/// Position of a run within its steps. A step is halved, `level` times, where a solve fails or was hard; `sub` of its
/// 2^level parts are done.
struct StepClock {
    std::int64_t whole = 0; // whole steps done
    std::int64_t sub = 0;
    std::int32_t level = 0;
    double next_dt = 0; // [s] of an adaptive run; 0: not yet chosen

    bool operator==(const StepClock&) const = default;
};

/// The whole state between steps: a checkpoint is exactly a State (and the totals of its history).
struct State {
    double time = 0; // [s]
    StepClock clock;
    std::vector<Vec3> x; // [m] nodes
    std::vector<Vec3> v; // [m/s] nodes
    std::vector<Vec3> a; // [m/s^2] nodes, of the last step: the first guess of the next; gravity at the start
    std::vector<RigidState> rigid; // by rigid body
    MpmState mpm; // material points
    std::vector<Attachment> attachments; // sorted
};

/// First state: nodes, rigid bodies and material points where they were placed, at the given velocities; clocks at
/// zero.
State initial_state(const World& world, std::vector<Vec3> x, std::vector<Vec3> v, std::vector<RigidState> rigid = {},
    MpmState mpm = {});

/// Positions [m] and velocities [m/s] of the contact points, in their numbering: nodes, then material
/// points, those of liquids at x + thinned.
std::vector<Vec3> point_places(const State& state);
std::vector<Vec3> point_velocities(const State& state);

/// All bodies of the world, for contact. Refers to the world.
ContactBodies contact_bodies(const World& world);

/// Throws InputError when arrays do not fit together, numbers are not finite, or a mass is not positive.
void check(const World& world, const State& state);

/// Stiffness per area [N/m^3] that `stiffness: auto` gives a deformable body (docs/derivations.md#contact-stiffness):
///     kappa = max( 10 E / h,  p / (0.01 h) )
/// h mean edge length, E Young's modulus, p = m g / (smallest side of the bounding box) the pressure of the body's
/// weight. The first makes the contact ten times as stiff as one layer of elements, so that it gives less than they do;
/// the second bounds the penetration at rest by 1 % of the element size, whatever the resolution, for a body that rests
/// on no less than its smallest side.
double automatic_contact_stiffness(const World& world, int body, std::span<const Vec3> x);

/// The same for a body of material points: h the grid's spacing, E that of its material (of a fluid its bulk modulus),
/// x its particles.
double automatic_mpm_stiffness(const World& world, int body, std::span<const Vec3> x);

/// Stiffness [N/m] that `stiffness: auto` gives one contact point of weight 1 of a rigid body in a run whose nominal
/// step is dt [s]: 20 m/dt^2, with m the body's own mass but no less than a tenth of the heaviest rigid body's that
/// may press on it, so that what is light is not crushed under what is heavy. Of two bodies the stiffer counts. A point
/// gives way by g dt^2/20 at rest at most (docs/derivations.md#contact-stiffness).
double automatic_rigid_stiffness(double mass, double heaviest, double dt);

/// The same where all rigid bodies may meet.
double automatic_rigid_stiffness(const World& world, int rigid, double dt);

} // namespace stickslip
