#include "stickslip/geometry/queries/triangle_overlap.h"

#include <algorithm>

namespace stickslip {

namespace {

constexpr double without_axis = 1e-6; // [-] sine of the angle between edges that have no axis of their own

std::array<Vec3, 3> sides_of(const TriangleCorners& t)
{
    return {t[1] - t[0], t[2] - t[1], t[0] - t[2]};
}

/// How far either has to move along n, any length but 0, to be clear of the other [m]; negative: they are apart.
double overlap_along(const Vec3& n, const TriangleCorners& a, const TriangleCorners& b)
{
    const auto [low_a, high_a] = std::minmax({0.0, n.dot(a[1] - a[0]), n.dot(a[2] - a[0])});
    const auto [low_b, high_b] = std::minmax({n.dot(b[0] - a[0]), n.dot(b[1] - a[0]), n.dot(b[2] - a[0])});
    return std::min(high_a - low_b, high_b - low_a) / n.norm();
}

} // namespace

double triangle_overlap(const TriangleCorners& a, const TriangleCorners& b)
{
    const std::array<Vec3, 3> of_a = sides_of(a), of_b = sides_of(b);
    double least = infinity;
    const auto parts_them = [&](const Vec3& u, const Vec3& v) {
        const Vec3 n = u.cross(v);
        if (n.squaredNorm() > without_axis * without_axis * u.squaredNorm() * v.squaredNorm())
            least = std::min(least, overlap_along(n, a, b));
        return !(least > 0);
    };
    if (parts_them(of_a[0], of_a[1]) || parts_them(of_b[0], of_b[1]))
        return 0;
    for (const Vec3& u : of_a)
        for (const Vec3& v : of_b)
            if (parts_them(u, v))
                return 0;
    return least < infinity ? least : 0;
}

} // namespace stickslip
