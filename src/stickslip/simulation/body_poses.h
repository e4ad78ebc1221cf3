#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/world/diagnostics.h"

namespace stickslip {

/// Pose and velocity of a body of an implicit scene in a state; of obstacles those of the origin.
BodyPose pose_of(const BuiltWorld& built, const State& state, std::size_t body);

/// The sum of the forces of all contacts on a body of an implicit scene [N].
Vec3 contact_force_on(const BuiltWorld& built, const BackwardEuler& system, std::size_t body);

/// Pose and velocity of a body of an explicit scene now. Of spheres and clumps the set as a whole, without a
/// rotation; not a number when none is there. Of obstacles the origin.
BodyPose pose_of(const BuiltWorld& built, const SphereSystem& system, std::size_t body);

/// The force on an obstacle or a rigid body, by contacts [N].
Vec3 contact_force_on(const BuiltWorld& built, const SphereSystem& system, std::size_t body);

} // namespace stickslip
