#pragma once

#include "stickslip/geometry/mesh/edge_topology.h"
#include "stickslip/math/types.h"

#include <array>
#include <cmath>
#include <span>

namespace stickslip {

/// A triangulated surface with its vertices at given places: those of a rigid mesh in its body's frame, or those of a
/// deformable one at a candidate. Of the topology only who is next to whom counts, not the places it was made with. A
/// surface with one side only (a Moebius strip) has a seam where its outside changes.
struct PlacedSurface {
    const EdgeTopology& topology;
    std::span<const Vec3> x; // [m] of the vertices of the mesh
    int outside = 1; // 1: where the normals times `orientation` point to; -1: the other side of an open surface

    std::array<Vec3, 3> corners(int facet) const
    {
        const Triangle& v = topology.facets[facet];
        return {x[v[0]], x[v[1]], x[v[2]]};
    }
    /// Of the outward normal against that by the winding: 1 or -1.
    int sign(int facet) const { return outside * topology.orientation[facet]; }
};

/// A facet's plane, and how barycentric weights change on it: dw = gradient dP.
struct FacetPlane {
    Vec3 n; // unit, outward; not finite where the facet has no area
    Mat3 gradient; // [1/m] row i: of the weight of corner i
};
inline FacetPlane plane_of(const std::array<Vec3, 3>& x, int sign)
{
    const Vec3 N = (x[1] - x[0]).cross(x[2] - x[0]);
    const double squared = N.squaredNorm();
    FacetPlane plane{.n = sign / std::sqrt(squared) * N, .gradient = {}};
    for (int i = 0; i < 3; ++i)
        plane.gradient.row(i) = N.cross(x[(i + 2) % 3] - x[(i + 1) % 3]).transpose() / squared;
    return plane;
}

/// The point of a facet with these barycentric weights [m].
inline Vec3 weighted(const std::array<Vec3, 3>& x, const Vec3& w)
{
    return w[0] * x[0] + w[1] * x[1] + w[2] * x[2];
}

} // namespace stickslip
