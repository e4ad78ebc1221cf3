#include "stickslip/geometry/edge_smoothing.h"

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
Vec3 nearest_on_sector(const Vec3& x, const Vec3& apex, const Vec3& a, const Vec3& b, const Vec3& n)
{
    const Vec3 d = x - apex;
    const bool beside_a = n.cross(a).dot(d) <= 0; // beyond the ray along a
    const bool beside_b = b.cross(n).dot(d) <= 0;
    if (!beside_a && !beside_b)
        return x - d.dot(n) * n;
    const double along_a = std::max(d.dot(a), 0.0), along_b = std::max(d.dot(b), 0.0);
    const Vec3 on_a = apex + along_a / a.squaredNorm() * a;
    const Vec3 on_b = apex + along_b / b.squaredNorm() * b;
    return (x - on_a).squaredNorm() <= (x - on_b).squaredNorm() ? on_a : on_b;
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

Vec3 nearest_on_fan(const EdgeTopology& surface, int vertex, const Vec3& centre)
{
    const Vec3& apex = surface.positions[vertex];
    Vec3 best = apex;
    double least = (centre - apex).squaredNorm();
    for (int corner : surface.corners_of(vertex)) {
        const Triangle& facet = surface.facets[corner / 3];
        const Vec3 a = surface.positions[facet[(corner + 1) % 3]] - apex;
        const Vec3 b = surface.positions[facet[(corner + 2) % 3]] - apex;
        const Vec3 point = nearest_on_sector(centre, apex, a, b, surface.normals[corner / 3]);
        const double squared = (centre - point).squaredNorm();
        if (squared < least) {
            least = squared;
            best = point;
        }
    }
    return best;
}

} // namespace stickslip
