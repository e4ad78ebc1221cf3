#pragma once

#include "stickslip/contact/points/dual.h"
#include "stickslip/math/rotation.h"

namespace stickslip {

/// By the pose of a body: its displacement (block 0) and its turn (block 1), both along the axes of whatever frame the
/// number is meant in.
using PoseScalar = DualScalar<6>;
using PoseVec = DualVec<6>;

/// A constant: its derivative is 0.
inline PoseVec still(const Vec3& v)
{
    return constant<6>(v);
}

/// A point of the body itself, `arm` from the place whose displacement is meant.
inline PoseVec carried_point(const Vec3& place, const Vec3& arm)
{
    PoseVec p{place + arm, {}};
    p.d << Mat3::Identity(), -skew(arm);
    return p;
}

/// A direction fixed in the body.
inline PoseVec carried_direction(const Vec3& v)
{
    PoseVec p{v, {}};
    p.d << Mat3::Zero(), -skew(v);
    return p;
}

/// Rotation vector [rad] of Q, the body's turn in the step.
inline PoseVec posed_turn(const Mat3& Q)
{
    PoseVec phi = still(rotation_vector(Q));
    phi.d.rightCols<3>() = left_jacobian(phi.v).inverse();
    return phi;
}

} // namespace stickslip
