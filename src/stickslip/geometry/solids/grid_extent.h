#pragma once

#include "stickslip/geometry/solids/grid_level_set.h"

namespace stickslip {

/// `mesh` [m], grown by what of {phi <= 0} reaches out of it: the spline overshoots beside edges, and its zero surface
/// bulges out of the box of the mesh it was sampled from. Contains all points where phi < -1e-12 spacings, and is wider
/// than they and the mesh need by at most 1/64 spacing per side.
Bounds grown_to_zero_surface(const GridCoefficients& grid, const Bounds& mesh);

} // namespace stickslip
