#include "stickslip/contact/meshes/patch_entry.h"

#include "stickslip/contact/meshes/mesh_foot.h"
#include "stickslip/contact/relax/entry_point.h"
#include "stickslip/contact/relax/most_opposed.h"
#include "stickslip/geometry/queries/moving_triangle.h"
#include "stickslip/geometry/queries/point_triangle.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace stickslip {

namespace {

constexpr double stray_reach = 0.25; // [-] of an edge: how far a point may stray from its predicted way
constexpr double opposed = -0.3; // [-] cosine between a point's normal and that of what it may rest on
constexpr double face_to_face = -0.25; // [-] the same of what goes through it on its way
constexpr double beside_edge = 1e-9; // [-] weight
constexpr double slide_slope =
    0.1; // [-] of its way that what slides along a face may go into it; what tumbles is faster

/// What is best of a patch so far: a crossing is better than none, an earlier one better than a later.
struct FoundFacet {
    int patch, facet;
    double time, distance; // time: 2 where the way does not cross
    bool is_slid_under = false; // by what comes to another facet
    bool is_left = false; // for one that is slid under
    bool operator<(const FoundFacet& o) const { return time != o.time ? time < o.time : distance < o.distance; }
};

// The least cosine between a facet's normal N and where the point's surface looks: of a sheet to either side, and out
// over its rim. 0 of a point that looks nowhere.
double facing(const PointWay& way, const Vec3& N)
{
    return way.two_sided ? most_opposed(N, way.outward, true, way.rim) : way.n.dot(N);
}

bool may_look_anywhere(const PointWay& way)
{
    return way.n.isZero(0) && !way.two_sided;
}

// Two surfaces meet face to face: what lies within a face, or along a fold of a sheet, does not come in by a facet at
// right angles to it, whose rim passes it by.
bool may_look_against(const PointWay& way, double cosine)
{
    if (may_look_anywhere(way))
        return true;
    return cosine <= face_to_face
        || (way.turn > 0 && std::acos(std::min(1.0, cosine)) + way.turn >= std::acos(face_to_face));
}

double flush_with(const PatchSurface& surface)
{
    return flush_on_mesh * surface.patches().edge_length;
}

/// Whether a point that begins flush with a facet of a sheet belongs to its other side, at which its own surface looks:
/// it comes up a little and does not come in from below.
bool is_of_other_side(const PatchSurface& surface, const PointWay& way, double height, double against)
{
    return way.sheet && against > 0 && std::abs(height) <= flush_with(surface);
}

std::optional<FoundFacet> look_at(const PatchSurface& surface, int facet, const PointWay& way, double behind)
{
    const PatchView s = surface.view_at_start();
    const Triangle& t = s.patches->facets[facet];
    const std::array<Vec3, 3> x = {s.corner(facet, 0), s.corner(facet, 1), s.corner(facet, 2)};
    const Vec3 N = (x[1] - x[0]).cross(x[2] - x[0]).normalized();
    const double against = facing(way, N);
    if (!may_look_against(way, against) || is_of_other_side(surface, way, N.dot(way.Z_old - x[0]), against))
        return std::nullopt;
    const std::vector<Vec3>& to = surface.predicted();
    const int patch = s.patches->patch[facet];
    if (const auto time = first_crossing({way.Z_old, way.Z_next, x, {to[t[0]], to[t[1]], to[t[2]]}}))
        return FoundFacet{patch, facet, *time, 0};
    if (against > (may_look_anywhere(way) ? 0 : opposed))
        return std::nullopt;
    const Vec3 from = way.Z_old - closest_point_on_triangle(way.Z_old, x[0], x[1], x[2]).point;
    if (from.dot(N) < -behind)
        return std::nullopt;
    return FoundFacet{patch, facet, 2, from.norm()};
}

/// Where the point's way goes through a facet, or where on it the point is nearest at its start.
struct FacetCrossing {
    Vec3 at_start; // [m] the place on the facet, where it was at the start of the step
    Vec3 way; // [m] of the point, against that place
};

FacetCrossing crossing_of(const PatchSurface& surface, const PointWay& way, const FoundFacet& found)
{
    const PatchView s = surface.view_at_start();
    const Triangle& t = s.patches->facets[found.facet];
    const double time = found.time <= 1 ? found.time : 0;
    std::array<Vec3, 3> old, now;
    for (int i = 0; i < 3; ++i) {
        old[i] = s.corner(found.facet, i);
        now[i] = old[i] + time * (surface.predicted()[t[i]] - old[i]);
    }
    const Vec3 Z = way.Z_old + time * (way.Z_next - way.Z_old);
    const Vec3 w = closest_point_on_triangle(Z, now[0], now[1], now[2]).weights;
    Vec3 at_start = Vec3::Zero(), moved = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
        at_start += w[i] * old[i];
        moved += w[i] * (surface.predicted()[t[i]] - old[i]);
    }
    return {at_start, way.Z_next - way.Z_old - moved};
}

