#include "stickslip/geometry/solids/separating_axes.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

constexpr double parallel = 1e-6; // [-] sine of the angle between edges that have no axis of their own

double farthest(const std::vector<Vec3>& vertices, const Vec3& way)
{
    double most = -infinity;
    for (const Vec3& X : vertices)
        most = std::max(most, way.dot(X));
    return most;
}

} // namespace

AxisOverlap least_overlap(const ConvexFeatures& first, const ConvexFeatures& second, const Frame& second_in_first,
    double enough, SeparatingAxis axis)
{
    std::vector<Vec3> vertices; // of the second
    vertices.reserve(second.vertices.size());
    for (const Vec3& X : second.vertices)
        vertices.push_back(second_in_first.to_world(X));
    const auto along = [&](const Vec3& n) { return farthest(first.vertices, n) + farthest(vertices, -n); };
    const auto depth = [&](const SeparatingAxis& a) {
        if (a.second < 0)
            return first.faces[a.first].offset + farthest(vertices, -first.faces[a.first].n);
        if (a.first < 0)
            return along(second_in_first.R * -second.faces[a.second].n);
        const Vec3 n = first.directions[a.first].cross(second_in_first.R * second.directions[a.second]);
        const double sine = n.norm();
        return sine < parallel ? infinity : std::min(along(n / sine), along(-n / sine));
    };
    AxisOverlap least;
    const auto is_enough = [&](const SeparatingAxis& a) {
        if (const double d = depth(a); d < least.depth)
            least = {d, a};
        return least.depth <= enough;
    };
    if ((axis.first >= 0 || axis.second >= 0) && is_enough(axis))
        return least;
    const auto count = [](const auto& of) { return static_cast<int>(of.size()); };
    for (int a = 0; a < count(first.faces); ++a)
        if (is_enough({a, -1}))
            return least;
    for (int b = 0; b < count(second.faces); ++b)
        if (is_enough({-1, b}))
            return least;
    for (int a = 0; a < count(first.directions); ++a)
        for (int b = 0; b < count(second.directions); ++b)
            if (is_enough({a, b}))
                return least;
    return least;
}

} // namespace stickslip
