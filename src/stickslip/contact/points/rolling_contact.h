#pragma once

#include "stickslip/contact/contact.h"
#include "stickslip/contact/points/ball_at_surface.h"
#include "stickslip/contact/points/pose_dual.h"
#include "stickslip/contact/surfaces/level_set_surface.h"

namespace stickslip {

/// Both ends of the spring of a contact and what they depend on, from the frame `to` of its surface. place: which point
/// the displacement of is meant [m, world].
void set_ends(PoseContact& contact, const Frame& to, const PoseVec& Z, const PoseVec& Y, const Vec3& place);

/// The contact of a ball that is relaxed, whose spring is drawn to Y. All but the world's `place` is in the frame of
/// the surface. Attached to the whole of the surface.
PoseContact rolling_contact(const SurfaceMotionInStep& motion, const BallAtSurface<6>& ball,
    const RelaxedBall<6>& relaxed, const PoseVec& Y, const Vec3& place);

/// The contact of a ball with a surface that keeps its shape. `ball`: by the displacement of the ball's centre (block
/// 0) and its rotation relative to the surface (block 1). c: its centre [m, world]; phi: its rotation vector less that
/// of the surface [rad, world].
PoseContact round_contact(
    const SurfaceMotionInStep& motion, const BallAtSurface<6>& ball, const Vec3& c, const Vec3& phi, double mu);

/// Makes the contact of a ball one of the body in which the ball's centre c is fixed [m, world]: by the displacement of
/// `place` and the turn of the body. phi: the body's rotation vector in the step as seen from the surface, in the axes
/// of the frame `to`.
void carry_by_body(PoseContact& contact, const Vec3& c, const Vec3& place, const Frame& to, const Vec3& phi);

} // namespace stickslip
