#include "stickslip/contact/relax/entry_point.h"

#include "stickslip/contact/relax/most_opposed.h"
#include "stickslip/contact/relax/relax_level_set.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

bool has_flat_faces(const LevelSet& solid)
{
    return std::holds_alternative<Box>(solid) || std::holds_alternative<std::shared_ptr<const ConvexPolyhedron>>(solid);
}

// Whether the point's surface looks at the patch.
bool looks_at(const LevelSet& solid, int patch, const Vec3& U, const PointSurface& point)
{
    constexpr double least_opposed = -0.25; // of the three faces of a cube's corner one is always more
    return most_opposed(sample_patch(solid, patch, U).n, point.n, point.two_sided, point.rim) < least_opposed;
}

// Whether the point may come in by the patch from outside.
bool meets(const LevelSet& solid, int patch, const Vec3& U, const PointSurface& point)
{
    return !point.flat || patch_count(solid) == 1 || looks_at(solid, patch, U, point);
}

// t in [0, 1] where phi of the patch falls through zero on the way from U_old (phi >= 0) to U (phi < 0).
double crossing(const LevelSet& solid, int patch, const Vec3& U_old, const Vec3& U, double phi_old, double phi)
{
    double low = 0, high = 1, t = phi_old / (phi_old - phi); // exact on a plane
    for (int i = 0; i < 100; ++i) {
        const LevelSetSample at = sample_patch(solid, patch, U_old + t * (U - U_old));
        (at.phi < 0 ? high : low) = t;
        double next = t - at.phi / at.n.dot(U - U_old);
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (std::abs(next - t) <= 1e-15 || high - low <= 1e-15)
            return next;
        t = next;
    }
    return t;
}

// What came in through a face and went out over its rim in the same step feels the face less the shorter its way inside
// was, and not at all when it only grazed the rim: what passes just beside it feels nothing.
void limit_by_way_inside(
    const LevelSet& solid, int patch, const Vec3& crossed, const Mat3& dcrossed_dU, const Vec3& U, RimWeight& rim)
{
    for (int g = 0; g < patch_count(solid); ++g) {
        const double out = g == patch ? 0 : patch_distance(solid, g, U);
        if (!(out > 0))
            continue;
        const LevelSetSample in = sample_patch(solid, g, crossed);
        const double inside = 2 * flush_distance(solid) - in.phi; // flush with the rim is inside
        if (const double weight = 1 - out / inside; weight < rim.weight) {
            const Vec3 dinside_dU = -dcrossed_dU.transpose() * in.n;
            rim = {std::max(weight, 0.0), out / (inside * inside) * dinside_dU - sample_patch(solid, g, U).n / inside};
        }
    }
}

// [m] from a patch where the point is highest between the start of its way, as foreseen, and the rim over which it
// comes in, past the last of the other patches that it is in front of. No higher than the patch, if it begins below.
double highest_at_rim(const LevelSet& solid, int patch, const Vec3& U_old, const Vec3& way)
{
    const double before = patch_distance(solid, patch, U_old);
    if (!(before < 0))
        return before;
    double share = 0; // of the way
    for (int g = 0; g < patch_count(solid); ++g) {
        const double ahead = patch_distance(solid, g, U_old);
        if (const double closing = ahead - patch_distance(solid, g, U_old + way);
            g != patch && ahead > 0 && closing > 0)
            share = std::max(share, std::min(1.0, ahead / closing));
    }
    return std::clamp(patch_distance(solid, patch, U_old + share * way), before, 0.0);
}

// The patch under which a point comes in that is level with it, from beyond its rim, or -1. It must not be on its way
// down beside the rim rather than over it. Of several patches it is the one it is least deep under. All this is settled
// by the start of the step: a choice that changed with U would be a jump of the force.
int slides_under(const LevelSet& solid, const Vec3& U_old, const PointSurface& point)
{
    int patch = -1;
    if (patch_count(solid) == 1) // has no rim to come over
        return patch;
    const double slack = flush_distance(solid); // what is flush is level, and not inside yet
    const double level = std::max(point.indentation, slack);
    double highest = -infinity;
    for (int g = 0; g < patch_count(solid); ++g) {
        const double phi =
            has_flat_faces(solid) ? highest_at_rim(solid, g, U_old, point.way) : patch_distance(solid, g, U_old);
        if (!(phi <= level && phi > highest) || -phi > std::max(level, point.half_width)
            || !looks_at(solid, g, U_old, point))
            continue;
        const Overshoot beyond = overshoot(solid, g, U_old);
        // what begins above the face and not beyond its rim crosses the face alone
        if (beyond.distance < (phi > slack ? slack : -slack))
            continue;
        if (-phi > level && looks_at(solid, beyond.neighbour, U_old, point)) // an edge
            continue;
        const Vec3 inward = -sample_patch(solid, beyond.neighbour, U_old).n;
        if (inward.dot(point.way) >= -sample_patch(solid, g, U_old).n.dot(point.way)) {
            patch = g;
            highest = phi;
        }
    }
    return patch;
}

