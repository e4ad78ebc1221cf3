#include "stickslip/contact/soft_surface.h"

#include "stickslip/contact/ball_at_surface.h"
#include "stickslip/contact/facet_axes.h"
#include "stickslip/contact/shared_contact.h"
#include "stickslip/contact/turned.h"

#include <algorithm>

namespace stickslip {

namespace {

using Scalar = DualScalar<SoftBallContact::unknowns>;
using Vector = DualVec<SoftBallContact::unknowns>;
using Axes = FacetAxes<Vector>;

Mat3 axes_of(const EdgeTopology& surface, int facet)
{
    const auto& [a, b, c] = surface.facets[facet];
    return facet_axes(surface.positions[a], surface.positions[b], surface.positions[c]);
}

Vector fixed(const Vec3& v)
{
    return constant<SoftBallContact::unknowns>(v);
}

/// Rotation vector of A A_old^T [rad, world], A the facet's axes now: the arc sine of its sine, to the seventh power,
/// which is right to round-off for turns below 0.02 and stays finite for any.
Vector turn_of(const Axes& axes, const Mat3& old)
{
    const Vector sine =
        0.5 * (cross(fixed(old.col(0)), axes.u) + cross(fixed(old.col(1)), axes.v) + cross(fixed(old.col(2)), axes.n));
    const Scalar s = dot(sine, sine);
    return (1 + s * (1.0 / 6 + s * (3.0 / 40 + (5.0 / 112) * s))) * sine;
}

/// A facet at the candidate, and what touches it, along its own axes from its first corner.
struct Facet {
    std::array<Vector, 3> x; // [m] world
    Axes axes;
    std::array<Vector, 3> corner;
    Mat3 old_axes;
    std::array<Vec3, 3> old_corner;
    Vec3 old_origin; // [m] world

    Facet(const EdgeTopology& now, const EdgeTopology& old, int facet)
        : x(corners(now, facet))
        , axes(x[0], x[1], x[2])
        , corner{fixed(Vec3::Zero()), to_local(axes, x[1] - x[0]), to_local(axes, x[2] - x[0])}
        , old_axes(axes_of(old, facet))
        , old_origin(old.positions[old.facets[facet][0]])
    {
        for (int i = 0; i < 3; ++i)
            old_corner[i] = old_axes.transpose() * (old.positions[old.facets[facet][i]] - old_origin);
    }

private:
    static std::array<Vector, 3> corners(const EdgeTopology& surface, int facet)
    {
        std::array<Vector, 3> x;
        for (int i = 0; i < 3; ++i)
            x[i] = unknown<SoftBallContact::unknowns>(surface.positions[surface.facets[facet][i]], 2 + i);
        return x;
    }
};

int corner_of(const EdgeTopology& surface, int facet, int vertex)
{
    const Triangle& corners = surface.facets[facet];
    return static_cast<int>(std::find(corners.begin(), corners.end(), vertex) - corners.begin());
}

/// The place of contact, along the facet's axes.
struct Place {
    std::array<Scalar, 3> weights;
    Vector P; // [m]
    Vector n; // unit
    Scalar distance; // [m] of the centre along n

