#pragma once

#include "stickslip/geometry/mesh/mesh_defect.h"
#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/math/types.h"

#include <array>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

namespace stickslip {

enum class EdgeKind : std::uint8_t {
    internal, // of two facets
    boundary, // of one
    non_manifold, // of three or more
};

/// Signed angle alpha between a facet f1 and its neighbour f2 across an edge, as seen from f1: with o1 in f1's plane
/// away from f1, n1 its normal and p2 the direction into f2, both perpendicular to the edge,
///   c = p2 . o1 = cos(alpha)      s = p2 . n1 = sin(alpha)
/// s = 0, c > 0: flat. s < 0: convex seen from the side of n1. s > 0: concave. f2's normal on the side of n1 is
/// c n1 - s o1, so f2's own winding plays no part. In the letters of the page: n_lim = c, o_lim = -s with its sign.
struct Fold {
    double c = nan; // [-]
    double s = nan; // [-]
};

struct EdgeTopologyOptions {
    double weld_tolerance = 1e-6; // [-] of the diagonal of the bounding box; see weld(); negative: not welded
    double patch_angle = 15 * std::numbers::pi / 180; // [rad] facets meet smoothly when their fold is at most this
    bool encloses = false; // a solid: facets on one another that look to opposite sides bound nothing; see weld()
};

/// Adjacency of a triangulated surface, open or closed, with any winding: made once, the directions again
/// after each motion. Facets, vertices and the corners of a facet keep the numbers of the mesh; side 3 f + k is the
/// side of facet f from its corner k to corner (k + 1) % 3; corner 3 f + k is its corner k. Page: INTERNAL_EDGES
class EdgeTopology {
public:
    /// Throws InputError for vertices that are not finite and for numbers out of range.
    explicit EdgeTopology(const TriMesh& mesh, const EdgeTopologyOptions& options = {});

    /// New positions of all vertices of the mesh [m]; normals, outward directions and folds follow. Who is whose
    /// neighbour, welded vertices and patches stay: they are names by which contacts are remembered.
    /// Throws InputError where a facet has lost its area or has a position that is not finite.
    void update(const std::vector<Vec3>& vertices);

    // Read only from outside.
    std::vector<int> vertex; // for each vertex of the mesh the one that stands for it
    std::vector<Triangle> facets; // by these vertices; {-1, -1, -1}: left out, see defects
    std::vector<std::array<int, 3>> facet_edges; // numbers of the edges on its three sides; -1: left out
    std::vector<Edge> edges; // both vertices, the lower first; sorted
    std::vector<EdgeKind> edge_kind;
    std::vector<std::uint8_t> vertex_internal; // its facets form one closed fan of internal edges
    std::vector<int> patch; // smooth patch of each facet, from 0 in the order of their first facets; -1: left out
    std::vector<std::int8_t> orientation; // +1, -1: times its normal, facets of one piece look to the same side
    int patches = 0;
    int welded = 0; // vertices joined to another
    std::vector<MeshDefect> defects; // what was left out, and what is not welded
    double seam = 0; // [m] nearer than this counts as the same place
    double patch_cosine = 1; // [-] of the patch angle

    std::vector<Vec3> positions; // [m] of the vertices of the mesh
    std::vector<Vec3> normals; // [-] of the facets, unit, by their winding
    std::vector<Vec3> outward; // [-] of the sides: unit, in the facet, perpendicular to the side, away from the facet
    std::vector<Fold> folds; // of the sides; nan where the edge is not internal

    bool is_left_out(int facet) const { return facets[facet][0] < 0; }
    /// Sides at an edge, ascending.
    std::span<const int> sides_of(int edge) const { return part(edge_starts_, edge_sides_, edge); }
    /// Corners of facets at a vertex that stands for itself, ascending.
    std::span<const int> corners_of(int v) const { return part(corner_starts_, corners_, v); }
    /// Vertices across the edges at a vertex.
    std::span<const int> neighbours_of(int v) const { return part(neighbour_starts_, neighbours_, v); }
    /// The other side of an internal edge.
    int across(int side) const;

    /// Sums of the normals of the facets there, those at a vertex weighted by their angles: unit, to the side of the
    /// first facet of this piece of surface. Zero where they cancel.
    Vec3 edge_normal(int edge) const;
    Vec3 vertex_normal(int v) const;

private:
    static std::span<const int> part(const std::vector<int>& starts, const std::vector<int>& items, int i)
    {
        return {items.data() + starts[i], items.data() + starts[i + 1]};
    }
    void find_edges();
    void find_fans();
    void find_orientations();
    void find_patches();
    bool is_closed_fan(int v) const;
    void find_folds();

    std::vector<int> edge_starts_, edge_sides_;
    std::vector<int> corner_starts_, corners_;
    std::vector<int> neighbour_starts_, neighbours_;
};

} // namespace stickslip
