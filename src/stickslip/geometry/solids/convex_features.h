#pragma once

#include "stickslip/geometry/solids/level_set.h"

#include <array>
#include <optional>
#include <vector>

namespace stickslip {

/// Vertices, edges and faces of a convex solid with flat faces, in its own frame.
struct ConvexFeatures {
    /// Side of a face: inside where g . x <= offset.
    struct Rim {
        Vec3 g; // unit, in the plane of the face, outward
        double offset; // [m]
        double width; // [m] of the face along g
        int edge, face; // that it is, and what is beyond
    };
    struct Face {
        Vec3 n; // unit, outward
        double offset; // [m] the solid lies in n . x <= offset
        std::vector<int> corners; // counter-clockwise from outside
        std::vector<Rim> rims; // the i-th from corner i to corner i + 1

        double distance(const Vec3& x) const { return n.dot(x) - offset; }
        const Rim* rim_at(int edge) const; // null: the edge does not bound the face
    };
    struct Edge {
        std::array<int, 2> ends; // vertices
        std::array<int, 2> faces;
        std::array<Vec3, 2>
            g; // of the rims that it is, by face: a plane with normal m supports the edge where m . g >= 0
    };

    std::vector<Vec3> vertices;
    std::vector<Edge> edges;
    std::vector<Face> faces;
    std::vector<Vec3> directions; // unit, of the edges, each once whatever its sign
    std::vector<std::vector<int>> neighbours; // vertices at the other ends of the edges of each
    double radius = 0; // [m] from the origin of the frame to the farthest vertex
    double thickness = 0; // [m] the least width, between a face and the farthest vertex behind it

    const Vec3& start(int edge) const { return vertices[edges[edge].ends[0]]; }
    Vec3 along(int edge) const { return vertices[edges[edge].ends[1]] - start(edge); }
};

/// Of a box or a convex polyhedron; nothing of other solids.
std::optional<ConvexFeatures> convex_features(const LevelSet& solid);

} // namespace stickslip
