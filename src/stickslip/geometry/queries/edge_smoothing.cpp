#include "stickslip/geometry/queries/edge_smoothing.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

constexpr double flat_sine = 1e-12; // [-] n' is continuous where the fold goes to zero: any small number will do

SmoothedNormal on_side(int side, const Vec3& n, const Vec3& n1, const Vec3& o1, const Fold& fold)
{
    const Vec3 m1 = side * n1;
    const double b = side * fold.s;
    if (std::abs(b) < flat_sine && fold.c > 0)
        return {.n = m1, .zone = EdgeZone::flat, .side = side};
    if (b > 0)
        return {.n = m1, .zone = EdgeZone::green, .side = side};
    if (n.dot(m1) >= fold.c)
        return {.n = n, .zone = EdgeZone::blue, .side = side};
    return {.n = fold.c * m1 - b * o1, .zone = EdgeZone::red, .side = side};
}

/// Point of the sector at `apex` between the directions of a and b nearest to x; n: unit normal of both.
struct SectorPoint {
    Vec3 point;
    enum { inside, along_a, along_b, at_apex } on;
};
SectorPoint nearest_on_sector(const Vec3& x, const Vec3& apex, const Vec3& a, const Vec3& b, const Vec3& n)
{
    const Vec3 d = x - apex;
    const bool beside_a = n.cross(a).dot(d) <= 0; // beyond the ray along a
    const bool beside_b = b.cross(n).dot(d) <= 0;
    if (!beside_a && !beside_b)
        return {x - d.dot(n) * n, SectorPoint::inside};
    const double on_a = std::max(d.dot(a), 0.0), on_b = std::max(d.dot(b), 0.0);
    const SectorPoint by_a{apex + on_a / a.squaredNorm() * a, on_a > 0 ? SectorPoint::along_a : SectorPoint::at_apex};
    const SectorPoint by_b{apex + on_b / b.squaredNorm() * b, on_b > 0 ? SectorPoint::along_b : SectorPoint::at_apex};
    return (x - by_a.point).squaredNorm() <= (x - by_b.point).squaredNorm() ? by_a : by_b;
}

} // namespace

SmoothedNormal smooth_edge_normal(const Vec3& n, const Vec3& n1, const Vec3& o1, const Fold& fold, const Vec3* last)
{
    if (fold.c < 0) // only one side of f1 has room for centres in front of this edge
        return on_side(fold.s > 0 ? -1 : 1, n, n1, o1, fold);
    const double height = n.dot(n1) * fold.c - n.dot(o1) * fold.s; // over f2's plane
    if (std::abs(height) > flat_sine)
        return on_side(height > 0 ? 1 : -1, n, n1, o1, fold);
    const SmoothedNormal convex = on_side(fold.s > 0 ? -1 : 1, n, n1, o1, fold);
    if (last == nullptr)
        return convex;
    const SmoothedNormal other = on_side(-convex.side, n, n1, o1, fold);
    return other.n.dot(*last) > convex.n.dot(*last) ? other : convex;
}

FanPoint nearest_on_fan(const EdgeTopology& surface, int vertex, const Vec3& centre)
{
    const Vec3& apex = surface.positions[vertex];
    FanPoint best{apex, TriangleFeature::vertex, vertex, -1};
    double least = (centre - apex).squaredNorm();
    for (int corner : surface.corners_of(vertex)) {
        const int facet = corner / 3, k = corner % 3;
        const Triangle& corners = surface.facets[facet];
        const Vec3 a = surface.positions[corners[(k + 1) % 3]] - apex;
        const Vec3 b = surface.positions[corners[(k + 2) % 3]] - apex;
        const SectorPoint nearest = nearest_on_sector(centre, apex, a, b, surface.normals[facet]);
        const double squared = (centre - nearest.point).squaredNorm();
        if (nearest.on == SectorPoint::at_apex || !(squared < least))
            continue;
        least = squared;
        const std::array<int, 3>& edges = surface.facet_edges[facet];
        best = {nearest.point, TriangleFeature::face, facet, facet};
        if (nearest.on != SectorPoint::inside) {
            best.kind = TriangleFeature::edge;
            best.feature = edges[nearest.on == SectorPoint::along_a ? k : (k + 2) % 3];
        }
    }
    return best;
}

} // namespace stickslip
