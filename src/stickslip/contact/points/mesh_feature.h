#pragma once

#include "stickslip/geometry/queries/point_triangle.h"
#include "stickslip/geometry/solids/level_set.h"

namespace stickslip {

/// What of a triangulated surface is touched at one place, as a field that goes on for ever: the plane of a facet, the
/// line of an edge, a vertex.
struct MeshFeature {
    TriangleFeature kind;
    Vec3 at; // [m] a point of it
    Vec3 direction; // unit: normal of the plane, to the side that is met; along the line; of a vertex nothing

    /// Distance from it: of a plane negative behind it. Pre: U is not on the line, nor on the vertex.
    LevelSetSample sample(const Vec3& U) const
    {
        if (kind == TriangleFeature::face)
            return {direction.dot(U - at), direction, Mat3::Zero()};
        Mat3 across = Mat3::Identity();
        if (kind == TriangleFeature::edge)
            across -= direction * direction.transpose();
        const Vec3 from = across * (U - at);
        const double distance = from.norm();
        const Vec3 n = from / distance;
        return {distance, n, (across - n * n.transpose()) / distance};
    }
};

} // namespace stickslip
