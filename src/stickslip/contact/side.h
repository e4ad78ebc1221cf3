#pragma once

#include "stickslip/math/rotation.h"
#include "stickslip/math/types.h"

namespace stickslip {

/// One side of a contact as the equations see it: the blocks of unknowns that move it.
///     nothing (fixed, scripted)    no block
///     a node                       its position
///     a rigid body                 its centre of mass x, and its rotation theta = dt omega of this step
/// Paper: Alg 4 MOVE_RIGID_BODY, FRAME_TIMES (derivatives)
struct Side {
    int first = -1, count = 0; // blocks
    Vec3 x = Vec3::Zero(); // [m] centre of mass of a rigid body at the candidate
    Mat3 J = Mat3::Zero(); // left Jacobian of theta

    static Side fixed() { return {}; }
    static Side node(int block) { return {block, 1}; }
    static Side rigid(int block, const Vec3& x, const Mat3& J) { return {block, 2, x, J}; }

    /// d(material point now at P) / d(position of block b of this side); for a rotation: by theta.
    Mat3 motion(int b, const Vec3& P) const { return b == 0 ? Mat3(Mat3::Identity()) : Mat3(-skew(P - x) * J); }
};

} // namespace stickslip
