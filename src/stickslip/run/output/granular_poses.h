#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/world/diagnostics.h"

namespace stickslip {

/// Where a body of an explicit scene is now, and how it moves. Of spheres and clumps the set as a whole, without a
/// rotation; not a number when none is there. Of obstacles the origin.
BodyPose granular_pose(const BuiltWorld& built, const SphereSystem& system, std::size_t body);

/// The force on an obstacle or a rigid body, by contacts [N].
Vec3 contact_force_on(const BuiltWorld& built, const SphereSystem& system, std::size_t body);

} // namespace stickslip