// Whether a point is flush with a patch and with a rim of it.
bool is_on_rim(const LevelSet& solid, int patch, const Vec3& U)
{
    const double slack = flush_distance(solid);
    return std::abs(patch_distance(solid, patch, U)) <= slack && overshoot(solid, patch, U).distance <= slack;
}

// t in [0, 1] where a point on its way to U, inside all patches, is past the last; 0 and no patch where it begins
// inside.
double last_crossing(const LevelSet& solid, const Vec3& U_old, const Vec3& U, int& last)
{
    double t = 0;
    for (int h = 0; h < patch_count(solid); ++h) {
        const double phi_old = patch_distance(solid, h, U_old);
        if (!(phi_old > 0))
            continue;
        const double phi = patch_distance(solid, h, U);
        if (const double t_h = phi < 0 ? crossing(solid, h, U_old, U, phi_old, phi) : 1; t_h > t) {
            t = t_h;
            last = h;
        }
    }
    return t;
}

// Its spring is attached where it was as it came over the rim; beyond that it follows the point.
std::optional<EntryPoint> slide_under(const LevelSet& solid, int patch, const Vec3& U_old, const Vec3& U)
{
    if (!(patch_distance(solid, patch, U) < 0))
        return std::nullopt;
    EntryPoint entry{.patch = patch,
        .X = {},
        .dX_dU = Mat3::Identity(),
        .remaining = 0,
        .dremaining_dU = Vec3::Zero(),
        .rim = RimWeight{1, Vec3::Zero()}};
    Vec3 crossed = U;
    if (const Overshoot beyond = overshoot(solid, patch, U); beyond.distance > 0) {
        // one that was nearer already without a contact gets one no sooner than it comes still nearer
        const double from =
            std::min(rim_width(solid, -patch_distance(solid, patch, U_old)), overshoot(solid, patch, U_old).distance);
        if (beyond.distance >= from)
            return std::nullopt;
        entry.rim = {1 - beyond.distance / from, -sample_patch(solid, beyond.neighbour, U).n / from};
    } else {
        int last = -1;
        const double t = last_crossing(solid, U_old, U, last);
        const Vec3 way = U - U_old;
        crossed = U_old + t * way;
        Vec3 dt_dU = Vec3::Zero();
        if (last >= 0) {
            const Vec3 n = sample_patch(solid, last, crossed).n;
            dt_dU = -t / n.dot(way) * n;
        }
        entry.dX_dU = t * Mat3::Identity() + way * dt_dU.transpose();
        entry.remaining = 1 - t;
        entry.dremaining_dU = -dt_dU;
    }
    const Projection on_surface = project_to_surface(solid, patch, crossed);
    entry.X = on_surface.W;
    entry.dX_dU = on_surface.dW_dZ * entry.dX_dU;
    return entry;
}

// The patch that the whole of its body stands before, if the point begins level with it, or -1.
int level_with(const LevelSet& solid, const Vec3& U_old, const PointSurface& point)
{
    if (point.before.empty())
        return -1;
    const auto [patch, depth] = point.before.front();
    const double phi = patch_distance(solid, patch, U_old);
    return phi <= flush_distance(solid) && phi >= -depth ? patch : -1;
}

// Its attachment follows it in this step.
std::optional<EntryPoint> come_past_edge(const LevelSet& solid, const Vec3& U, const PointSurface& point)
{
    const int patch = point.before.front().patch;
    const auto weight = weight_past_edge(solid, point.before, U);
    if (!weight || !meets(solid, patch, U, point))
        return std::nullopt;
    const Projection on_surface = project_to_surface(solid, patch, U);
    return EntryPoint{.patch = patch,
        .X = on_surface.W,
        .dX_dU = on_surface.dW_dZ,
        .remaining = 0,
        .dremaining_dU = Vec3::Zero(),
        .rim = weight};
}

// Share of its force that a material point at U, whose half width h the solid is grown by, has of a face when it is
// beside the face of the solid itself, by o along it: it falls with o to nothing at h.
RimWeight share_beside_face(const LevelSet& grown, int patch, double h, const Vec3& U)
{
    constexpr double parallel = 1e-3; // the sine of an angle
    const LevelSetSample face = sample_patch(grown, patch, U);
    double o = 0;
    Vec3 out = Vec3::Zero(); // along the face, over the rim that it is farthest beyond
    for (int g = 0; g < patch_count(grown); ++g) {
        const LevelSetSample other = sample_patch(grown, g, U);
        const double cosine = face.n.dot(other.n), sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
        if (sine < parallel)
            continue;
        if (const double beyond = (other.phi + h - cosine * (face.phi + h)) / sine; beyond > o) {
            o = beyond;
            out = (other.n - cosine * face.n) / sine;
        }
    }
    if (o == 0)
        return {1, Vec3::Zero()};
    return o < h ? RimWeight{(h - o) / h, -1 / h * out} : RimWeight{0, Vec3::Zero()};
}

