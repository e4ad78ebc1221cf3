#pragma once

#include "stickslip/contact/points/posed_circle.h"

namespace stickslip {

/// [-] of the radius: a contact that is farther along the circle, by more than a quarter of a turn, is another one.
constexpr double chord_of_quarter = 1.4142135623730951;

/// Where a contact of a circle was at the start of the step, in the surface's frame.
struct RimOrigin {
    PoseVec u, E; // E without what a belt carries
    PoseScalar phi;
    Vec3 n; // unit
};

/// The same place on the circle at the start of the step: u turned by the smallest rotation from the circle's axis to
/// the one it had, so that a spin about the axis does not count. Q: the body's turn in the step.
PoseVec place_before(const PosedPoint& e, const Circle& before, const Mat3& Q);

/// How far the material at the extreme point slips in the step [m], tangentially: the extreme point's way, less that
/// along the rim, less that of a tube which rolls off. belt [m]: by what a conveyor carries.
PoseVec slip_in_step(
    const Rim& rim, const PosedPoint& e, const Circle& before, const RimOrigin& old, const Mat3& Q, const Vec3& belt);

} // namespace stickslip
