#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/solids/face_edges.h"
#include "stickslip/math/types.h"

#include <memory>
#include <vector>

namespace stickslip {

/// A convex solid with flat faces and its exact distance: inside the largest over the planes of its faces, outside that
/// to the nearest face, edge or corner. One evaluation takes a time in proportion to the number of edges.
class ConvexPolyhedron {
public:
    struct Face {
        Vec3 normal; // unit, outward
        double offset; // [m] the solid lies in normal . x <= offset
        std::vector<int> corners; // counter-clockwise from outside; vertices of the solid
    };

    /// The solid inside a mesh, triangles of one plane joined to one face. Null if it is open or not convex, or has
    /// more than most_faces. What is said of planes holds to 1e-6 of the size, so that coordinates of single precision
    /// will do; each face's plane has all of the solid behind it.
    static std::shared_ptr<const ConvexPolyhedron> from_mesh(const TriMesh& mesh);
    static constexpr int most_faces = 200;

    /// The same faces, each `by` [m] farther out. A corner of more than three faces, which may then meet in several
    /// points, is the point nearest to all their planes.
    std::shared_ptr<const ConvexPolyhedron> grown(double by) const;

    const std::vector<Vec3>& vertices() const { return vertices_; }
    const std::vector<Face>& faces() const { return faces_; }
    const std::vector<FaceEdge>& edges() const { return edges_; } // of all faces, one after the other
    const Bounds& bounds() const { return bounds_; }

    double face_distance(int face, const Vec3& U) const { return faces_[face].normal.dot(U) - faces_[face].offset; }

    /// The face whose plane is farthest out at U: the nearest one for a point inside.
    int nearest_face(const Vec3& U) const;

    /// The nearest point of the solid to one that is not inside, and the directions along which it stays: all across
    /// `fixed`, the projector on what a displacement of U does not drag along (zero on a face, across an edge, all at a
    /// corner).
    struct Nearest {
        Vec3 P;
        Mat3 fixed;
        int face; // >= 0: within this face
    };
    Nearest nearest_point(const Vec3& U) const;

private:
    void find_edges();

    std::vector<Vec3> vertices_;
    std::vector<Face> faces_;
    std::vector<FaceEdge> edges_;
    Bounds bounds_;
};

} // namespace stickslip
