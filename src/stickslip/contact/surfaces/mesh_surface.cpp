#include "stickslip/contact/surfaces/mesh_surface.h"

#include "stickslip/contact/points/rolling_contact.h"
#include "stickslip/contact/surfaces/rim_share_on_triangles.h"
#include "stickslip/math/parallel_transport.h"

#include <algorithm>

namespace stickslip {

namespace {

/// Share of place `index`, by the displacement of the ball's centre, which the normals and distances of all depend on.
PoseScalar share_of(
    const EdgeTopology& topology, const BallOnTriangles& search, std::size_t index, const PoseVec& centre)
{
    PoseScalar share{search.places()[index].share};
    for (std::size_t b = 0; search.shares() && b < search.places().size(); ++b) {
        const TrianglePlace& place = search.places()[b];
        const PoseVec n = mapped(place.normal.n, normal_derivative(topology, place.normal), centre);
        share.d += search.slopes().by_n[index][b].transpose() * n.d
            - search.slopes().by_depth(static_cast<int>(index), static_cast<int>(b))
                * mapped(place.distance, place.away, centre).d;
    }
    return share;
}

/// Draws Y towards Z. share: in the axes of R.
void take_share(PoseContact& contact, const PoseScalar& share, const Mat3& R)
{
    const Vec3 spring = contact.Y - contact.Z;
    const Vec3 by_c = R * share.d.head<3>().transpose(), by_turn = R * share.d.tail<3>().transpose();
    contact.dY_dplace =
        contact.dZ_dplace + share.v * (contact.dY_dplace - contact.dZ_dplace) + spring * by_c.transpose();
    contact.dY_dturn =
        contact.dZ_dturn + share.v * (contact.dY_dturn - contact.dZ_dturn) + spring * by_turn.transpose();
    contact.Y = contact.Z + share.v * spring;
    contact.damped *= share.v;
    contact.share = share.v;
}

} // namespace

void MeshSurface::relax_ball(const Vec3& c_old, const Vec3& c, double r, const Vec3& phi,
    std::span<const Attachment> kept, double mu, const OnCircle* circle, BallOnTriangles& search,
    std::vector<PoseContact>& found) const
{
    found.clear();
    const EdgeTopology& topology = triangles_->topology;
    const Frame& frame = motion_.frame;
    const Vec3 U = frame.to_local(c), U_old = motion_.old_frame.to_local(c_old);
    const bool was_behind = kept.empty() ? circle && circle->was_behind
                                         : distance_of_attached(topology, kept.front().rolling_on_facet(), U_old) < 0;
    search.find(*triangles_, U, r, was_behind != changes_side(*triangles_, U_old, U), kept);
    const PoseVec centre = unknown<6>(U, 0), turned = unknown<6>(frame.R.transpose() * phi, 1);
    const PoseVec way = centre - still(U_old + motion_.dt * motion_.surface_velocity);
    for (std::size_t i = 0; i < search.places().size(); ++i) {
        const TrianglePlace& place = search.places()[i];
        const PoseVec n = mapped(place.normal.n, normal_derivative(topology, place.normal), centre);
        PoseScalar left{1};
        if (circle) {
            const PoseScalar taken = share_of_place(topology, place.at.kind, place.at.feature, circle->axis, n);
            left = {1 - taken.v, -taken.d};
            if (left.v == 0)
                continue;
        }
        BallAtSurface<6> ball{.radius = r,
            .centre = centre,
            .n = n,
            .distance = mapped(place.distance, place.away, centre),
            .old_distance = {infinity},
            .slip = rolling_slip(way, turned, n, r),
            .offset = still(Vec3::Zero()),
            .is_new = true};
        double stiffness_scale = 1;
        const auto take = [&](const Attachment& a, const PoseScalar& part) {
            const RollingOnFacet& at = a.rolling_on_facet();
            stiffness_scale = std::max(stiffness_scale, a.stiffness_scale);
            const Transported xi = parallel_transport(at.xi, at.n, n.v);
            ball.offset = ball.offset + part * mapped(xi.v, xi.dv_db, n);
        };
        search.for_each_carried(i, kept, [&](const Attachment& a) {
            const double d_old = distance_of_attached(topology, a.rolling_on_facet(), U_old);
            take(a, {1});
            ball.old_distance.v = std::min(ball.old_distance.v, d_old);
            ball.is_new = false;
        });
        if (ball.is_new) // from the plane that touches the surface there
            ball.old_distance = ball.distance - dot(n, centre - still(U_old));
        if (ball.is_new && ball.old_distance.v < r) // it may come in beside one
            if (const Attachment* from = search.source(kept, [&](const RollingOnFacet& at) { return at.n.dot(n.v); }))
                take(*from, dot(still(from->rolling_on_facet().n), n));
        found.push_back(round_contact(motion_, ball, c, phi, mu));
        found.back().to = RollingOnFacet{place.at.facet, std::get<RollingOnSolid>(found.back().to).xi, n.v};
        found.back().slot = place.slot;
        found.back().stiffness_scale = stiffness_scale;
        if (search.shares() || left.v < 1)
            take_share(found.back(), share_of(topology, search, i, centre) * left, frame.R);
    }
}

} // namespace stickslip
