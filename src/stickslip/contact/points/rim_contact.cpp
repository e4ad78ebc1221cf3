#include "stickslip/contact/points/minimum_share.h"
#include "stickslip/contact/points/posed_circle.h"
#include "stickslip/contact/points/rim_slip.h"
#include "stickslip/contact/points/rolling_contact.h"
#include "stickslip/contact/relax/entry_point.h"
#include "stickslip/contact/surfaces/level_set_surface.h"
#include "stickslip/math/parallel_transport.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stickslip {

namespace {

RimOrigin origin_at(const DistanceField& field, const Circle& before, const PoseVec& u)
{
    RimOrigin origin;
    origin.u = u;
    origin.E = still(before.centre) + before.radius * u;
    const LevelSetSample at = field.at(origin.E.v);
    origin.phi = mapped(at.phi, at.n, origin.E);
    origin.n = at.n.normalized();
    return origin;
}

// What the seam points beside leave to a minimum.
PoseScalar left_by(
    const SeamPoints& seams, const DistanceField& field, const Circle& circle, const PosedPoint& minimum, double angle)
{
    PoseScalar share = minimum.share;
    for (const SeamPoint* seam : seams.beside(angle))
        if (seam && seam->share > 0) {
            const PoseScalar taken = posed_seam(field, circle, *seam).share;
            share = share * PoseScalar{1 - taken.v, -taken.d};
        }
    return share;
}

// For each minimum the attachment that it carries on, or -1: each attachment of a minimum on this patch runs down from
// its place on the circle to the minimum it belongs to, past those that do not touch; of several that come to the same
// the nearest stays. Farther than a quarter of a turn away another place of the rim has come down, and the contact is a
// new one.
using Carried = std::array<int, ExtremePoints::capacity>;
Carried carry_on(const ExtremePoints& minima, const DistanceField& field, const Circle& before, const Circle& now,
    std::span<const Attachment> kept)
{
    ExtremePoints touching;
    std::array<int, ExtremePoints::capacity> which;
    for (int i = 0; i < minima.count; ++i)
        if (minima.points[i].phi < now.tube) {
            which[touching.count] = i;
            touching.points[touching.count++] = minima.points[i];
        }
    Carried carried;
    std::array<double, ExtremePoints::capacity> distance;
    carried.fill(-1);
    distance.fill(infinity);
    for (std::size_t k = 0; k < kept.size(); ++k) {
        const RollingOnSolid& at = kept[k].rolling_on_solid();
        if (at.patch != field.patch || kept[k].slot != 0)
            continue;
        const Vec3 u = parallel_transport(before.direction(at.angle), before.axis, now.axis).v;
        const int next = run_down(touching, field, now, now.angle(u));
        if (next < 0)
            continue;
        const int reached = which[next];
        const double way = (minima.points[reached].u - u).norm();
        if (way < std::min(distance[reached], chord_of_quarter)) {
            distance[reached] = way;
            carried[reached] = static_cast<int>(k);
        }
    }
    return carried;
}

// Gives those without a point (-1) one that is free; the deepest, where there are more.
void number_new(std::vector<RimContact>& found)
{
    std::array<bool, Rim::extreme_points> taken{};
    int free = Rim::extreme_points;
    for (const RimContact& c : found)
        if (c.point >= 0) {
            taken[c.point] = true;
            --free;
        }
    while (std::count_if(found.begin(), found.end(), [](const RimContact& c) { return c.point < 0; }) > free)
        found.erase(std::min_element(found.begin(), found.end(), [](const RimContact& a, const RimContact& b) {
            return (a.point < 0 ? a.depth : infinity) < (b.point < 0 ? b.depth : infinity);
        }));
    int next = 0;
    for (RimContact& c : found)
        if (c.point < 0) {
            while (taken[next])
                ++next;
            c.point = next++;
        }
    std::sort(found.begin(), found.end(), [](const RimContact& a, const RimContact& b) { return a.point < b.point; });
}

} // namespace

// On a rim the surface looks between its axis, away from the body, and its radius.
PointSurface LevelSetSurface::surface_of_rim(const Rim& rim, const RimStart& began, const Vec3& u)
{
    const double out = rim.lies_flat ? std::copysign(1, rim.axis.dot(rim.centre)) : 0;
    return {(u + out * (began.frame.R * rim.axis)).normalized(), false, began.indentation, began.way, began.before};
}

bool LevelSetSurface::may_touch(const Rim& rim, const Frame& frame) const
{
    return signed_distance(*solid_, motion_.frame.to_local(frame.x)) < 1.1 * rim.radius + rim.tube;
}

