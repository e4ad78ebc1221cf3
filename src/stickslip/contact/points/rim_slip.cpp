#include "stickslip/contact/points/rim_slip.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// A tangent that turns evenly by beta, 0 to pi, has the mean (t_old + t)/2 tan(beta/2)/(beta/2): the factor, by cos
// beta.
PoseScalar mean_of_arc(const PoseScalar& cosine)
{
    const double x = 1 - std::clamp(cosine.v, -1 + 1e-6, 1.0);
    if (x < 1e-3)
        return {1 + x / 6 + 11 * x * x / 180, -(1.0 / 6 + 11 * x / 90) * cosine.d};
    const double half = 0.5 * std::acos(1 - x), tan = std::tan(half), factor = tan / half;
    const double by_half = (1 + tan * tan - factor) / half, by_cosine = -by_half / (2 * std::sin(2 * half));
    return {factor, by_cosine * cosine.d};
}

} // namespace

PoseVec place_before(const PosedPoint& e, const Circle& before, const Mat3& Q)
{
    const PoseVec axis = still(before.axis);
    const PoseScalar cosine = dot(axis, e.axis), c{1 + cosine.v, cosine.d};
    if (c.v < 1e-9) // turned over within the step: no smallest rotation
        return still(Q.transpose() * e.u.v);
    return e.u - (dot(axis, e.u) / c) * (axis + e.axis);
}

PoseVec slip_in_step(
    const Rim& rim, const PosedPoint& e, const Circle& before, const RimOrigin& old, const Mat3& Q, const Vec3& belt)
{
    PoseVec carried = carried_direction(Q * old.u.v);
    carried.d += Q * old.u.d;
    const PoseScalar angle = atan2(dot(e.axis, cross(carried, e.u)), dot(carried, e.u));
    const PoseVec t_old = cross(still(before.axis), old.u), t = cross(e.axis, e.u);
    const PoseVec along = (0.5 * rim.radius) * (angle * (mean_of_arc(dot(t_old, t)) * (t_old + t)));
    PoseVec s = e.E - old.E - still(belt) - along;
    if (rim.tube > 0)
        s = s - rim.tube * cross(posed_turn(Q), e.n);
    return s - dot(e.n, s) * e.n;
}

} // namespace stickslip
