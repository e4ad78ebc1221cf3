#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"

#include <cstddef>
#include <vector>

namespace stickslip {

/// A side of a flat face at which a solid bends away: outside, the nearest point lies on the face within the plane
/// through the edge across the face, and on the edge beyond it.
struct FaceEdge {
    Vec3 a, b; // [m] its ends
    Vec3 n; // unit, outward normal of the face
    Vec3 out; // unit, in the face, across the edge
    double fold; // [-] sine of the angle by which the next face bends away, 1 beyond a right angle
    int line = 0; // of those on one straight line of one face the number of the first
};

/// An edge in an inner corner of two faces. On the plane through it that halves the corner both are equally near: the
/// distance has a kink there.
struct InnerEdge {
    Vec3 a, b; // [m] its ends
    Vec3 n; // unit, of that plane
    double sine; // [-] of the angle between it and either face
};

/// Of a closed mesh that looks outward; facets that meet at less than a thousandth of a radian make up one face.
struct FaceEdges {
    std::vector<FaceEdge> outer;
    std::vector<InnerEdge> inner;
    bool too_many = false; // and left out
};

/// Of a scanned shape there are more.
constexpr std::size_t most_face_edges = 1000;

/// Without edges where there are more than `most`: the faces of a scanned shape are not what bodies lie on.
FaceEdges face_edges(const TriMesh& closed_mesh, std::size_t most = most_face_edges);

/// Sets FaceEdge::line.
void number_lines(std::vector<FaceEdge>& edges);

/// FaceEdge::fold of two faces with these normals.
double fold_between(const Vec3& n, const Vec3& next);

} // namespace stickslip
