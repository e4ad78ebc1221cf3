#include "stickslip/contact/points/posed_circle.h"

#include "stickslip/contact/points/minimum_share.h"

#include <algorithm>
#include <numbers>

namespace stickslip {

namespace {

// d(t . H t)/dE at fixed t: the distance's third derivative, which the solids do not give, by differences.
Vec3 curvature_gradient(const DistanceField& field, const Vec3& E, const Vec3& t, double radius)
{
    const double h = 1e-5 * radius;
    Vec3 gradient;
    for (int i = 0; i < 3; ++i) {
        const Vec3 step = h * Vec3::Unit(i);
        gradient[i] = (t.dot(field.at(E + step).hessian * t) - t.dot(field.at(E - step).hessian * t)) / (2 * h);
    }
    return gradient;
}

PosedPoint posed(const LevelSetSample& at, const Circle& circle, const PoseVec& u, const PoseVec& E)
{
    PosedPoint p;
    p.axis = carried_direction(circle.axis);
    p.u = u;
    p.E = E;
    p.phi = mapped(at.phi, at.n, E);
    const Vec3 n = at.n.normalized();
    p.n = mapped(n, (Mat3::Identity() - n * n.transpose()) * at.hessian / at.n.norm(), E);
    return p;
}

// q of along_circle
PoseScalar posed_sharpness(
    const DistanceField& field, const LevelSetSample& at, const Circle& circle, const PosedPoint& p)
{
    const PoseVec tangent = cross(p.axis, p.u);
    const Vec3& t = tangent.v;
    PoseScalar q = dot(mapped(at.n, at.hessian, p.E), p.u);
    q.v = circle.radius * t.dot(at.hessian * t) - q.v;
    q.d = -q.d + 2 * circle.radius * t.transpose() * at.hessian * tangent.d;
    if (!at.hessian.isZero(0))
        q.d += circle.radius * curvature_gradient(field, p.E.v, t, circle.radius).transpose() * p.E.d;
    return q;
}

// What extreme points leave to a place that is as even as p: 1 - extreme_share(hypot(F, q)).
PoseScalar posed_evenness(
    const DistanceField& field, const LevelSetSample& at, const Circle& circle, const PosedPoint& p)
{
    const AlongCircle along = along_circle(at, circle, p.u.v);
    const double evenness = std::hypot(along.F, along.q);
    const ExtremeShare taken = extreme_share(evenness);
    PoseScalar share{1 - taken.share};
    if (taken.dshare_dq != 0) {
        const PoseScalar F = dot(mapped(at.n, at.hessian, p.E), cross(p.axis, p.u));
        const PoseScalar q = posed_sharpness(field, at, circle, p);
        share.d = -taken.dshare_dq / evenness * (along.F * F.d + along.q * q.d);
    }
    return share;
}

// A seam point without its share, and SeamPoint::ends.
struct PosedSeam {
    PosedPoint place;
    PoseScalar ends;
};

PosedSeam place_of(const LevelSetSample& at, const Circle& circle, const SeamPoint& seam)
{
    const Vec3 t = circle.axis.cross(seam.u);
    PoseVec u = carried_direction(seam.u), E = carried_point(circle.centre, circle.radius * seam.u);
    const double through = seam.normal.dot(t);
    const PoseScalar::Row dangle = -(seam.normal.transpose() * E.d) / (circle.radius * through);
    u.d += t * dangle;
    E.d += circle.radius * t * dangle;
    E.v = seam.E;
    PosedSeam end{posed(at, circle, u, E), {seam.ends}};
    const PosedPoint& p = end.place;
    const double jump = circle.radius * through * through / seam.edge;
    const PoseVec normal = mapped(seam.normal, seam.dnormal_dE, p.E);
    end.ends.d = seam.bends * extreme_share(jump).dshare_dq * jump
        * (2 / through * dot(normal, cross(p.axis, p.u)).d - p.phi.d / seam.edge);
    return end;
}

// An extreme point moves along the circle without bound where it meets another; its derivative is cut off here. Only
// the way of Newton's method depends on it.
constexpr double least_sharpness = 1e-6;
constexpr double beside_seam = 0.1; // [rad] nearer to the end of a stretch than this the seam point takes over

} // namespace

Circle circle_at(const Rim& rim, const Frame& frame)
{
    return {frame.x, frame.R * rim.axis, frame.R * rim.axis.unitOrthogonal(), rim.radius, rim.tube};
}

Bounds box_of(const Circle& circle)
{
    const Vec3 reach =
        circle.radius * (Vec3::Ones() - circle.axis.cwiseAbs2()).cwiseMax(0).cwiseSqrt() + Vec3::Constant(circle.tube);
    return {circle.centre - reach, circle.centre + reach};
}

double even_angle(int i)
{
    return 2 * std::numbers::pi * i / Rim::even_points;
}

PosedPoint posed_extreme(const DistanceField& field, const Circle& circle, const ExtremePoint& extreme)
{
    const LevelSetSample at = field.at(extreme.E);
    const Vec3 t = circle.axis.cross(extreme.u);
    // g . t = 0 keeps the angle: with the angle fixed E and t move with the body, and d(g . t)/d angle = q
    PoseVec u = carried_direction(extreme.u), E = carried_point(circle.centre, circle.radius * extreme.u);
    const double q = std::max(extreme.sharpness, least_sharpness);
    const PoseScalar::Row dangle = -(t.transpose() * at.hessian * E.d + at.n.transpose() * carried_direction(t).d) / q;
    u.d += t * dangle;
    E.d += circle.radius * t * dangle;
    PosedPoint p = posed(at, circle, u, E);
    p.share = {1};
    if (field.is_curved_all_over())
        return p;
    const ExtremeShare share = extreme_share(extreme.sharpness);
    p.share.v = share.share;
    if (share.dshare_dq != 0)
        p.share.d = share.dshare_dq * posed_sharpness(field, at, circle, p).d;
    return p;
}

PosedPoint posed_seam(const DistanceField& field, const Circle& circle, const SeamPoint& seam)
{
    const LevelSetSample at = field.at(seam.E);
    PosedSeam end = place_of(at, circle, seam);
    end.place.share = posed_evenness(field, at, circle, end.place) * end.ends;
    return end.place;
}

PosedPoint posed_even_point(const DistanceField& field, const Circle& circle, const Vec3& u)
{
    const PoseVec E = carried_point(circle.centre, circle.radius * u);
    const LevelSetSample at = field.at(E.v);
    PosedPoint p = posed(at, circle, carried_direction(u), E);
    if (field.is_curved_all_over()) {
        p.share = 1 + -1 * share_of_extremes(field, circle);
        return p;
    }
    p.share = posed_evenness(field, at, circle, p);
    if (p.share.v == 0)
        return p;
    for (const SeamPoint& seam : find_seam_points(field, circle)) {
        const double nearness = 1 - (u - seam.u).squaredNorm() / (beside_seam * beside_seam);
        if (!(nearness > 0) || seam.ends == 0)
            continue;
        const PosedSeam end = place_of(field.at(seam.E), circle, seam);
        const PoseVec way = p.u - end.place.u;
        const PoseScalar taken =
            PoseScalar{nearness * nearness, -4 * nearness / (beside_seam * beside_seam) * way.v.transpose() * way.d}
            * end.ends;
        p.share = p.share * PoseScalar{1 - taken.v, -taken.d};
    }
    return p;
}

} // namespace stickslip
