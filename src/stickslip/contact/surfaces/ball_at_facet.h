#pragma once

#include "stickslip/contact/points/ball_at_surface.h"
#include "stickslip/contact/surfaces/facet_axes.h"
#include "stickslip/contact/surfaces/soft_surface.h"

#include <algorithm>

/// A ball at a facet of a deformable body, by the 15 unknowns of SoftBallContact
/// (docs/derivations.md#balls-on-deformable-surfaces).
namespace stickslip::soft {

using Scalar = DualScalar<SoftBallContact::unknowns>;
using Vector = DualVec<SoftBallContact::unknowns>;
using Axes = FacetAxes<Vector>;

inline Mat3 axes_of(const EdgeTopology& surface, int facet)
{
    const auto& [a, b, c] = surface.facets[facet];
    return facet_axes(surface.positions[a], surface.positions[b], surface.positions[c]);
}

inline Vector fixed(const Vec3& v)
{
    return constant<SoftBallContact::unknowns>(v);
}

/// Rotation vector of A A_old^T [rad, world], A the facet's axes now: the arc sine of its sine, to the seventh power,
/// which is right to round-off for turns below 0.02 and stays finite for any.
inline Vector turn_of(const Axes& axes, const Mat3& old)
{
    const Vector sine =
        0.5 * (cross(fixed(old.col(0)), axes.u) + cross(fixed(old.col(1)), axes.v) + cross(fixed(old.col(2)), axes.n));
    const Scalar s = dot(sine, sine);
    return (1 + s * (1.0 / 6 + s * (3.0 / 40 + (5.0 / 112) * s))) * sine;
}

/// 2 tan(|theta|/2) theta/|theta|, by a series to the sixth power: of a vector r that turns by theta to r',
/// r' - r = half of it x (r + r'). Right to round-off for turns below 0.02 rad, to 1e-10 at 0.15, and finite for any.
inline Vector midpoint_turn(const Vector& theta)
{
    const Scalar s = dot(theta, theta);
    return (1 + s * (1.0 / 12 + s * (1.0 / 120 + (17.0 / 20160) * s))) * theta;
}

/// How far within its facet a place is [-], by its barycentric weights: 0 on the sides, 1 from `rim` on.
inline Scalar within(const std::array<Scalar, 3>& weights)
{
    constexpr double rim = 0.05;
    Scalar all{1};
    for (const Scalar& w : weights) {
        if (!(w.v > 0))
            return {};
        if (w.v >= rim)
            continue;
        const Scalar x = (1 / rim) * w;
        all = all * (x * x * (3 + -2.0 * x));
    }
    return all;
}

/// The vertices whose places are the unknowns of blocks 2 to 4; -1: none is.
using Vertices = std::array<int, 3>;

inline Vector position(const EdgeTopology& surface, int vertex, const Vertices& unknowns)
{
    const auto k = std::find(unknowns.begin(), unknowns.end(), vertex) - unknowns.begin();
    const Vec3& x = surface.positions[vertex];
    return k < 3 ? unknown<SoftBallContact::unknowns>(x, 2 + static_cast<int>(k)) : fixed(x);
}

/// A facet at the candidate, and what touches it, along its own axes from its first corner.
struct Facet {
    Vertices unknowns;
    std::array<Vector, 3> x; // [m] world
    Axes axes;
    std::array<Vector, 3> corner;
    Mat3 old_axes;
    std::array<Vec3, 3> old_x, old_corner; // [m] world; along the axes
    Vec3 old_origin; // [m] world

    Facet(const EdgeTopology& now, const EdgeTopology& old, int facet, const Vertices& unknown_vertices)
        : unknowns(unknown_vertices)
        , x(corners(now, facet))
        , axes(x[0], x[1], x[2])
        , corner{fixed(Vec3::Zero()), to_local(axes, x[1] - x[0]), to_local(axes, x[2] - x[0])}
        , old_axes(axes_of(old, facet))
        , old_origin(old.positions[old.facets[facet][0]])
    {
        for (int i = 0; i < 3; ++i) {
            old_x[i] = old.positions[old.facets[facet][i]];
            old_corner[i] = old_axes.transpose() * (old_x[i] - old_origin);
        }
    }

    /// A direction in the world, and any vertex of the surface.
    Vec3 along_axes(const Vec3& v) const { return {axes.u.v.dot(v), axes.v.v.dot(v), axes.n.v.dot(v)}; }
    Vector local(const EdgeTopology& now, int vertex) const
    {
        return to_local(axes, position(now, vertex, unknowns) - x[0]);
    }

private:
    std::array<Vector, 3> corners(const EdgeTopology& surface, int facet) const
    {
        const auto& [a, b, c] = surface.facets[facet];
        return {position(surface, a, unknowns), position(surface, b, unknowns), position(surface, c, unknowns)};
    }
};

inline int corner_of(const EdgeTopology& surface, int facet, int vertex)
{
    const Triangle& corners = surface.facets[facet];
    return static_cast<int>(std::find(corners.begin(), corners.end(), vertex) - corners.begin());
}

/// The place of contact, along the facet's axes.
struct Place {
    std::array<Scalar, 3> weights;
    Vector P; // [m] nearest to the centre
    Vector n; // unit
    Scalar distance; // [m] of the centre from P

