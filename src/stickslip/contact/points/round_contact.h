#pragma once

#include "stickslip/contact/points/ball_at_surface.h"
#include "stickslip/contact/points/pose_dual.h"
#include "stickslip/contact/surfaces/level_set_surface.h"

namespace stickslip {

/// The contact of a ball with a surface that keeps its shape. `ball`: in the frame of the surface, by the displacement
/// of the ball's centre (block 0) and its rotation relative to the surface (block 1). c: its centre [m, world]; phi:
/// its rotation vector less that of the surface [rad, world].
PoseContact round_contact(
    const SurfaceMotionInStep& motion, const BallAtSurface<6>& ball, const Vec3& c, const Vec3& phi, double mu);

} // namespace stickslip
