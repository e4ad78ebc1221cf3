#pragma once

#include "stickslip/contact/relax/placed_surface.h"
#include "stickslip/geometry/queries/point_triangle.h"

#include <array>
#include <limits>

namespace stickslip {

/// Weights and parameters within this of a corner are at the corner [-].
constexpr double at_corner = 128 * std::numeric_limits<double>::epsilon();

/// Attachment X relaxed in a triangle, for the point Z. With W the projection of Z on its plane, d the height of Z,
///   |X - W| <= mu |d| : in the cone, Y = X        else K = W + mu |d| (X - W)/|X - W|
/// and Y is K, or where the way from X to K leaves the triangle (docs/derivations.md#walk-over-a-mesh).
struct TriangleRelaxation {
    int left_by; // the side by which the way leaves, maybe the one by which it came in; -1: Y is in the cone or K
    bool moves; // no: Y = X, w = w0 bit for bit, and the derivatives are not set
    Vec3 w; // [-] barycentric, of Y: >= 0, sum 1
    double d; // [m] of Z over the plane, negative inside
    Vec3 n; // [-] unit, outward
    Mat3 dY_dX, dY_dZ; // [-]
    std::array<Mat3, 3> dY_dx; // [-] by the corners, with X fixed
};

/// x  corners [m]   w0  barycentric weights of X   sign  of the outward normal against that by the winding
/// mu  friction coefficient [-], 0 to infinity; 0 is never in the cone
///   entered_at  corner by which the walk came in, where w0 is 1: it leaves by the side across only; -1: another way
/// Pre: the triangle has an area. Paper: Alg 10 CASE_TRIANGLE
TriangleRelaxation relax_in_triangle(
    const std::array<Vec3, 3>& x, const Vec3& w0, int entered_at, int sign, const Vec3& Z, double mu);

/// The same in one dimension. With W = A + p (B - A) the point of the line nearest to Z, and rho = |Z - W|,
///   |X - W| <= mu rho : in the cone, Y = X        else Y = W + mu rho (X - W)/|X - W|, or the end that is before it
struct EdgeRelaxation {
    bool in_cone; // Y = X; the derivatives are not set
    int past; // 0: Y = A, 1: Y = B, beyond which the way leads; the derivatives are not set; -1: Y lies on the edge
    double q; // [-] of Y = A + q (B - A), in [0, 1]
    double rho; // [m]
    Vec3 r; // [-] unit, from W to Z; `inward` where Z is on the line
    Mat3 dY_dZ, dY_dA, dY_dB; // [-]; Y does not depend on X
};

/// q0  of X   inward  unit direction across the edge, away from the outside. Pre: A and B differ.
/// Paper: Alg 11 CASE_EDGE
EdgeRelaxation relax_on_edge(const Vec3& A, const Vec3& B, double q0, const Vec3& Z, const Vec3& inward, double mu);

/// Where a walk goes on from a vertex: into the facet, or along the edge, that leads nearer to Z most steeply.
struct WayFromVertex {
    TriangleFeature feature; // vertex: none leads nearer, the vertex is the nearest place around
    int facet; // one that holds the feature
    int index; // edge: the side of that facet; else the corner that the vertex is
};
/// Pre: the vertex stands for itself and belongs to a facet.
/// Paper: Alg 11 CASE_VERTEX
WayFromVertex way_from_vertex(const PlacedSurface& surface, int vertex, const Vec3& Z);

} // namespace stickslip
