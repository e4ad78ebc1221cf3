#pragma once

#include "stickslip/geometry/mesh/mesh_defect.h"
#include "stickslip/math/types.h"

#include <vector>

namespace stickslip {

/// A volume filled with linear tetrahedra, all of positive volume.
struct TetMesh {
    std::vector<Vec3> nodes; // [m]
    std::vector<Tetrahedron> tets; // indices into nodes
};

/// (p1-p0) x (p2-p0) . (p3-p0) / 6 [m^3], negative if inverted.
double tet_volume(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& p3);
double tet_volume(const std::vector<Vec3>& nodes, const Tetrahedron& tet);

/// Sum of the signed volumes [m^3]; the same bits for any number of threads.
double total_volume(const TetMesh& mesh);

/// Faces that belong to exactly one tetrahedron, outward where the tetrahedra are positive. Needs no positions.
/// Order: by tetrahedron, then by the face opposite to its node 3, 2, 1, 0.
std::vector<Triangle> boundary_triangles(const std::vector<Tetrahedron>& tets);

/// Nodes of the boundary, ascending.
std::vector<int> surface_nodes(const std::vector<Tetrahedron>& tets);

/// Mean ratio 12 (3 V)^(2/3) / (sum of squared edges) [-]: 1 regular, 0 flat or inverted. Does not depend on size.
double mean_ratio(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& p3);

struct TetQuality {
    double min_ratio, mean_ratio; // [-] mean ratio of the elements, 0..1
    double min_dihedral, max_dihedral; // [degrees]
    double min_edge, mean_edge, max_edge; // [m] each edge counted once
};

/// Pre: at least one tetrahedron, indices in range.
TetQuality tet_quality(const TetMesh& mesh);

/// Defects that keep the mesh from being simulated. Any input is allowed.
/// A tetrahedron is flat when 6 |V| <= 1e-12 (longest edge)^3: there the sign of V is rounding.
std::vector<MeshDefect> find_defects(const TetMesh& mesh);

} // namespace stickslip