Vec3 facet_normal(const PatchSurface& surface, int facet)
{
    const PatchView s = surface.view_at_start();
    const Vec3 a = s.corner(facet, 0);
    return (s.corner(facet, 1) - a).cross(s.corner(facet, 2) - a).normalized();
}

/// [m] How deep under a face, or how high above it, what begins is level with it. What slides along it may be as deep
/// as it is pressed; what tumbles is deep in an impact.
double level_depth(const PatchSurface& surface, const PointWay& way, bool slides = false)
{
    const double most = std::max(level_limit * surface.patches().edge_length, slides ? way.pressed : 0);
    return std::clamp(way.indentation, flush_with(surface), most);
}

/// Whether what comes to one facet, or is behind it, is level with the face of another.
bool is_level(const PatchSurface& surface, const PointWay& way, const FoundFacet& found, const FoundFacet& other)
{
    if (found.patch == other.patch)
        return false;
    const Vec3 N = facet_normal(surface, found.facet), N_other = facet_normal(surface, other.facet);
    const PatchView s = surface.view_at_start();
    const double height = s.height_at_start(found.facet, way.Z_old);
    const double level = s.height_at_start(other.facet, way.Z_old);
    const Vec3& outward = way.n.isZero(0) ? way.outward : way.n;
    const FacetCrossing crossing = crossing_of(surface, way, found);
    const double in = N.dot(crossing.way), beside = N_other.dot(crossing.way);
    const double edge = surface.patches().edge_length;
    const double deep = level_depth(surface, way, std::abs(beside) < slide_slope * std::abs(in));
    const double by_width = outward.dot(N) <= opposed ? 0 : way.half_width; // edges look at both
    const double most = std::max(deep, by_width);
    const bool looks_at_other = most_opposed(N_other, outward, way.two_sided, way.rim) <= opposed;
    if (!looks_at_other || (found.time > 1 && level > most))
        return false;
    const Vec3 middle = (s.corner(other.facet, 0) + s.corner(other.facet, 1) + s.corner(other.facet, 2)) / 3;
    if (s.height_at_start(found.facet, middle) >= 0) // the edge between them is concave
        return false;
    // what begins level with it may be held by it before it gets deeper
    if (surface.nearest_on(other.patch, crossing.at_start, edge).distance > (std::abs(level) <= deep ? edge : most))
        return false;
    // Behind both it has come in by the one that it is less behind, or springs have let it sink under either.
    if (found.time > 1 && height < 0 && level < 0)
        return std::min(height, level) < -deep ? height < level : in < beside;
    return in < beside || (in == beside && other.patch < found.patch);
}

/// What comes to a facet comes in by the faces that it is level with instead.
void slide_under(const PatchSurface& surface, const PointWay& way, std::vector<FoundFacet>& found)
{
    if (found.size() < 2)
        return;
    for (FoundFacet& f : found)
        for (FoundFacet& other : found)
            if (!other.is_left && is_level(surface, way, f, other))
                f.is_left = other.is_slid_under = true;
    std::erase_if(found, [](const FoundFacet& f) { return f.is_left; });
}

/// Whether what has sunk in elsewhere is level with a facet, and goes along it rather than in. What is on the same body
/// bends with it, and may turn onto the facet.
bool slides_along(const PatchSurface& surface, const PointWay& way, const FoundFacet& found, double gap)
{
    if (way.own[0] >= 0)
        return true;
    if (!(way.indentation > 0) || gap > level_depth(surface, way))
        return false;
    const Vec3 w = crossing_of(surface, way, found).way, N = facet_normal(surface, found.facet);
    return std::abs(N.dot(w)) < (w - N.dot(w) * N).norm();
}

/// Whether a place has its foot on a patch beyond a side where the surface turns away.
bool is_past_convex_edge(const PatchView& s, const Vec3& Z, int facet)
{
    const MeshFoot foot = find_foot(s, Z, facet);
    for (int i = 0; i < 3 && foot.facet >= 0; ++i)
        if (const int side = (i + 1) % 3; foot.w[i] < -beside_edge && s.patches->across[foot.facet][side] < 0)
            if (s.patches->is_convex(foot.facet, side))
                return true;
    return false;
}

/// Whether a point behind the patch, which does not cross it on its way, stays past a convex edge of it: it is outside,
/// or below another patch. What is flush with the patch may yet get onto it. Of a solid that keeps its shape only
/// the end of the way counts.
bool passes_by(const PatchSurface& surface, const PointWay& way, const PatchEntry& entry)
{
    if (way.is_solid)
        return is_past_convex_edge(surface.view_at_start(), way.Z_next, entry.facet);
    return entry.old_depth > flush_with(surface) && is_past_convex_edge(surface.view_at_start(), way.Z_old, entry.facet)
        && is_past_convex_edge(surface.predicted_view(), way.Z_next, entry.facet);
}

/// Whether a point behind the patch, which does not cross it on its way, is nearer to another part of the surface,
/// which it is `behind` [m]: it has come in there, or is outside, past a convex edge. What is flush with the patch may
/// yet get onto it.
bool belongs_to_another(const PatchSurface& surface, const PatchEntry& entry, double behind)
{
    return entry.old_depth > std::max(flush_with(surface), 2 * behind);
}