    /// U: the centre.
    Place(const EdgeTopology& surface, const TrianglePlace& place, const Facet& facet, const Vector& U)
    {
        constexpr double as_flat = 1e-9; // [-] as for surfaces that keep their shape (normal_derivative)
        const Vec3 normal(facet.axes.n.v);
        const bool flat = place.at.kind == TriangleFeature::face || place.n.cross(normal).norm() < as_flat;
        set_weights(surface, place.at, facet, U, flat);
        P = weights[0] * facet.corner[0] + weights[1] * facet.corner[1] + weights[2] * facet.corner[2];
        const Vector e = U - P;
        if (flat) {
            n = fixed(Vec3(0, 0, place.n.dot(normal) < 0 ? -1 : 1));
        } else if (place.distance == 0) { // the centre on an edge or vertex, whose normal has no derivative
            n = fixed(Vec3(facet.axes.u.v.dot(place.n), facet.axes.v.v.dot(place.n), normal.dot(place.n)));
        } else {
            n = normalized(e);
            if (place.distance < 0)
                n = -1.0 * n;
        }
        distance = dot(n, e);
    }

private:
    void set_weights(
        const EdgeTopology& surface, const SphereSurfaceContact& at, const Facet& facet, const Vector& U, bool flat)
    {
        if (flat) { // where the centre's perpendicular meets the plane
            const Vector &b = facet.corner[1], &c = facet.corner[2];
            weights[2] = component(U, 1) / component(c, 1);
            weights[1] = (component(U, 0) - weights[2] * component(c, 0)) / component(b, 0);
            weights[0] = 1 + -1.0 * (weights[1] + weights[2]);
            return;
        }
        if (at.kind == TriangleFeature::vertex) {
            weights[corner_of(surface, at.facet, at.feature)].v = 1;
            return;
        }
        const auto [p, q] = surface.edges[at.feature];
        const int i = corner_of(surface, at.facet, p), j = corner_of(surface, at.facet, q);
        const Vector along = facet.corner[j] - facet.corner[i];
        weights[j] = dot(along, U - facet.corner[i]) / dot(along, along);
        weights[i] = 1 + -1.0 * weights[j];
    }
};

/// Forces on the nodes of a facet, along its axes, that together are `force` at Z, P being the place that `weights`
/// name: shares of the force, and of the couple (Z - P) x force what a turn of the three nodes about their centre
/// answers.
std::array<Vector, 3> shared_out(
    const Facet& facet, const std::array<Scalar, 3>& weights, const Vector& force, const Vector& from_P)
{
    const Vector centre = (1.0 / 3) * (facet.corner[1] + facet.corner[2]);
    std::array<Vector, 3> arm;
    Scalar xx, xy, yy;
    for (int i = 0; i < 3; ++i) {
        arm[i] = facet.corner[i] - centre;
        const Scalar x = component(arm[i], 0), y = component(arm[i], 1);
        xx = xx + x * x;
        xy = xy + x * y;
        yy = yy + y * y;
    }
    const Vector couple = cross(from_P, force);
    const Scalar mx = component(couple, 0), my = component(couple, 1), det = xx * yy - xy * xy;
    const Vector turn =
        from_components((xx * mx + xy * my) / det, (xy * mx + yy * my) / det, component(couple, 2) / (xx + yy));
    std::array<Vector, 3> share;
    for (int i = 0; i < 3; ++i)
        share[i] = weights[i] * force + cross(turn, arm[i]);
    return share;
}

/// A ball at a facet.
struct Touch {
    Vector c, theta, x; // [m] centre, [rad] turn, [m] centre of mass of its body; world
    Vector U; // [m] centre
    Place place;
    Vector way, turned; // [m], [rad] of the centre and the ball in this step, relative to the facet

    Touch(const MovingBall& ball, const Facet& facet, const EdgeTopology& surface, const TrianglePlace& at)
        : c(centre_of(ball))
        , theta(unknown<SoftBallContact::unknowns>(ball.theta, 1))
        , x(unknown<SoftBallContact::unknowns>(ball.body.x, 0))
        , U(to_local(facet.axes, c - facet.x[0]))
        , place(surface, at, facet, U)
        , way(U - fixed(facet.old_axes.transpose() * (ball.c_old - facet.old_origin)))
        , turned(to_local(facet.axes, theta - turn_of(facet.axes, facet.old_axes)))
    {
        for (int k = 0; k < 3; ++k)
            way = way - place.weights[k] * (facet.corner[k] - fixed(facet.old_corner[k]));
    }

