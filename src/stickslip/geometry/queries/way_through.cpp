#include "stickslip/geometry/queries/way_through.h"

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

void sort(std::vector<Meeting>& meetings)
{
    std::sort(meetings.begin(), meetings.end(), [](const Meeting& a, const Meeting& b) { return a.share < b.share; });
}

} // namespace

double chord(const Vec3& size, const Vec3& way)
{
    return 1 / way.normalized().cwiseQuotient(size).norm();
}

Vec3 approach(const LevelSet& solid, double radius, const Vec3& from, const Vec3& way, double reach)
{
    constexpr double slide = 0.1; // [-] of the radius: a step along the surface
    const double length = way.norm();
    double most = 0, at = 0;
    Vec3 n = Vec3::Zero();
    for (int i = 0; i < most_steps && at <= reach * length; ++i) {
        const LevelSetSample here = sample(solid, from + at / length * way);
        if (here.phi <= radius && -way.dot(here.n) > most) {
            most = -way.dot(here.n);
            n = here.n;
        }
        if (here.phi <= 0)
            break;
        at += std::max(here.phi - radius, slide * radius);
    }
    return -most * n;
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
    sort(meetings);
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

bool goes_through(const TriangulatedSurface& surface, const Vec3& from, const Vec3& to)
{
    if (changes_side(surface, from, to))
        return true;
    const EdgeTopology& topology = surface.topology;
    std::vector<Meeting> meetings;
    surface.tree.visit_overlapping({from.cwiseMin(to), from.cwiseMax(to)}, [&](int facet) {
        const auto& [a, b, c] = topology.facets[facet];
        const std::vector<Vec3>& at = topology.positions;
        if (const auto m = meeting(at[a], at[b], at[c], from, to - from); m && !topology.is_left_out(facet))
            meetings.push_back(*m);
    });
    sort(meetings);
    const auto against = [](const Meeting& m) { return m.inward ? m.normal : Vec3(-m.normal); };
    const auto is_same = [&](const Meeting& a, const Meeting& b) { // the edge between two facets
        return b.share - a.share < 1e-12;
    };
    meetings.erase(std::unique(meetings.begin(), meetings.end(), is_same), meetings.end());
    for (std::size_t i = 1; i < meetings.size(); i += 2)
        if (against(meetings[i - 1]).dot(against(meetings[i])) > 0)
            return true;
    return false;
}

} // namespace stickslip
