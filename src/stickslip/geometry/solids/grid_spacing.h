#pragma once

#include "stickslip/geometry/solids/grid_level_set.h"

namespace stickslip {

/// Spacing [m] of a grid that is given none, around a solid of this extent [m].
double automatic_spacing(const Vec3& extent);

/// Nodes along each axis of a grid around a solid of this extent [m].
Vec3 node_counts(const Vec3& extent, double spacing, double band);

/// `spacing` [m], made wider by hundredths until the grid has at most so many nodes.
double fitting_spacing(const Vec3& extent, double spacing, double band, double most_nodes);

} // namespace stickslip
