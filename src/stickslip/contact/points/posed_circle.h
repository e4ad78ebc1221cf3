#pragma once

#include "stickslip/bodies/rigid_body.h"
#include "stickslip/contact/points/extreme_point.h"
#include "stickslip/contact/points/pose_dual.h"
#include "stickslip/contact/points/seam_point.h"

namespace stickslip {

/// Circle of a rim whose centre is the origin of `frame`, with the axes of its body.
Circle circle_at(const Rim& rim, const Frame& frame);

/// Of its tube.
Bounds box_of(const Circle& circle);

/// Angle of an even point on the circle [rad].
double even_angle(int i);

/// A point E of a circle, the direction u towards it, distance phi and unit normal n there, and what share of its force
/// a contact there has, with their derivatives by the pose of the circle's body.
struct PosedPoint {
    PoseVec axis, u, E, n;
    PoseScalar phi, share;
};

/// An extreme point: it travels along the circle so that it stays one. Share: extreme_share of its sharpness; 1 about
/// what is curved all over, whose minima share otherwise (minimum_share.h).
PosedPoint posed_extreme(const DistanceField& field, const Circle& circle, const ExtremePoint& at);

/// A seam point: it travels along the circle so that it stays on its plane. Share: SeamPoint::share.
PosedPoint posed_seam(const DistanceField& field, const Circle& circle, const SeamPoint& at);

/// A point that belongs to the body, at u. Share: what extreme points leave to it where it is.
PosedPoint posed_even_point(const DistanceField& field, const Circle& circle, const Vec3& u);

} // namespace stickslip
