#include "stickslip/contact/points/rim_slip.h"
#include "stickslip/contact/points/rolling_contact.h"
#include "stickslip/contact/surfaces/mesh_surface.h"
#include "stickslip/contact/surfaces/rim_share_on_triangles.h"
#include "stickslip/geometry/queries/contact_shares.h"
#include "stickslip/math/parallel_transport.h"

#include <algorithm>
#include <tuple>

namespace stickslip {

namespace {

/// A place where a circle touches, with its derivatives and the attachment that it carries on.
struct PosedPlace {
    const RimPlace* place;
    PosedPoint e; // its share by the tilt of the circle and by how sharp the minimum is
    const Attachment* kept = nullptr;
    const Attachment* beside = nullptr; // where there is none, that of the place from which it may take over
    PoseScalar share; // of all, beside the others
};

// Beside a line or a point a minimum may vanish with a maximum: there its share is that of a sharp one.
PosedPoint posed_place(const EdgeTopology& surface, const Circle& circle, const RimPlace& place)
{
    const DistanceField field{nullptr, -1, &place.feature};
    if (place.seam)
        return posed_seam(field, circle, *place.seam);
    PosedPoint e = posed_extreme(field, circle, place.at);
    const PoseScalar share = share_of_place(surface, place.feature.kind, place.number, e.axis, e.n);
    if (place.feature.kind != TriangleFeature::face)
        e.share = share * e.share;
    else
        e.share = place.is_alone ? share : share * share_beside_folds(surface, place.number, place.n, circle, e);
    return e;
}

// How far a place is from where an attachment was, whose direction is u now: by direction and normal [-]; infinite of
// another contact.
double way_between(const PosedPoint& e, const Vec3& u, const Vec3& n)
{
    return (e.u.v - u).norm() < chord_of_quarter && e.n.v.dot(n) > 0
        ? (e.u.v - u).squaredNorm() + (e.n.v - n).squaredNorm()
        : infinity;
}

// Each attachment goes on in the place that is nearest to it; of several that come to the same the nearest stays.
void carry_on(
    std::vector<PosedPlace>& places, std::span<const Attachment> kept, const Circle& before, const Circle& now)
{
    std::vector<double> taken(places.size(), infinity), beside(places.size(), infinity);
    for (const Attachment& a : kept) {
        const RollingOnFacet& at = a.rolling_on_facet();
        const Vec3 u = parallel_transport(before.direction(at.angle), before.axis, now.axis).v;
        double least = infinity;
        std::size_t nearest = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const double way = way_between(places[i].e, u, at.n);
            if (way < least) {
                least = way;
                nearest = i;
            }
            if (way < beside[i]) {
                beside[i] = way;
                places[i].beside = &a;
            }
        }
        if (least < taken[nearest]) {
            taken[nearest] = least;
            places[nearest].kept = &a;
        }
    }
}

// Places near each other share what they push; leaves out those that others leave nothing.
void share_out(std::vector<PosedPlace>& places, double tube)
{
    std::vector<TouchingOnCircle> touching;
    for (const PosedPlace& p : places)
        touching.push_back({{p.e.n.v, p.e.share.v * (tube - p.e.phi.v)}, p.e.u.v});
    if (places.size() == 1) {
        places[0].share = places[0].e.share;
        return;
    }
    CircleShares shares;
    shares.find(touching);
    const ShareSlopesOnCircle slopes = shares.slopes(touching);
    std::vector<PosedPlace> pushing;
    for (std::size_t a = 0; a < shares.pushing().size(); ++a) {
        PosedPlace& own = pushing.emplace_back(places[shares.pushing()[a]]);
        const TouchingOnCircle& at = touching[shares.pushing()[a]];
        PoseScalar part{at.push / at.depth};
        for (std::size_t b = 0; b < shares.pushing().size(); ++b) {
            const PosedPoint& e = places[shares.pushing()[b]].e;
            const PoseScalar depth = e.share * (tube + -1 * e.phi);
            part.d += slopes.by_n[a][b].transpose() * e.n.d + slopes.by_u[a][b].transpose() * e.u.d
                + slopes.by_depth(static_cast<int>(a), static_cast<int>(b)) * depth.d;
        }
        own.share = own.e.share * part;
    }
    places.swap(pushing);
}

// Gives each the number of the attachment that it carries on, or one that is free. A rim has a few points for places;
// beyond them each has further contacts.
void number_places(std::vector<RimContact>& found)
{
    std::vector<bool> taken(found.size() + 1);
    for (const RimContact& c : found)
        if (c.point >= 0) {
            taken.resize(std::max<std::size_t>(taken.size(), c.point + 1));
            taken[c.point] = true;
        }
    for (RimContact& c : found)
        if (c.point < 0) {
            c.point = static_cast<int>(std::find(taken.begin(), taken.end(), false) - taken.begin());
            taken[c.point] = true;
        }
    for (RimContact& c : found) {
        c.slot = c.point / Rim::extreme_points;
        c.point %= Rim::extreme_points;
    }
    std::sort(found.begin(), found.end(),
        [](const RimContact& a, const RimContact& b) { return std::tie(a.point, a.slot) < std::tie(b.point, b.slot); });
}

} // namespace

