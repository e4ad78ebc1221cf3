#pragma once

#include "stickslip/math/types.h"

#include <array>

namespace stickslip {

using TriangleCorners = std::array<Vec3, 3>; // [m]

/// Length [m] of the shortest translation that parts two triangles which cut through one another; 0 where they are
/// apart, touch or lie in one plane. By separating axes: the normals, and what is perpendicular to an edge of each.
/// Edges that are parallel to 1e-6 have no axis of their own. A triangle without area counts as a segment or a point.
double triangle_overlap(const TriangleCorners& a, const TriangleCorners& b);

} // namespace stickslip
