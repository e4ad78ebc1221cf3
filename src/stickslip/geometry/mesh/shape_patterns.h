#pragma once

#include "stickslip/geometry/mesh/tet_mesh.h"
#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/math/types.h"

#include <array>
#include <vector>

namespace stickslip {

/// Unit disc about the origin in the plane y = 0: a centre and n rings at radii k/n of 6 k nodes each, so that all
/// edges are near 1/n. Ring k starts at node 1 + 3 k (k - 1); the outermost ring lies on the circle. 6 n^2 triangles,
/// normals along +y.
struct DiscPattern {
    std::vector<Vec3> nodes;
    std::vector<Triangle> triangles;
};
DiscPattern disc_pattern(int n);

/// Unit directions joined by spherical triangles (counter-clockwise from outside).
struct SpherePatches {
    std::vector<Vec3> corners;
    std::vector<Triangle> faces;
};

/// Whole sphere: edges 1.05, the nearest to equal edges and radii.
SpherePatches icosahedron_patches();

/// Half sphere y >= 0 with a regular hexagon on the equator, all edges 1 but the diagonals of three squares:
/// cut off a cuboctahedron, whose edges equal its radius. Its cones meet the plane y = 0 in disc_pattern.
SpherePatches half_cuboctahedron_patches();

/// Sphere surface: each patch in n^2 triangles, all vertices on the unit sphere. Pre: n >= 1.
TriMesh refine_patches(const SpherePatches& patches, int n);

/// Solid from the centre to the unit sphere: the cone over each patch in n^3 tetrahedra, nodes on shells of radius k/n.
/// Pre: n >= 1. The outermost shell holds the nodes of refine_patches in the same order, at the end.
TetMesh refine_cones(const SpherePatches& patches, int n);

} // namespace stickslip