void MeshSurface::relax_rim(const Rim& rim, bool is_sheet, const Frame& old_frame, const Frame& frame,
    std::span<const Attachment> all_kept, int first, double mu, RimOnTriangles& search,
    std::vector<RimContact>& found) const
{
    found.clear();
    const Frame body = relative(motion_.frame, frame), old_body = relative(motion_.old_frame, old_frame);
    const Circle now = circle_at(rim, body), before = circle_at(rim, old_body);
    const Mat3 Q = body.R * old_body.R.transpose();
    search.find(*triangles_, is_sheet, now, before, all_kept);
    std::vector<PosedPlace> places;
    for (const RimPlace& place : search.places()) {
        const PosedPoint e = posed_place(triangles_->topology, now, place);
        if (e.share.v > 0)
            places.push_back({&place, e});
    }
    if (places.empty())
        return;
    const auto is_extreme = [&](const Attachment& a) { return a.point < first + Rim::extreme_points; };
    const auto even = std::partition_point(all_kept.begin(), all_kept.end(), is_extreme); // they are sorted
    carry_on(places, all_kept.first(even - all_kept.begin()), before, now);
    share_out(places, rim.tube);
    const Vec3 belt = motion_.dt * motion_.surface_velocity;
    for (const PosedPlace& p : places) {
        const PosedPoint& e = p.e;
        RimOrigin old;
        BallAtSurface<6> ball{.radius = rim.tube,
            .centre = e.E,
            .n = e.n,
            .distance = e.phi,
            .old_distance = {},
            .slip = {},
            .offset = still(Vec3::Zero()),
            .is_new = p.kept == nullptr};
        const auto take = [&](const Attachment& a, const PoseScalar& part) {
            const RollingOnFacet& at = a.rolling_on_facet();
            const Transported xi = parallel_transport(at.xi, at.n, e.n.v);
            ball.offset = part * mapped(xi.v, xi.dv_db, e.n);
        };
        if (p.kept) {
            const RollingOnFacet& at = p.kept->rolling_on_facet();
            old.u = still(before.direction(at.angle));
            old.E = still(before.centre) + before.radius * old.u;
            old.phi = {distance_of_attached(triangles_->topology, at, old.E.v)};
            take(*p.kept, {1});
        } else { // from the plane that touches the surface there
            old.u = place_before(e, before, Q);
            old.E = still(before.centre) + before.radius * old.u;
            old.phi = e.phi - dot(e.n, e.E - old.E);
            if (p.beside && old.phi.v < rim.tube)
                take(*p.beside, dot(still(p.beside->rolling_on_facet().n), e.n));
        }
        ball.old_distance = old.phi;
        ball.slip = slip_in_step(rim, e, before, old, Q, belt);
        const RelaxedBall<6> relaxed = stickslip::relax_ball(ball, mu, motion_.damping_share());
        const PoseVec Y = relaxed.Z + p.share * (relaxed.K - relaxed.P);
        RimContact& contact = found.emplace_back(
            RimContact{rolling_contact(motion_, ball, relaxed, Y, motion_.frame.to_world(body.x)), -1});
        contact.to = RollingOnFacet{p.place->facet, relaxed.offset, e.n.v, p.place->at.angle};
        contact.share = p.share.v;
        contact.damped *= p.share.v;
        contact.stiffness_scale = scale_of(p.kept);
        contact.point = p.kept ? p.kept->point - first + Rim::extreme_points * p.kept->slot : -1;
    }
    number_places(found);
}

void MeshSurface::relax_even_point(const Rim& rim, bool is_sheet, int i, const Frame& old_frame, const Frame& frame,
    std::span<const Attachment> kept, std::span<const Attachment> all_kept, double mu, BallOnTriangles& search,
    std::vector<PoseContact>& found) const
{
    const Vec3 arm = rim.radius * circle_at(rim, {Vec3::Zero(), Mat3::Identity()}).direction(even_angle(i));
    const Vec3 P = frame.to_world(arm), P_old = old_frame.to_world(arm);
    const Frame body = relative(motion_.frame, frame), old_body = relative(motion_.old_frame, old_frame);
    const Circle now = circle_at(rim, body), before = circle_at(rim, old_body);
    const Vec3 phi = rotation_vector(body.R * old_body.R.transpose());
    OnCircle circle{still(now.axis), false};
    circle.axis.d.rightCols<3>() = -skew(now.axis) * left_jacobian(phi);
    if (kept.empty())
        circle.was_behind = held_from_behind(triangles_->topology, now, before, all_kept, now.direction(even_angle(i)))
            || (!is_sheet && search.is_inside(*triangles_, motion_.old_frame.to_local(P_old)));
    relax_ball(P_old, P, rim.tube, motion_.frame.R * phi, kept, mu, &circle, search, found);
    for (PoseContact& contact : found) {
        std::get<RollingOnFacet>(contact.to).angle = even_angle(i);
        carry_by_body(contact, P, frame.x, motion_.frame, phi);
    }
}

} // namespace stickslip