    /// One that came in during the step: from the plane that touches the surface at the place of contact.
    BallAtSurface<SoftBallContact::unknowns> as_new(double radius) const
    {
        return {.radius = radius,
            .centre = U,
            .n = place.n,
            .distance = place.distance,
            .old_distance = place.distance - dot(place.n, way),
            .slip = rolling_slip(way, turned, place.n, radius),
            .offset = fixed(Vec3::Zero()),
            .is_new = true};
    }

private:
    static Vector centre_of(const MovingBall& ball)
    {
        Vector c = fixed(ball.c);
        for (int b = 0; b < RigidSide::block_count; ++b)
            c.d.middleCols<3>(3 * b) = ball.body.motion(b, ball.c);
        return c;
    }
};

/// Without its names.
SoftBallContact contact_of(const MovingBall& ball, const Facet& facet, const Touch& touch,
    const BallAtSurface<SoftBallContact::unknowns>& met, const SoftContactLaw& law)
{
    const auto relaxed = relax_ball(met, law.mu, law.damping);
    const Vector j = law.k * (relaxed.P - relaxed.K), force = to_world(facet.axes, j);
    const Vector Z = facet.x[0] + to_world(facet.axes, relaxed.Z);
    const std::array<Vector, 3> on_nodes = shared_out(facet, touch.place.weights, j, relaxed.Z - touch.place.P);
    SoftBallContact contact;
    contact.k = law.k;
    contact.Z = Z.v;
    contact.j = force.v;
    contact.arm = Z.v - ball.body.x;
    contact.load[0] = -1.0 * force;
    contact.load[1] = cross(force, Z - touch.x);
    for (int b = 0; b < RigidSide::block_count; ++b)
        contact.block[b] = ball.body.block(b);
    for (int k = 0; k < 3; ++k) {
        contact.load[2 + k] = to_world(facet.axes, on_nodes[k]);
        contact.weights[k] = touch.place.weights[k].v;
    }
    const auto along_world = [&](const Vec3& v) { return to_world(facet.axes, fixed(v)).v; };
    contact.at.Y = Z.v - force.v / law.k;
    contact.at.dY_dZ = Mat3::Zero(); // Z is no unknown here: see SoftBallContact::load
    contact.at.sticks = relaxed.sticks;
    contact.at.X = relaxed.offset;
    contact.at.slip = along_world(relaxed.slid);
    contact.at.carried = Vec3::Zero(); // scripts move a deformable body by its pins alone
    contact.at.depth = met.radius - met.distance.v;
    contact.at.n = along_world(met.n.v);
    contact.at.attached_n = met.n.v;
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
        facet = search.kept.front().patch;
        side.facing = search.kept.front().n;
        side.behind = distance_of_attached(old_.topology, search.kept.front(), ball.c_old) < 0;
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

void SoftSurface::relax_ball(const MovingBall& ball, std::span<const Attachment> kept, const SoftContactLaw& law,
    std::span<const int> nodes, Search& search, std::vector<SoftBallContact>& found) const
{
    found.clear();
    search.kept.assign(kept.begin(), kept.end());
    for (Attachment& a : search.kept)
        a.n = axes_of(old_.topology, a.patch) * a.n;
    const Side side = side_of(ball, search);
    search.places.find_outside(now_, ball.c, ball.radius, side.behind, side.facing, search.kept);

    for (std::size_t i = 0; i < search.places.places().size(); ++i) {
        const TrianglePlace& at = search.places.places()[i];
        const Facet facet(now_.topology, old_.topology, at.at.facet);
        const Touch touch(ball, facet, now_.topology, at);
        BallAtSurface<SoftBallContact::unknowns> met = touch.as_new(ball.radius);
        search.places.for_each_carried(i, search.kept, [&](const Attachment& a) {
            const Attachment& own = kept[&a - search.kept.data()];
            const Mat3 handed_over = a.patch == at.at.facet
                ? Mat3(Mat3::Identity())
                : Mat3(facet.old_axes.transpose() * axes_of(old_.topology, a.patch));
            const Turned xi = turn(handed_over * own.X, handed_over * own.n, met.n.v);
            const double d_old = distance_of_attached(old_.topology, a, ball.c_old);
            met.offset = met.offset + mapped(xi.v, xi.dv_db, met.n);
            met.old_distance = {met.is_new ? d_old : std::min(met.old_distance.v, d_old)};
            met.is_new = false;
        });
        if (met.is_new && now_.rule == EdgeRule::smooth) // it takes over from those beside it as they fade
            for (const Attachment& a : search.kept) {
                const double part = handed_on(a.n.dot(facet.old_axes.col(2)));
                if (part == 0)
                    continue;
                const Attachment& own = kept[&a - search.kept.data()];
                const Mat3 handed_over = facet.old_axes.transpose() * axes_of(old_.topology, a.patch);
                const Turned xi = turn(handed_over * own.X, handed_over * own.n, met.n.v);
                met.offset = met.offset + part * mapped(xi.v, xi.dv_db, met.n);
            }
        found.push_back(contact_of(ball, facet, touch, met, law));
        for (int k = 0; k < 3; ++k)
            found.back().block[2 + k] = nodes[now_.topology.facets[at.at.facet][k]];
        found.back().at.patch = at.at.facet;
        found.back().at.slot = at.slot;
    }
    search.beside.clear();
    if (!side.behind && now_.rule == EdgeRule::smooth) {
        search.near.find_outside(now_, ball.c, sharing_reach * ball.radius, false, side.facing, {});
        if (search.near.places().size() > 1)
            share(ball, nodes, search, found);
    }
}

// All places near the ball, also such as it does not reach: so none of them comes in or goes out at once.
void SoftSurface::share(
    const MovingBall& ball, std::span<const int> nodes, Search& search, std::vector<SoftBallContact>& found) const
{
    struct Near {
        Vector n;
        Scalar distance;
        std::array<int, SoftBallContact::blocks> block;
    };
    const auto near = [&](const TrianglePlace& at) {
        const Facet facet(now_.topology, old_.topology, at.at.facet);
        const Touch touch(ball, facet, now_.topology, at);
        Near result{to_world(facet.axes, touch.place.n), touch.place.distance, {}};
        for (int b = 0; b < RigidSide::block_count; ++b)
            result.block[b] = ball.body.block(b);
        for (int k = 0; k < 3; ++k)
            result.block[2 + k] = nodes[now_.topology.facets[at.at.facet][k]];
        return result;
    };
    using Row = Scalar::Row;
    for (SoftBallContact& contact : found) {
        const auto& all = search.near.places();
        const auto self = std::find_if(
            all.begin(), all.end(), [&](const TrianglePlace& at) { return at.at.facet == contact.at.patch; });
        if (self == all.end())
            continue;
        const Near own = near(*self);
        contact.beside_begin = static_cast<int>(search.beside.size());
        Row by_own = Row::Zero(); // of the logarithm of the share, as those in `beside` are until its end
        for (const TrianglePlace& at : all) {
            if (&at == &*self)
                continue;
            const SharedContact test = share_beside(own.distance.v, own.n.v, at.distance, at.n);
            contact.share *= test.share;
            if (test.share == 1 || test.share == 0)
                continue;
            const Near other = near(at);
            by_own += (test.by_d * own.distance.d + test.by_n.transpose() * own.n.d) / test.share;
            BesideContact& beside = search.beside.emplace_back();
            beside.row = contact.block;
            beside.column = other.block;
            for (int a = 0; a < SoftBallContact::blocks; ++a)
                beside.load[a] = contact.load[a].v;
            beside.by = (test.by_d_other * other.distance.d + test.by_n_other.transpose() * other.n.d) / test.share;
        }
        contact.beside_end = static_cast<int>(search.beside.size());
        for (int i = contact.beside_begin; i < contact.beside_end; ++i)
            search.beside[i].by *= contact.share;
        by_own *= contact.share;
        for (Vector& load : contact.load)
            load = Vector{contact.share * load.v, contact.share * load.d + load.v * by_own};
        contact.j *= contact.share;
        contact.k *= contact.share;
    }
}

} // namespace stickslip
