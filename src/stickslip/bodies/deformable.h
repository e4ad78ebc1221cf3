#pragma once

#include "stickslip/bodies/material.h"
#include "stickslip/bodies/motion.h"
#include "stickslip/geometry/mesh/tet_mesh.h"
#include "stickslip/geometry/queries/triangulated_surface.h"
#include "stickslip/math/types.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace stickslip {

/// Half-open range of indices.
struct Range {
    int begin = 0, end = 0;
    int size() const { return end - begin; }
};

/// Nodes whose path is given: they keep their place in a frame that moves by `motion`.
struct Pin {
    int node;
    Vec3 local; // [m] place in the frame
    int frame; // index into DeformableSet::pin_frames
};
struct PinFrame {
    Frame start;
    ScriptedMotion motion;
    std::string name = {}; // of the region whose nodes it leads; empty: none
};

/// One deformable body: ranges of the arrays of its DeformableSet, and what it is loaded with.
struct DeformableBody {
    std::string name;
    Range nodes, tets, triangles, surface_nodes;
    double mass = 0; // [kg]
    double element_size = 0; // [m] mean edge length at rest
    double surface_area = 0; // [m^2] at rest
    Vec3 acceleration = Vec3::Zero(); // [m/s^2] added to gravity
    double pressure = 0; // [Pa] on the whole surface, positive pushes inward, follows the surface
    /// At rest, met by spheres in place of its nodes; null: these are. Vertices as surface_nodes, facets as triangles.
    std::shared_ptr<const TriangulatedSurface> surface = nullptr;
};

/// All deformable bodies of a world in one set of arrays; never changes during a run. Linear tetrahedra, lumped mass.
struct DeformableSet {
    std::vector<DeformableBody> bodies;
    std::vector<Vec3> rest; // [m] nodes, undeformed
    std::vector<double> mass; // [kg] nodes: a quarter of each adjacent tetrahedron's
    std::vector<int> body_of_node;
    std::vector<Tetrahedron> tets;
    std::vector<Mat3> rest_inverse; // [1/m] tets: inverse of the matrix of rest edges p1-p0, p2-p0, p3-p0
    std::vector<double> volume; // [m^3] tets, at rest
    std::vector<int> material_of_tet;
    std::vector<ElasticMaterial> materials;
    std::vector<Triangle> triangles; // outward boundary
    std::vector<int> surface_nodes; // ascending
    std::vector<double> nodal_area; // [m^2] nodes: a third of each adjacent boundary triangle's, at rest
    std::vector<Pin> pins; // ascending node
    std::vector<PinFrame> pin_frames;

    /// For each node its (tet, corner) pairs, as 4 tet + corner, and its (triangle, corner) pairs, as 3 triangle +
    /// corner.
    std::vector<int> tet_corners, tet_corners_begin; // begin has nodes + 1 entries
    std::vector<int> triangle_corners, triangle_corners_begin;

    std::vector<Range> tet_batches; // up to four of one body, evaluated side by side
};

/// Appends a body. The mesh has no defects (see find_defects). Returns the body's index.
int add_deformable(DeformableSet& set, const std::string& name, const TetMesh& mesh, const ElasticMaterial& material);

/// Lets spheres meet the body by its triangles. Nothing of these is welded: nodes that share a place are not joined.
void show_triangles(DeformableSet& set, int body, EdgeRule rule);

/// Makes the (tet, corner) and (triangle, corner) lists and the batches; call once after the last body.
void finish(DeformableSet& set);

/// Outward unit normal of the surface at a node: the mean of its triangles' at node positions x, by their angles. Zero
/// where the node is on no triangle or they cancel.
Vec3 surface_normal(const DeformableSet& set, int node, std::span<const Vec3> x);

/// Largest angle [rad] between n and the normals of the triangles at a node.
double surface_turn(const DeformableSet& set, int node, std::span<const Vec3> x, const Vec3& n);

} // namespace stickslip
