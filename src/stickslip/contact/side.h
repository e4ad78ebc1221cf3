#pragma once

#include "stickslip/math/rotation.h"
#include "stickslip/math/types.h"

namespace stickslip {

/// One side of a contact as the equations see it: which blocks of unknowns move it, and what a force on it does to
/// their equations. The same three serve as point side and as surface side of the contact table.
///   block_count              how many blocks of unknowns the side has
///   block(b)                 which ones
///   motion(b, P)             d(material point now at P) / d(position of block b); for a rotation: by dt omega
///   load(b, P, f)            what a force f [N] at P adds to the equation of block b
///   load_derivative(b, c, P, f, dP, df)   derivative of load(b, P, f) by some block along which P and f change by dP
///                            and df; c: that block if it is the side's own, else -1
struct FixedSide {
    static constexpr int block_count = 0;

    int block(int) const { return -1; }
    Mat3 motion(int, const Vec3&) const { return Mat3::Zero(); }
    Vec3 load(int, const Vec3&, const Vec3& f) const { return f; }
    Mat3 load_derivative(int, int, const Vec3&, const Vec3&, const Mat3&, const Mat3& df) const { return df; }
};

/// A node of a deformable body.
struct NodeSide {
    static constexpr int block_count = 1;
    int node;

    int block(int) const { return node; }
    Mat3 motion(int, const Vec3&) const { return Mat3::Identity(); }
    Vec3 load(int, const Vec3&, const Vec3& f) const { return f; }
    Mat3 load_derivative(int, int, const Vec3&, const Vec3&, const Mat3&, const Mat3& df) const { return df; }
};

/// A rigid body: blocks for its centre of mass x and its rotation theta = dt omega of this step. The load on the second
/// is the torque about x, with the lever arm where the force acts now (FORCE_RD).
/// Paper: Alg 4 MOVE_RIGID_BODY, FRAME_TIMES (derivatives)
struct RigidSide {
    static constexpr int block_count = 2;
    int first; // block of x; that of theta is the next
    Vec3 x; // [m] centre of mass at the candidate
    Mat3 J; // left Jacobian of theta

    int block(int b) const { return first + b; }
    Mat3 motion(int b, const Vec3& P) const { return b == 0 ? Mat3(Mat3::Identity()) : Mat3(-skew(P - x) * J); }
    Vec3 load(int b, const Vec3& P, const Vec3& f) const { return b == 0 ? f : Vec3((P - x).cross(f)); }
    Mat3 load_derivative(int b, int c, const Vec3& P, const Vec3& f, const Mat3& dP, const Mat3& df) const
    {
        if (b == 0)
            return df;
        const Mat3 darm = c == 0 ? Mat3(dP - Mat3::Identity()) : dP;
        return skew(P - x) * df - skew(f) * darm;
    }
};

} // namespace stickslip
