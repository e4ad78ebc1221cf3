#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/solids/level_set.h"

namespace stickslip {

/// Triangulation of a solid in its own frame, vertices on the surface: of what is round with edges of 0.15 of its least
/// radius (of a rounded box only over its roundings), of a sampled level set its zero surface; of an open surface the
/// box around it. A plane is a square of half size `plane_extent` [m].
TriMesh solid_surface(const LevelSet& solid, double plane_extent);

} // namespace stickslip
