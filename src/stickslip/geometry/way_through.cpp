#include "stickslip/geometry/way_through.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace stickslip {

namespace {

constexpr double well_inside = 0.25; // [-] of the smallest size
constexpr double least_depth = 0.05; // [-] of it
constexpr double least_step = 1e-4; // [-] of it: how well the places of entry and exit are found
constexpr int most_steps = 10000;

/// A place where a way meets a triangle: the share of the way, and whether it goes in.
struct Meeting {
    double share;
    bool inward;
    Vec3 normal; // any length
};

std::optional<Meeting> meeting(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& from, const Vec3& way)
{
    const Vec3 normal = (b - a).cross(c - a);
    const double slope = way.dot(normal);
    if (slope == 0)
        return std::nullopt;
    const double share = (a - from).dot(normal) / slope;
    if (!(share >= 0 && share <= 1))
        return std::nullopt;
    const Vec3 p = from + share * way;
    for (const auto& [u, v] : {std::pair(a, b), {b, c}, {c, a}})
        if ((v - u).cross(p - u).dot(normal) < 0)
            return std::nullopt;
    return Meeting{share, slope < 0, normal};
}

} // namespace

double chord(const Vec3& size, const Vec3& way)
{
    return 1 / way.normalized().cwiseQuotient(size).norm();
}

Vec3 place_within(const LevelSet& solid)
{
    constexpr int across = 8;
    const Bounds box = bounds(solid);
    const double size = (box.max - box.min).minCoeff();
    Vec3 best = 0.5 * (box.min + box.max);
    double phi = signed_distance(solid, best);
    for (int i = 0; i < across * across * across && phi > -well_inside * size; ++i) {
        const Vec3 share = (Vec3(i % across, i / across % across, i / across / across) + Vec3::Constant(0.5)) / across;
        const Vec3 x = box.min + share.cwiseProduct(box.max - box.min);
        if (const double there = signed_distance(solid, x); there < phi) {
            best = x;
            phi = there;
        }
    }
    return best;
}

bool goes_through(const LevelSet& solid, const Vec3& from, const Vec3& to)
{
    const Bounds box = bounds(solid);
    const double size = (box.max - box.min).minCoeff(), length = (to - from).norm();
    if (!(size > 0 && size < infinity) || !(signed_distance(solid, from) > 0) || !(signed_distance(solid, to) > 0))
        return false;
    double deepest = 0, at = 0;
    Vec3 entry = Vec3::Zero(); // normal where the way goes in
    for (int i = 0; i < most_steps && at < length; ++i) {
        const LevelSetSample here = sample(solid, from + at / length * (to - from));
        if (here.phi <= 0) {
            if (deepest == 0)
                entry = here.n;
            deepest = std::max({deepest, -here.phi, least_step * size});
        } else if (deepest > 0) {
            if (deepest >= least_depth * size && entry.dot(here.n) < 0)
                return true;
            deepest = 0;
        }
        at += std::max(std::abs(here.phi), least_step * size); // nothing of the surface is nearer
    }
    return false;
}

bool goes_through(const ClosedSurface& surface, double depth, const Vec3& from, const Vec3& to)
{
    std::vector<Meeting> meetings;
    for (const Triangle& t : surface.triangles)
        if (const auto m =
                meeting(surface.vertices[t[0]], surface.vertices[t[1]], surface.vertices[t[2]], from, to - from))
            meetings.push_back(*m);
    std::sort(meetings.begin(), meetings.end(), [](const Meeting& a, const Meeting& b) { return a.share < b.share; });
    const Meeting* entry = nullptr;
    for (const Meeting& m : meetings) {
        if (m.inward)
            entry = entry ? entry : &m;
        else if (entry && (m.share - entry->share) * (to - from).norm() >= depth && entry->normal.dot(m.normal) < 0)
            return true;
        else
            entry = nullptr;
    }
    return false;
}

} // namespace stickslip
