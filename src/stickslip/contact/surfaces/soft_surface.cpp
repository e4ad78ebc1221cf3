#include "stickslip/contact/surfaces/soft_surface.h"

#include "stickslip/contact/surfaces/ball_at_facet.h"
#include "stickslip/contact/surfaces/shared_contact.h"
#include "stickslip/math/parallel_transport.h"

namespace stickslip {

using namespace soft;

namespace {

/// Vertices that the normal of a place depends on beside those of its own facet, at most two; -1 behind them.
Vertices far_vertices(const EdgeTopology& surface, const TrianglePlace& place)
{
    Vertices far = {-1, -1, -1};
    const Triangle& own = surface.facets[place.at.facet];
    std::copy_if(surface.facets[place.normal.facet].begin(), surface.facets[place.normal.facet].end(), far.begin(),
        [&](int vertex) { return std::find(own.begin(), own.end(), vertex) == own.end(); });
    return far;
}

/// Without its names.
SoftBallContact contact_of(const MovingBall& ball, const Facet& facet, int facet_number, const Touch& touch,
    const BallAtSurface<SoftBallContact::unknowns>& met, double stiffness_scale, const SoftContactLaw& law)
{
    const double stiffness = law.k * stiffness_scale;
    const auto relaxed = relax_ball(met, law.mu, law.damping);
    const Vector j = stiffness * (relaxed.P - relaxed.K), force = to_world(facet.axes, j);
    // Where the force acts on both: a side or a corner cannot bear the couple that it has at the ball's own point, a
    // depth along the normal below the foot.
    const Vector foot = met.centre - met.distance * met.n;
    const Vector from_P = foot - touch.place.P + touch.inner * (relaxed.Z - foot);
    const Vector Z = facet.x[0] + to_world(facet.axes, Vector(touch.place.P + from_P));
    const std::array<Vector, 3> on_nodes = shared_out(facet, touch.place.weights, j, from_P);
    SoftBallContact contact;
    contact.k = stiffness;
    contact.Z = Z.v;
    contact.j = force.v;
    contact.arm = Z.v - ball.body.x;
    contact.load[0] = -1.0 * force;
    contact.load[1] = cross(force, Z - touch.x);
    for (int b = 0; b < ball.body.count; ++b)
        contact.block[b] = ball.body.first + b;
    for (int k = 0; k < 3; ++k) {
        contact.load[2 + k] = to_world(facet.axes, on_nodes[k]);
        contact.weights[k] = touch.place.weights[k].v;
    }
    const auto along_world = [&](const Vec3& v) { return to_world(facet.axes, fixed(v)).v; };
    contact.at.Y = Z.v - force.v / stiffness;
    contact.at.stiffness_scale = stiffness_scale;
    contact.at.sticks = relaxed.sticks;
    contact.at.to = RollingOnFacet{facet_number, relaxed.offset, met.n.v};
    contact.at.slip = along_world(relaxed.slid);
    contact.at.belt = along_world(relaxed.after_touch * touch.belt);
    contact.at.depth = met.radius - met.distance.v;
    contact.at.n = along_world(met.n.v);
    contact.at.damped = along_world(relaxed.Z.v - relaxed.P.v);
    return contact;
}

} // namespace

SoftSurface::Side SoftSurface::side_of(const MovingBall& ball, Search& search) const
{
    Side side{};
    int facet = 0;
    if (search.kept.empty()) {
        const NearestOfSurface nearest = nearest_of(old_, ball.c_old, search.facets, search.contacts);
        facet = nearest.contact.facet;
        side.behind = !is_outside(old_, nearest.contact);
        side.facing = side.behind ? Vec3(-nearest.contact.n) : nearest.contact.n;
    } else {
        facet = search.kept.front().rolling_on_facet().facet;
        side.facing = search.kept.front().rolling_on_facet().n;
        side.behind = distance_of_attached(old_.topology, search.kept.front().rolling_on_facet(), ball.c_old) < 0;
    }
    const auto& [a, b, c] = old_.topology.facets[facet];
    const std::vector<Vec3>&from = old_.topology.positions, &to = now_.topology.positions;
    const Vec3 w = closest_point_on_triangle(ball.c_old, from[a], from[b], from[c]).weights;
    const Vec3 carried = w[0] * (to[a] - from[a]) + w[1] * (to[b] - from[b]) + w[2] * (to[c] - from[c]);
    const Vec3 start = ball.c_old + carried, back = start - ball.c;
    if (side.behind)
        side.behind = !changes_side(now_, start, ball.c, &side.facing);
    else if (changes_side(now_, start, ball.c, &back))
        return {back.normalized(), true};
    return side;
}

SoftBallContact SoftSurface::contact_at(const MovingBall& ball, std::size_t index, const Vertices& unknowns,
    std::span<const Attachment> kept, const SoftContactLaw& law, const Search& search) const
{
    const TrianglePlace& at = search.places.places()[index];
    const Facet facet(now_.topology, old_.topology, at.at.facet, unknowns);
    const Touch touch(ball, facet, now_.topology, at);
    BallAtSurface<SoftBallContact::unknowns> met = touch.as_new(ball.radius);
    double stiffness_scale = 1;
    search.places.for_each_carried(index, search.kept, [&](const Attachment& a) {
        stiffness_scale = std::max(stiffness_scale, a.stiffness_scale);
        const RollingOnFacet& own = kept[&a - search.kept.data()].rolling_on_facet();
        const Mat3 handed_over = own.facet == at.at.facet
            ? Mat3(Mat3::Identity())
            : Mat3(facet.old_axes.transpose() * axes_of(old_.topology, own.facet));
        const Transported xi = parallel_transport(handed_over * own.xi, handed_over * own.n, met.n.v);
        const double d_old = distance_of_attached(old_.topology, a.rolling_on_facet(), ball.c_old);
        met.offset = met.offset + mapped(xi.v, xi.dv_db, met.n);
        met.old_distance = {met.is_new ? d_old : std::min(met.old_distance.v, d_old)};
        met.is_new = false;
    });
    if (met.is_new && now_.rule == EdgeRule::smooth) // it takes over from those beside it as they fade
        for (const Attachment& a : search.kept) {
            const double part = handed_on(a.rolling_on_facet().n.dot(facet.old_axes.col(2)));
            if (part == 0)
                continue;
            const RollingOnFacet& own = kept[&a - search.kept.data()].rolling_on_facet();
            const Mat3 handed_over = facet.old_axes.transpose() * axes_of(old_.topology, own.facet);
            const Transported xi = parallel_transport(handed_over * own.xi, handed_over * own.n, met.n.v);
            met.offset = met.offset + part * mapped(xi.v, xi.dv_db, met.n);
            stiffness_scale = std::max(stiffness_scale, a.stiffness_scale);
        }
    return contact_of(ball, facet, at.at.facet, touch, met, stiffness_scale, law);
}

void SoftSurface::relax_ball(const MovingBall& ball, std::span<const Attachment> kept, const SoftContactLaw& law,
    std::span<const int> nodes, Search& search, std::vector<SoftBallContact>& found) const
{
    found.clear();
    search.kept.assign(kept.begin(), kept.end());
    for (Attachment& a : search.kept)
        a.rolling_on_facet().n = axes_of(old_.topology, a.rolling_on_facet().facet) * a.rolling_on_facet().n;
    const Side side = side_of(ball, search);
    search.places.find_outside(now_, ball.c, ball.radius, side.behind, side.facing, search.kept);

    for (std::size_t i = 0; i < search.places.places().size(); ++i) {
        const TrianglePlace& at = search.places.places()[i];
        const Triangle& corners = now_.topology.facets[at.at.facet];
        SoftBallContact& contact = found.emplace_back(contact_at(ball, i, corners, kept, law, search));
        for (int k = 0; k < 3; ++k)
            contact.block[2 + k] = nodes[corners[k]];
        contact.at.slot = at.slot;
        const Vertices far = far_vertices(now_.topology, at);
        if (far[0] < 0)
            continue;
        const SoftBallContact by_far = contact_at(ball, i, far, kept, law, search);
        for (int k = 0; k < 2 && far[k] >= 0; ++k) {
            FarNode& node = contact.far[contact.far_count++];
            node.block = nodes[far[k]];
            for (int row = 0; row < SoftBallContact::blocks; ++row)
                node.by[row] = by_far.load[row].by(2 + k);
        }
    }
    search.beside.clear();
    if (!side.behind && now_.rule == EdgeRule::smooth) {
        search.near.find_outside(now_, ball.c, sharing_reach * ball.radius, false, side.facing, {});
        if (search.near.places().size() > 1)
            share(ball, nodes, search, found);
    }
}

} // namespace stickslip
