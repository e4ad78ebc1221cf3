#pragma once

#include "stickslip/geometry/mesh/mesh_defect.h"
#include "stickslip/geometry/mesh/tri_mesh.h"

#include <vector>

namespace stickslip {

/// Pairs of triangles of a surface that cut through one another: of which one would have to move by more than 1e-9 of
/// their size to be clear of the other (triangle_overlap); empty if none do. Touching, also along an edge or a face, is
/// no cut. Any mesh without other defects (find_defects).
std::vector<MeshDefect> find_crossings(const TriMesh& mesh);

/// Triangles that do not divide outside from inside: space is enclosed twice on their inner side (enclosed_twice: a
/// part of the surface lies within another, coincides with it or overlaps it) or less than not at all on their outer
/// side (inside_out: a part is turned inside out and is no hollow). Told by what encloses two points beside each
/// triangle, 1e-9 of the mesh's size off its plane; triangles thinner than a hundred times that are left to their
/// neighbours. Pre: no other defects, no crossings.
std::vector<MeshDefect> find_overlaps(const TriMesh& mesh);

/// Whatever keeps any surface from being that of a solid: find_defects, or without those that it is inside out as a
/// whole, or without that crossings, or without those overlaps. Empty if nothing.
std::vector<MeshDefect> find_solid_defects(const TriMesh& mesh);

} // namespace stickslip
