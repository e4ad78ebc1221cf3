#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/solids/grid_level_set.h"

namespace stickslip {

/// The surface phi = 0 of a sampled level set as triangles, counter-clockwise seen from where phi > 0: surface nets
/// (Gibson 1998) on the cells of the grid, one vertex a cell, moved onto the surface. Two triangles for each edge of
/// the grid that goes through it. Closed as long as the surface stays within the domain; what is thinner than a cell
/// may share edges. Empty where there is no surface. The same bits for any number of threads.
TriMesh zero_surface(const GridLevelSet& grid);

} // namespace stickslip