/// [m] How far a point is behind the surface, negative in front of it.
double depth_behind(const PatchSurface& surface, const PointWay& way)
{
    return -surface.nearest(way.Z_old, surface.patches().edge_length).distance;
}

/// [m] The least that a point is behind one of the patches, 0 where it goes through one.
double least_depth(const std::vector<PatchEntry>& entries)
{
    double least = infinity;
    for (const PatchEntry& entry : entries)
        if (entry.is_crossed || entry.old_depth > 0)
            least = std::min(least, entry.old_depth);
    return least;
}

/// Whether a point that does not cross the patch on its way may have come in by it. Its normal tells which faces it may
/// come to. One without a normal may come to any, and is behind the nearest alone, or the one that it slides in under;
/// that of a sheet, which looks to both sides, behind the nearest of those that it looks at, the `least` deep.
bool comes_by(
    const PatchSurface& surface, const PointWay& way, const PatchEntry& entry, bool is_slid_under, double least)
{
    if (!way.is_solid && (is_slid_under || !way.n.isZero(0)))
        return true;
    const bool is_of_sheet = way.two_sided && !way.is_solid;
    return !belongs_to_another(surface, entry, is_of_sheet ? least : depth_behind(surface, way));
}

/// What goes through a sheet is met by the side that it went through first: below a ridge it may come out again.
void keep_first_side(const SheetSides& sheet, std::vector<FoundFacet>& found)
{
    const auto first = std::min_element(found.begin(), found.end());
    if (first == found.end() || first->time > 1)
        return;
    const int crossed = first->facet;
    std::erase_if(found, [&](const FoundFacet& f) { return sheet.are_opposite(crossed, f.facet); });
}

} // namespace

PatchEntry entry_at(const PatchSurface& surface, const Vec3& Z_old, int facet)
{
    const PatchView s = surface.view_at_start();
    const int patch = s.patches->patch[facet];
    double depth = 0;
    if (const MeshFoot foot = find_foot(s, Z_old, facet); foot.facet >= 0)
        depth = (Z_old - s.at(foot.facet, foot.w)).norm() * (foot.d > 0 ? 1 : -1);
    else {
        const Vec3 a = s.corner(facet, 0), N = (s.corner(facet, 1) - a).cross(s.corner(facet, 2) - a).normalized();
        depth = std::min(0.0, N.dot(a - Z_old));
    }
    return {patch, facet, std::max(0.0, -depth), std::max(0.0, depth)};
}

double entry_reach(const PatchSurface& surface, double stray)
{
    return stray_reach * surface.patches().edge_length + stray;
}

void find_entries(const PatchSurface& surface, const PointWay& way, std::vector<PatchEntry>& entries)
{
    const SmoothPatches& patches = surface.patches();
    const bool is_own = way.own[0] >= 0;
    const double usual = is_own ? flush_with(surface) : surface.entry_depth();
    const double behind = way.behind.value_or(usual);
    Bounds box;
    box.add(way.Z_old);
    box.add(way.Z_next);
    const Vec3 margin = Vec3::Constant(entry_reach(surface, way.stray));
    std::vector<FoundFacet> found;
    surface.visit_ways({box.min - margin, box.max + margin}, [&](int facet) {
        const Triangle& t = patches.facets[facet];
        if (way.held >= 0 && way.sheet->are_opposite(way.held, facet))
            return;
        if (is_own && std::find_first_of(t.begin(), t.end(), way.own.begin(), way.own.end()) != t.end())
            return;
        const auto here = look_at(surface, facet, way, behind);
        if (!here)
            return;
        const auto known =
            std::find_if(found.begin(), found.end(), [&](const FoundFacet& f) { return f.patch == here->patch; });
        if (known == found.end())
            found.push_back(*here);
        else if (*here < *known || (!(*known < *here) && here->facet < known->facet))
            *known = *here;
    });
    entries.clear();
    if (way.sheet)
        keep_first_side(*way.sheet, found);
    slide_under(surface, way, found);
    for (const FoundFacet& f : found) {
        PatchEntry entry = entry_at(surface, way.Z_old, f.facet);
        entry.is_crossed = f.time <= 1;
        entry.slides_along = slides_along(surface, way, f, entry.gap);
        if (entry.old_depth <= behind && (entry.is_crossed || !passes_by(surface, way, entry)))
            entries.push_back(entry);
    }
    const double least = least_depth(entries);
    const auto is_slid_under = [&](int patch) {
        return std::any_of(
            found.begin(), found.end(), [&](const FoundFacet& f) { return f.patch == patch && f.is_slid_under; });
    };
    std::erase_if(entries, [&](const PatchEntry& entry) {
        return !entry.is_crossed && !comes_by(surface, way, entry, is_slid_under(entry.patch), least);
    });
    std::sort(
        entries.begin(), entries.end(), [](const PatchEntry& a, const PatchEntry& b) { return a.patch < b.patch; });
}

} // namespace stickslip
