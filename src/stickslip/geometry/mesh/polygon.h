#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"

#include <span>
#include <vector>

namespace stickslip {

/// Triangles of a polygon, with its winding, appended. A polygon that turns to one side everywhere becomes a fan about
/// its first corner. From others ears are cut: triangles of three corners in a row, on the inner side, that hold no
/// other corner; seen along the polygon's mean normal. What has no ear left, as it crosses itself, becomes a fan.
/// Costs O(n) of a fan; of others O(n^2) for n corners where ears are found at once, O(n^3) at worst. Pre: corners are
/// indices into vertices.
void add_polygon(std::span<const int> corners, std::span<const Vec3> vertices, std::vector<Triangle>& triangles);

} // namespace stickslip
