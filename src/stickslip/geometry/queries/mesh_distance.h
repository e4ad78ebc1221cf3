#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/queries/box_tree.h"
#include "stickslip/math/types.h"

#include <array>
#include <vector>

namespace stickslip {

/// Edges and vertices that sheets of a surface share, as those of two parts of a solid that touch there.
enum class SharedFeatures { refused, allowed };

/// Exact signed distance to a closed mesh. The sign is that of the angle-weighted pseudonormal of the nearest feature,
/// which is right for every closed, outward oriented mesh without self-intersections, however sharp its edges. An edge
/// or vertex that several sheets share has no pseudonormal. There the sign is that of the winding number, which costs
/// O(n) for n triangles.
class MeshDistance {
public:
    struct Sample {
        double phi; // [m] negative inside
        Vec3 point; // [m] nearest point of the surface
    };

    /// Throws InputError naming the place: index out of range, coordinate not finite, triangle without area, edge
    /// without neighbour or with more than one, neighbours oriented against each other, two sheets that share only a
    /// vertex, mesh inside out. With shared features allowed: only for a mesh without triangles, whose vertices are
    /// finite and whose triangles have areas otherwise.
    explicit MeshDistance(const TriMesh& closed_mesh, SharedFeatures shared = SharedFeatures::refused);

    /// `bound` [m]: a length known to be longer than the distance, to search faster.
    Sample sample(const Vec3& x, double bound = infinity) const;

private:
    bool winds_round(const Vec3& x) const;

    TriMesh mesh_;
    BoxTree tree_;
    std::vector<Vec3> face_normal_; // unit, triangles
    std::vector<std::array<Vec3, 3>> edge_normal_; // triangles; edge i from corner i to corner i + 1; not normalised
    std::vector<Vec3> vertex_normal_; // vertices; not normalised. Zero, both, where several sheets meet
};

} // namespace stickslip
