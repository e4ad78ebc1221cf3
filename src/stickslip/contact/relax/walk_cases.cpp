#include "stickslip/contact/relax/walk_cases.h"

#include "stickslip/contact/relax/relax_plane.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

/// Weights on the side across from corner `i`, as near to w as can be.
Vec3 on_side_across(int i, const Vec3& w)
{
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double a = std::max(w[j], 0.0), b = std::max(w[k], 0.0);
    Vec3 on_side = Vec3::Zero();
    on_side[j] = a / (a + b);
    on_side[k] = 1 - on_side[j];
    return on_side;
}

/// Where the way from weights w0 to wK leaves the triangle first.
struct Crossing {
    int corner = -1; // that the side is across from; -1: nowhere
    double l = 1; // [-] part of the way
};
Crossing first_crossing(const Vec3& w0, const Vec3& wK, int entered_at)
{
    Crossing first;
    for (int i = 0; i < 3; ++i) {
        if (!(wK[i] < 0) || (entered_at >= 0 && i != entered_at)) // from a corner only by the side across
            continue;
        const double l = w0[i] > 0 ? w0[i] / (w0[i] - wK[i]) : 0;
        if (first.corner < 0 || l < first.l)
            first = {i, l};
    }
    return first;
}

} // namespace

TriangleRelaxation relax_in_triangle(
    const std::array<Vec3, 3>& x, const Vec3& w0, int entered_at, int sign, const Vec3& Z, double mu)
{
    const FacetPlane plane = plane_of(x, sign);
    const Vec3& n = plane.n;
    const double d = n.dot(Z - x[0]);
    const Vec3 W = Z - d * n, X = weighted(x, w0);
    const PlaneRelaxation relaxed = relax_plane(d * n, X - W, Vec3::Zero(), n, mu); // about W: exact however small d is
    TriangleRelaxation result{.left_by = -1, .moves = false, .w = w0, .d = d, .n = n};
    if (relaxed.sticks)
        return result;

    const Vec3 K = W + relaxed.K;
    const Vec3 wW = Vec3::UnitX() + plane.gradient * (W - x[0]), wK = Vec3::UnitX() + plane.gradient * (K - x[0]);
    const Crossing crossing = first_crossing(w0, wK, entered_at);
    if (crossing.corner >= 0)
        result.left_by = (crossing.corner + 1) % 3;
    if (crossing.l == 0)
        return result;
    result.moves = true;
    // dW = (I - n n^T) dZ + sum_i (w_i(W) n + d g_i) n^T dx_i
    result.dY_dX = relaxed.dK_dX;
    result.dY_dZ = relaxed.dK_dZ + relaxed.dK_dW * (Mat3::Identity() - n * n.transpose());
    for (int i = 0; i < 3; ++i)
        result.dY_dx[i] = relaxed.dK_dW * (wW[i] * n + d * plane.gradient.row(i).transpose()) * n.transpose();

    if (crossing.corner < 0) {
        result.w = wK.cwiseMax(0) / wK.cwiseMax(0).sum(); // from a corner, its sides may be missed by round-off
        return result;
    }
    // Y stays on the side: dY = Q dM + (I - Q) sum_i w_i(Y) dx_i with dM the motion of the way's point
    const double l = crossing.l;
    const Vec3 g = plane.gradient.row(crossing.corner);
    const Mat3 Q = Mat3::Identity() - (K - X) * g.transpose() / (wK - w0)[crossing.corner];
    result.w = on_side_across(crossing.corner, w0 + l * (wK - w0));
    result.dY_dX = Q * (l * result.dY_dX + (1 - l) * Mat3::Identity());
    result.dY_dZ = l * Q * result.dY_dZ;
    for (int i = 0; i < 3; ++i)
        result.dY_dx[i] = l * Q * result.dY_dx[i] + result.w[i] * (Mat3::Identity() - Q);
    return result;
}

EdgeRelaxation relax_on_edge(const Vec3& A, const Vec3& B, double q0, const Vec3& Z, const Vec3& inward, double mu)
{
    const Vec3 u = B - A;
    const double squared = u.squaredNorm(), length = std::sqrt(squared);
    const double p = (Z - A).dot(u) / squared;
    const Vec3 across = Z - (A + p * u);
    const double rho = across.norm();
    EdgeRelaxation result{.past = -1, .q = q0, .rho = rho, .r = rho > 0 ? Vec3(across / rho) : inward};
    result.in_cone = mu > 0 && !(std::abs(q0 - p) * length > mu * rho); // also when mu is infinite and rho = 0
    if (result.in_cone)
        return result;

    const double slope = q0 > p ? mu : q0 < p ? -mu : 0; // no side to be on without friction
    const double q = p + slope * rho / length;
    result.q = std::clamp(q, 0.0, 1.0);
    if (q < 0 || q > 1) {
        result.past = q < 0 ? 0 : 1;
        return result;
    }
    // dq = h . (dZ - (1 - p) dA - p dB) + k . (dB - dA)
    const Vec3 h = (u + slope * length * result.r) / squared;
    const Vec3 k = rho / squared * (result.r - slope / length * u);
    result.dY_dZ = u * h.transpose();
    result.dY_dA = (1 - q) * Mat3::Identity() - u * ((1 - p) * h + k).transpose();
    result.dY_dB = q * Mat3::Identity() + u * (k - p * h).transpose();
    return result;
}

WayFromVertex way_from_vertex(const PlacedSurface& surface, int vertex, const Vec3& Z)
{
    const EdgeTopology& topology = surface.topology;
    const Vec3 C = surface.x[vertex], z = Z - C;
    const int first = topology.corners_of(vertex).front();
    WayFromVertex best{TriangleFeature::vertex, first / 3, first % 3};
    double steepest = 0; // [m] fall of half the squared distance along a unit of way
    const auto take = [&](double slope, TriangleFeature feature, int facet, int index) {
        if (slope > steepest) {
            steepest = slope;
            best = {feature, facet, index};
        }
    };
    for (const int corner : topology.corners_of(vertex)) {
        const int facet = corner / 3, k = corner % 3;
        const Triangle& v = topology.facets[facet];
        const Vec3 a = surface.x[v[(k + 1) % 3]] - C, b = surface.x[v[(k + 2) % 3]] - C, N = a.cross(b);
        const double squared = N.squaredNorm();
        const double by_a = z.dot(b.cross(N)) / squared, by_b = z.dot(N.cross(a)) / squared;
        if (by_a > at_corner && by_b > at_corner)
            take((by_a * a + by_b * b).norm(), TriangleFeature::face, facet, k);
        if (z.dot(a) > at_corner * a.squaredNorm())
            take(z.dot(a) / a.norm(), TriangleFeature::edge, facet, k);
        if (z.dot(b) > at_corner * b.squaredNorm())
            take(z.dot(b) / b.norm(), TriangleFeature::edge, facet, (k + 2) % 3);
    }
    return best;
}

} // namespace stickslip