    /// U: the centre.
    Place(const EdgeTopology& surface, const TrianglePlace& place, const Facet& facet, const Vector& U)
    {
        const Vec3 normal(facet.axes.n.v), away = facet.along_axes(place.away);
        const bool flat = place.at.kind == TriangleFeature::face || place.away.cross(normal).norm() < as_flat;
        set_weights(surface, place.at, facet, U, flat);
        P = weights[0] * facet.corner[0] + weights[1] * facet.corner[1] + weights[2] * facet.corner[2];
        const Vector e = U - P;
        if (flat) {
            n = fixed(Vec3(0, 0, away.z() < 0 ? -1 : 1));
        } else if (place.distance == 0) { // the centre on an edge or vertex, whose normal has no derivative
            n = fixed(away);
        } else {
            n = normalized(e);
            if (place.distance < 0)
                n = -1.0 * n;
        }
        distance = dot(n, e);
        const ContactNormal& to = place.normal;
        if (to.kind != place.at.kind || to.feature != place.at.feature)
            n = turned_normal(surface, to, facet, U);
    }

private:
    static constexpr double as_flat = 1e-9; // [-] as for surfaces that keep their shape (normal_derivative)

    // By the rule of zones: that of a facet, or from an edge to the centre. Pre: the centre is on neither.
    static Vector turned_normal(
        const EdgeTopology& surface, const ContactNormal& to, const Facet& facet, const Vector& U)
    {
        if (to.kind == TriangleFeature::edge && to.n.cross(surface.normals[to.facet]).norm() >= as_flat) {
            const Vector p = facet.local(surface, surface.edges[to.feature][0]);
            const Vector along = facet.local(surface, surface.edges[to.feature][1]) - p;
            return normalized(Vector(U - p - (dot(along, U - p) / dot(along, along)) * along));
        }
        const auto& [i, j, k] = surface.facets[to.facet];
        const Vector a = facet.local(surface, i);
        const Vector n = normalized(cross(Vector(facet.local(surface, j) - a), Vector(facet.local(surface, k) - a)));
        return n.v.dot(facet.along_axes(to.n)) < 0 ? Vector(-1.0 * n) : n;
    }
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
inline std::array<Vector, 3> shared_out(
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
    Scalar inner; // [-] share of what the whole facet answers, not the side or corner alone
    Vector way; // [m] of the centre in this step, relative to the facet
    Vector slip; // [m] of the ball past the material at P in this step, less what conveyors do, tangential
    Vec3 belt; // [m] what conveyors do, tangential

    Touch(const MovingBall& ball, const Facet& facet, const EdgeTopology& surface, const TrianglePlace& at)
        : c(centre_of(ball))
        , theta(unknown<SoftBallContact::unknowns>(ball.theta, 1))
        , x(unknown<SoftBallContact::unknowns>(ball.body.x, 0))
        , U(to_local(facet.axes, c - facet.x[0]))
        , place(surface, at, facet, U)
        , inner(within(place.weights))
        , way(U - fixed(facet.old_axes.transpose() * (ball.c_old - facet.old_origin)))
    {
        for (int k = 0; k < 3; ++k)
            way = way - place.weights[k] * (facet.corner[k] - fixed(facet.old_corner[k]));
        const Vector turned = to_local(facet.axes, theta - turn_of(facet.axes, facet.old_axes));
        const Vector conveyed = to_local(facet.axes, fixed(ball.belt));
        slip = inner * rolling_slip(Vector(way - conveyed), turned, place.n, ball.radius)
            + (1 + -1.0 * inner) * tangential(Vector(way_past_place(ball, facet) - conveyed));
        belt = tangential(conveyed).v;
    }

    /// One that came in during the step: from the plane that touches the surface at the place of contact.
    BallAtSurface<SoftBallContact::unknowns> as_new(double radius) const
    {
        return {.radius = radius,
            .centre = U,
            .n = place.n,
            .distance = place.distance,
            .old_distance = place.distance - dot(place.n, way),
            .slip = slip,
            .offset = fixed(Vec3::Zero()),
            .is_new = true};
    }

private:
    Vector tangential(const Vector& v) const { return v - dot(place.n, v) * place.n; }

    // Of the ball, past the material at P, as seen from the ball: whatever the facet turns by.
    Vector way_past_place(const MovingBall& ball, const Facet& facet) const
    {
        Vector old = fixed(ball.c_old); // from P, in the world
        for (int k = 0; k < 3; ++k)
            old = old - place.weights[k] * fixed(facet.old_x[k]);
        const Vector from = U - place.P, from_old = to_local(facet.axes, old);
        return from - from_old - 0.5 * cross(to_local(facet.axes, midpoint_turn(theta)), Vector(from + from_old));
    }

    static Vector centre_of(const MovingBall& ball)
    {
        Vector c = fixed(ball.c);
        for (int b = 0; b < ball.body.count; ++b)
            c.d.middleCols<3>(3 * b) = ball.body.motion(b, ball.c);
        return c;
    }
};

} // namespace stickslip::soft
