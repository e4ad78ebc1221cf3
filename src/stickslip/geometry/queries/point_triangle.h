#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

enum class TriangleFeature { face, edge, vertex };

/// The point of a triangle nearest to a given point.
struct TrianglePoint {
    Vec3 point; // [m]
    Vec3 weights; // [-] barycentric, >= 0, sum 1: point = weights[0] a + weights[1] b + weights[2] c
    TriangleFeature feature; // the smallest one that holds the point
    int index; // edge: from corner index to corner (index + 1) % 3; vertex: the corner; face: 0
};

/// Nearest point of the triangle a, b, c to x. A triangle without area counts as its three edges.
TrianglePoint closest_point_on_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c);

} // namespace stickslip