void LevelSetSurface::relax_rim(const Rim& rim, const RimStart& began, const Frame& frame,
    std::span<const Attachment> kept, int first, double mu, std::vector<RimContact>& found) const
{
    found.clear();
    const LevelSet& solid = *solid_;
    const Frame body = relative(motion_.frame, frame), old_body = relative(motion_.old_frame, began.frame);
    const Circle now = circle_at(rim, body), before = circle_at(rim, old_body);
    const bool sharp = rim.tube == 0;
    for (int patch = sharp ? 0 : -1; patch < (sharp ? patch_count(solid) : 0); ++patch) {
        const DistanceField field{&solid, patch};
        if (!(field.distance(now.centre) < 1.1 * rim.radius + rim.tube)) // no point of it can touch
            continue;
        const auto add = [&](const PosedPoint& at, const Attachment* attachment, double angle, int slot) {
            if (const auto contact = relax_extreme(rim, field, at, angle, began, old_body, body, attachment, mu)) {
                found.push_back(*contact);
                found.back().point = attachment ? attachment->point - first : -1;
                found.back().slot = slot;
            }
        };
        const auto carries = [&](double phi, double share, const Vec3& E) {
            return phi < rim.tube && share > 0 && (!sharp || rim_weight(solid, patch, E).weight > 0);
        };
        const ExtremePoints minima = find_extreme_points(field, now);
        const SeamPoints seams = find_seam_points(field, now);
        const Carried carried = carry_on(minima, field, before, now, kept);
        const bool curved = field.is_curved_all_over();
        for (int i = 0; i < minima.count; ++i) {
            const ExtremePoint& at = minima.points[i];
            if (!carries(at.phi, curved ? 1 : extreme_share(at.sharpness).share, at.E))
                continue;
            PosedPoint e = posed_extreme(field, now, at);
            e.share = curved ? share_of_extremes(field, now) : left_by(seams, field, now, e, at.angle);
            if (curved || !sharp) // a patch is smooth: its minima vanish where they are even
                e.share = e.share * share_beside_others(field, now, minima, i, rim.tube);
            if (e.share.v > 0)
                add(e, carried[i] < 0 ? nullptr : &kept[carried[i]], at.angle, 0);
        }
        for (const SeamPoint& seam : seams) {
            if (!carries(seam.phi, seam.share, seam.E))
                continue;
            const auto same = std::find_if(kept.begin(), kept.end(),
                [&](const Attachment& a) { return a.rolling_on_solid().patch == field.patch && a.slot == seam.slot; });
            add(posed_seam(field, now, seam), same == kept.end() ? nullptr : &*same, seam.angle, seam.slot);
        }
    }
    number_new(found);
}

std::optional<RimContact> LevelSetSurface::relax_extreme(const Rim& rim, const DistanceField& field,
    const PosedPoint& e, double angle, const RimStart& began, const Frame& old_body, const Frame& body,
    const Attachment* kept, double mu) const
{
    const LevelSet& solid = *solid_;
    const Circle before = circle_at(rim, old_body);
    const Mat3 Q = body.R * old_body.R.transpose();
    const double r = rim.tube;
    const RimOrigin old = origin_at(
        field, before, kept ? still(before.direction(kept->rolling_on_solid().angle)) : place_before(e, before, Q));
    PoseScalar weight = e.share;
    bool passes = false;
    if (r == 0) {
        RimWeight inside = rim_weight(solid, field.patch, e.E.v);
        if (!kept) { // each place on the rim comes in by one patch, as a point does
            const PointSurface own = surface_of_rim(rim, began, motion_.old_frame.R * old.u.v);
            const auto entry = find_entry(solid, old.E.v, e.E.v, own.seen_from(motion_.old_frame.R));
            if (!entry || entry->patch != field.patch)
                return std::nullopt;
            if (entry->rim) {
                passes = entry->rim->weight < (1 - 1e-6) * inside.weight;
                inside = *entry->rim;
            }
        }
        weight = weight * mapped(inside.weight, inside.dweight_dU, e.E);
    }
    const Vec3 belt = motion_.dt * motion_.surface_velocity;
    const Transported xi =
        kept ? parallel_transport(kept->rolling_on_solid().xi, old.n, e.n.v) : Transported{Vec3::Zero(), Mat3::Zero()};
    const BallAtSurface<6> ball{.radius = r,
        .centre = e.E,
        .n = e.n,
        .distance = e.phi,
        .old_distance = old.phi,
        .slip = slip_in_step(rim, e, before, old, Q, belt),
        .offset = mapped(xi.v, xi.dv_db, e.n),
        .is_new = kept == nullptr};
    const RelaxedBall<6> relaxed = relax_ball(ball, mu, motion_.damping_share());
    const PoseVec Y = relaxed.Z + weight * (relaxed.K - relaxed.P);
    RimContact contact{rolling_contact(motion_, ball, relaxed, Y, motion_.frame.to_world(body.x)), -1};
    contact.to = RollingOnSolid{field.patch, relaxed.offset, angle};
    contact.depth *= weight.v;
    contact.damped *= weight.v;
    contact.stiffness_scale = scale_of(kept);
    contact.passes = passes;
    return contact;
}

} // namespace stickslip
