#pragma once

#include "stickslip/geometry/mesh/mesh_defect.h"
#include "stickslip/math/types.h"

#include <vector>

namespace stickslip {

/// A triangulated surface. Triangles are counter-clockwise seen from outside.
struct TriMesh {
    std::vector<Vec3> vertices; // [m]
    std::vector<Triangle> triangles; // indices into vertices
};

/// Defects that keep the surface from enclosing a solid. Any input is allowed. Unused vertices are no
/// defect. A triangle is flat when twice its area <= 1e-12 (longest edge)^2. A closed surface that is inside out has no
/// defect here: its enclosed_volume is negative.
std::vector<MeshDefect> find_defects(const TriMesh& mesh);

/// Every edge belongs to exactly two triangles that run along it in opposite directions. Needs no positions.
bool is_closed(const std::vector<Triangle>& triangles);

/// Signed volume [m^3] inside a closed surface: negative if it is inside out. Pre: is_closed.
double enclosed_volume(const TriMesh& mesh);

/// Twice the volume over the area [m]: of a plate its thickness. Pre: is_closed.
double mean_thickness(const TriMesh& mesh);

/// Box around the points; empty (min > max) if there are none.
Bounds bounds(const std::vector<Vec3>& vertices);

} // namespace stickslip
