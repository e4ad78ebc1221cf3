#pragma once

#include "stickslip/geometry/mesh/mesh_defect.h"
#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/math/types.h"

#include <vector>

namespace stickslip {

/// Triangles that know their neighbours: vertices at the same place are one, and what is no facet is left out.
struct WeldedFacets {
    std::vector<int> vertex; // for each vertex of the mesh the one that stands for it: the lowest number at its place
    std::vector<Triangle> facets; // as in the mesh, with these vertices; left out: {-1, -1, -1}
    int welded = 0; // vertices that another one stands for
    std::vector<MeshDefect> defects; // facets left out (repeated_node, flat, duplicate, opposite); unwelded_node
};

/// Vertices at most `distance` [m] apart along each axis are one, also over a chain of such vertices. 0 joins equal
/// positions only; a negative distance joins none and reports equal positions as unwelded_node.
/// Left out are facets with a repeated vertex, those without area (as in find_defects) and all but the first of those
/// with the same three vertices, whatever their winding. But where the mesh `encloses` a solid, two of them that look
/// to opposite sides bound nothing, as where two of its parts share a face: both are left out, and the volume stays.
/// Throws InputError for a vertex that is not finite or a number out of range.
WeldedFacets weld(const TriMesh& mesh, double distance, bool encloses = false);

/// The mesh with one vertex for all at the same place, as above, without the triangles that lose a side by it. The
/// rest keeps its order.
TriMesh welded(const TriMesh& mesh, double distance);

/// Distance that is joined where nobody says another [m]: a millionth of the diagonal of the bounding box.
double usual_weld(const std::vector<Vec3>& vertices);

} // namespace stickslip
