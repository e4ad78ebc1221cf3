#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/scene/import/imported_body.h"

#include <optional>
#include <vector>

namespace stickslip {

/// The parts of a surface whose triangles hang together over edges, in the order of their first triangles; vertices
/// that none of their triangles has are left out.
std::vector<TriMesh> parts_over_edges(const TriMesh& mesh);

/// Closed, with a vertex at each of the eight corners of its bounding box and nowhere else.
bool is_upright_box(const TriMesh& mesh);

/// The mesh as a sheet: a rectangle in one of the planes of the axes, of any number of triangles.
std::optional<ImportedSheet> as_sheet(const TriMesh& mesh);

/// Smallest thickness of a solid [m]: of its bounding box, and from the middles of triangles straight in to a triangle
/// that looks the other way within 25 degrees. Of large meshes every n-th triangle is looked at. Pre: closed, not
/// inside out.
double smallest_thickness(const TriMesh& mesh);

double surface_area(const TriMesh& mesh); // [m^2]
double edge_length(const TriMesh& mesh); // [m] of all edges together. Pre: closed

} // namespace stickslip
