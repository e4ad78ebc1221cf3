#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

/// A point side of the contact table: a point Z that moves with some blocks of unknowns, and how a force at Z enters
/// their equations.
///   block_count             how many blocks of unknowns the point depends on
///   block(b)                which ones
///   position()              Z [m] at the candidate
///   motion(b)               dZ / d(position of block b)
///   load(b, f)              what a force f at Z [N] adds to the equation of block b
///   load_derivative(b, c, f, df)   derivative of load(b, f) by the point's own block c when df = df/d(block c):
///   includes the change of
///                           lever arms; for another side's block c it is load(b, .) applied to the columns of df
/// A node moves with itself: all maps are the identity.
struct NodePoint {
    static constexpr int block_count = 1;
    int node;
    Vec3 Z; // [m]

    int block(int) const { return node; }
    const Vec3& position() const { return Z; }
    Mat3 motion(int) const { return Mat3::Identity(); }
    Vec3 load(int, const Vec3& f) const { return f; }
    Mat3 load_derivative(int, int, const Vec3&, const Mat3& df) const { return df; }
    Mat3 load_of(int, const Mat3& df) const { return df; }
};

} // namespace stickslip
