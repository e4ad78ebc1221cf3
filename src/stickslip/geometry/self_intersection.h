#pragma once

#include "stickslip/geometry/mesh_defect.h"
#include "stickslip/geometry/tri_mesh.h"

#include <vector>

namespace stickslip {

/// Triangles of a surface that cut through one another; empty if none do. Touching, also along an edge or a face, is no
/// cut: an edge must reach farther than 1e-9 of the two triangles' size beyond both sides of the other triangle. Any
/// mesh without other defects (find_defects).
std::vector<MeshDefect> find_crossings(const TriMesh& mesh);

} // namespace stickslip