// Takes share_beside_face of the entry; false where nothing is left. A material point that slides over the seam of two
// flush boxes would else meet the side of the second half its width before the seam.
bool limit_beside_face(const LevelSet& solid, const Vec3& U, double half_width, EntryPoint& entry)
{
    if (!(half_width > 0) || !has_flat_faces(solid))
        return true;
    const RimWeight beside = share_beside_face(solid, entry.patch, half_width, U);
    if (!(beside.weight < 1))
        return true;
    const RimWeight rim = entry.rim.value_or(RimWeight{1, Vec3::Zero()});
    entry.rim = {rim.weight * beside.weight, beside.weight * rim.dweight_dU + rim.weight * beside.dweight_dU};
    return beside.weight > 0;
}

// Of a point without a width.
std::optional<EntryPoint> find_entry_of_point(
    const LevelSet& solid, const Vec3& U_old, const Vec3& U, const PointSurface& point)
{
    if (point.before.size() > 1)
        return come_past_edge(solid, U, point);
    const double slack = flush_distance(solid);
    const int under = slides_under(solid, U_old, point);
    if (under >= 0 && !is_on_rim(solid, under, U_old))
        return slide_under(solid, under, U_old, U);
    const int patches = patch_count(solid);
    EntryPoint entry{.patch = -1,
        .X = {},
        .dX_dU = Mat3::Zero(),
        .remaining = 1,
        .dremaining_dU = Vec3::Zero(),
        .rim = std::nullopt};
    double t = -1, indentation = 0;
    const int before = under >= 0 ? under : level_with(solid, U_old, point); // it comes in by that one or not at all
    for (int f = 0; f < patches; ++f) {
        const double phi = patch_distance(solid, f, U);
        if (phi >= 0 || (before >= 0 && f != before))
            continue;
        const double phi_old = patch_distance(solid, f, U_old);
        if (phi_old < -slack || !meets(solid, f, U, point))
            continue;
        const double t_f = phi_old > 0 && f != before ? crossing(solid, f, U_old, U, phi_old, phi) : 0;
        // a point that began in a rim comes in by the face it sinks into, not by one it slides along
        if (t_f > t || (t_f == t && phi_old - phi > indentation)) {
            t = t_f;
            indentation = phi_old - phi;
            entry.patch = f;
        }
    }
    if (entry.patch < 0) {
        const bool began_inside =
            before >= 0 ? overshoot(solid, before, U_old).distance <= slack : signed_distance(solid, U_old) <= 0;
        if (!began_inside || (before >= 0 ? patch_distance(solid, before, U) : signed_distance(solid, U)) >= 0)
            return std::nullopt;
        entry.patch = before >= 0 ? before : nearest_patch(solid, U_old);
        if (!meets(solid, entry.patch, U_old, point))
            return std::nullopt;
        entry.X = project_to_surface(solid, entry.patch, U_old).W;
        return entry;
    }
    const Vec3 way = U - U_old;
    const Vec3 crossed = U_old + t * way;
    // What crosses the patch beyond its rim passes by.
    if (patches > 1 && overshoot(solid, entry.patch, crossed).distance > slack)
        return std::nullopt;
    const Vec3 n = sample_patch(solid, entry.patch, crossed).n;
    const Vec3 dt_dU = t > 0 ? Vec3(-t / n.dot(way) * n) : Vec3::Zero(); // t = 0: it began on the surface
    const Projection on_surface =
        project_to_surface(solid, entry.patch, crossed); // takes the root's last round-off away
    entry.X = on_surface.W;
    entry.dX_dU = t * Mat3::Identity() + way * dt_dU.transpose();
    entry.remaining = 1 - t;
    entry.dremaining_dU = -dt_dU;
    if (t == 0)
        return entry;
    RimWeight rim = rim_weight(solid, entry.patch, U);
    if (rim.weight < 1)
        limit_by_way_inside(solid, entry.patch, crossed, entry.dX_dU, U, rim);
    if (!(rim.weight > 0))
        return std::nullopt;
    entry.rim = rim;
    return entry;
}

} // namespace

double entry_reach(const LevelSet& solid, double indentation, double half_width)
{
    return rim_width(solid, std::max(indentation, half_width));
}

std::optional<EntryPoint> find_entry(const LevelSet& solid, const Vec3& U_old, const Vec3& U, const PointSurface& point)
{
    auto entry = find_entry_of_point(solid, U_old, U, point);
    return entry && limit_beside_face(solid, U, point.half_width, *entry) ? entry : std::nullopt;
}

} // namespace stickslip
