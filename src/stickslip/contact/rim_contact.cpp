#include "stickslip/contact/damped_depth.h"
#include "stickslip/contact/entry_point.h"
#include "stickslip/contact/level_set_surface.h"
#include "stickslip/contact/posed_circle.h"
#include "stickslip/contact/relax_plane.h"
#include "stickslip/contact/turned.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stickslip {

namespace {

// The same place on the circle at the start of the step: u turned by the smallest rotation from the circle's axis to
// the one it had, so that a spin about the axis does not count.
PoseVec place_before(const PosedPoint& e, const Circle& before, const Mat3& Q)
{
    const PoseVec axis = still(before.axis);
    const PoseScalar cosine = dot(axis, e.axis), c{1 + cosine.v, cosine.d};
    if (c.v < 1e-9) // turned over within the step: no smallest rotation
        return still(Q.transpose() * e.u.v);
    return e.u - (dot(axis, e.u) / c) * (axis + e.axis);
}

// Where a contact was at the start of the step, in the surface's frame.
struct Origin {
    PoseVec u, E; // E without what a belt carries
    PoseScalar phi;
    Vec3 n; // unit
};

Origin origin_at(const DistanceField& field, const Circle& before, const PoseVec& u)
{
    Origin origin;
    origin.u = u;
    origin.E = still(before.centre) + before.radius * u;
    const LevelSetSample at = field.at(origin.E.v);
    origin.phi = mapped(at.phi, at.n, origin.E);
    origin.n = at.n.normalized();
    return origin;
}

// Rotation vector of Q [rad] by the pose.
PoseVec posed_turn(const Mat3& Q)
{
    const Eigen::AngleAxisd turn(Q);
    PoseVec phi = still(turn.angle() * turn.axis());
    phi.d.rightCols<3>() = left_jacobian(phi.v).inverse();
    return phi;
}

// How far the material at the extreme point slips in the step [m], tangentially: the extreme point's way, less that
// along the rim, less that of a tube which rolls off.
PoseVec slip_in_step(
    const Rim& rim, const PosedPoint& e, const Circle& before, const Origin& old, const Mat3& Q, const Vec3& belt)
{
    PoseVec carried = carried_direction(Q * old.u.v);
    carried.d += Q * old.u.d;
    const PoseScalar angle = atan2(dot(e.axis, cross(carried, e.u)), dot(carried, e.u));
    // The tangent turns from t_old to t; its mean is shorter than they are by the chord's share.
    const PoseVec t_old = cross(still(before.axis), old.u), t = cross(e.axis, e.u);
    const PoseScalar straight = dot(t_old, t);
    const PoseScalar chord{1 + (1 - straight.v) / 6, -straight.d / 6};
    const PoseVec along = (0.5 * rim.radius) * (angle * (chord * (t_old + t)));
    PoseVec s = e.E - old.E - still(belt) - along;
    if (rim.tube > 0)
        s = s - rim.tube * cross(posed_turn(Q), e.n);
    return s - dot(e.n, s) * e.n;
}

// For each minimum the attachment that it carries on, or -1: each attachment on this patch runs down from its place on
// the circle to the minimum it belongs to; of several that come to the same the nearest stays.
using Carried = std::array<int, ExtremePoints::capacity>;
Carried carry_on(const ExtremePoints& minima, const DistanceField& field, const Circle& before, const Circle& now,
    std::span<const Attachment> kept)
{
    Carried carried;
    std::array<double, ExtremePoints::capacity> distance;
    carried.fill(-1);
    distance.fill(infinity);
    for (std::size_t k = 0; k < kept.size(); ++k) {
        if (kept[k].patch != field.patch)
            continue;
        const Vec3 u = turn(before.direction(kept[k].angle), before.axis, now.axis).v;
        const int reached = run_down(minima, field, now, now.angle(u));
        if (reached < 0)
            continue;
        const double way = (minima.points[reached].u - u).norm();
        if (way < distance[reached]) {
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

bool LevelSetSurface::may_touch(const Rim& rim, const Frame& frame) const
{
    return signed_distance(*solid_, motion_.frame.to_local(frame.x)) < 1.1 * rim.radius + rim.tube;
}

void LevelSetSurface::relax_rim(const Rim& rim, const Frame& old_frame, const Frame& frame,
    std::span<const Attachment> kept, int first, double mu, std::vector<RimContact>& found) const
{
    found.clear();
    const LevelSet& solid = *solid_;
    const Frame body = relative(motion_.frame, frame), old_body = relative(motion_.old_frame, old_frame);
    const Circle now = circle_at(rim, body), before = circle_at(rim, old_body);
    const bool sharp = rim.tube == 0;
    for (int patch = sharp ? 0 : -1; patch < (sharp ? patch_count(solid) : 0); ++patch) {
        const DistanceField field{&solid, patch};
        if (!(field.distance(now.centre) < 1.1 * rim.radius + rim.tube)) // no point of it can touch
            continue;
        const ExtremePoints minima = find_extreme_points(field, now);
        const Carried carried = carry_on(minima, field, before, now, kept);
        for (int i = 0; i < minima.count; ++i) {
            const ExtremePoint& at = minima.points[i];
            if (!(at.phi < rim.tube) || !(extreme_share(at.sharpness).share > 0))
                continue;
            if (sharp && !(rim_weight(solid, patch, at.E).weight > 0))
                continue;
            const Attachment* attachment = carried[i] < 0 ? nullptr : &kept[carried[i]];
            if (const auto contact = relax_extreme(rim, field, at, old_body, body, attachment, mu)) {
                found.push_back(*contact);
                found.back().place = frame.x;
                found.back().point = attachment ? attachment->point - first : -1;
            }
        }
    }
    number_new(found);
}

std::optional<RimContact> LevelSetSurface::relax_extreme(const Rim& rim, const DistanceField& field,
    const ExtremePoint& at, const Frame& old_body, const Frame& body, const Attachment* kept, double mu) const
{
    const LevelSet& solid = *solid_;
    const Circle now = circle_at(rim, body), before = circle_at(rim, old_body);
    const Mat3 Q = body.R * old_body.R.transpose();
    const double r = rim.tube;
    const PosedPoint e = posed_extreme(field, now, at);
    const Origin old =
        origin_at(field, before, kept ? still(before.direction(kept->angle)) : place_before(e, before, Q));
    PoseScalar weight = e.share;
    if (r == 0) {
        if (!kept) { // each place on the rim comes in by one patch, as a point does
            const auto entry = find_entry(solid, old.E.v, at.E);
            if (!entry || entry->patch != field.patch)
                return std::nullopt;
        }
        const RimWeight inside = rim_weight(solid, field.patch, at.E);
        weight = weight * mapped(inside.weight, inside.dweight_dU, e.E);
    }
    const PoseVec Z = e.E - r * e.n, W = e.E - e.phi * e.n;

    const PoseScalar d{e.phi.v - r, e.phi.d}, d_old{old.phi.v - r, old.phi.d};
    const Vec3 belt = motion_.dt * motion_.surface_velocity;
    PoseVec s = slip_in_step(rim, e, before, old, Q, belt);
    double after_touch = 1;
    if (!kept && d_old.v > 0) { // a first contact counts only what it slips after the touch
        const PoseScalar share = d / (d - d_old);
        after_touch = share.v;
        s = share * s;
    }
    // where it would be if the spring alone gave the force of spring and damper
    PoseVec P = Z;
    if (motion_.damping > 0) {
        const double damping = motion_.damping / motion_.dt;
        const DampedDepth depth = damped_depth(d.v, d_old.v, damping);
        PoseScalar phi{depth.phi, depth.dphi * d.d};
        if (depth.phi < 0 && d_old.v < 0)
            phi.d -= damping * d_old.d;
        P = W + phi * e.n;
    }
    const Turned xi = kept ? turn(kept->X, old.n, e.n.v) : Turned{Vec3::Zero(), Mat3::Zero()};
    const PoseVec offset = mapped(xi.v, xi.dv_db, e.n) + s, X = W - offset;
    const PlaneRelaxation relaxed = relax_plane(P.v, X.v, W.v, e.n.v, mu);
    const PoseVec K{relaxed.K, relaxed.dK_dZ * P.d + relaxed.dK_dX * X.d + relaxed.dK_dW * W.d};
    const PoseVec Y = Z + weight * (K - P);

    const Frame& to = motion_.frame;
    const auto to_world = [&](const Mat3& D) { return Mat3(to.R * D * to.R.transpose()); };
    RimContact contact;
    contact.Y = to.to_world(Y.v);
    contact.dY_dZ = Mat3::Zero(); // Z is no unknown here: see dY_dplace
    contact.sticks = relaxed.sticks;
    contact.patch = field.patch;
    contact.X = relaxed.sticks ? offset.v : Vec3(W.v - relaxed.K);
    contact.angle = at.angle;
    contact.slip = to.R * (relaxed.K - X.v);
    const Vec3 tangential_belt = belt - e.n.v.dot(belt) * e.n.v;
    contact.carried =
        to.to_world(relaxed.K) - motion_.old_frame.to_world(relaxed.K) + to.R * (after_touch * tangential_belt);
    contact.depth = -weight.v * d.v;
    contact.n = to.R * e.n.v;
    contact.damped = weight.v * (to.R * (Z.v - P.v));
    contact.Z = to.to_world(Z.v);
    contact.dZ_dplace = to_world(Z.by_position());
    contact.dY_dplace = to_world(Y.by_position());
    contact.dZ_dturn = to_world(Z.by_turn());
    contact.dY_dturn = to_world(Y.by_turn());
    contact.point = -1;
    return contact;
}

} // namespace stickslip
