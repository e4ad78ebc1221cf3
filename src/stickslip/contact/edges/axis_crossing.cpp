#include "stickslip/contact/edges/axis_crossing.h"

#include "stickslip/contact/points/rolling_contact.h"
#include "stickslip/geometry/queries/overlap_on_way.h"
#include "stickslip/geometry/solids/convex_features.h"
#include "stickslip/math/parallel_transport.h"
#include "stickslip/math/smooth_step.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stickslip {

namespace {

constexpr double no_sine = 0.02, full_sine = 0.1; // [-] of the angle between the tube and the side
constexpr double no_corner = 0.05, full_corner = 0.1; // [radius] from the end of a side, where balls or rims are round
constexpr double flush_end = 1e-6; // [radius] from the end of the side, where the depth is less
constexpr double full_edge = 0.02; // [-] of the edge, from its end, where its vertex carries
constexpr double nearer_place = 2e-3; // [radius] by which another place of the solid may be nearer than the tube
constexpr double deepest_new = 0.5; // [radii] beyond which what begins there is no longer beside the axis
constexpr double touching_depth = 5e-3, apart_or_deep = 3e-2; // [radius] of overlap, or of a gap
constexpr double flush_depth = 1e-4; // [radius] of depth that was there before, and is felt all the same

double rise(double from, double to, double x)
{
    return smooth_step((x - from) / (to - from)).value;
}

std::vector<Tube> edges_of(const LevelSet& solid, double radius)
{
    std::vector<Tube> tubes;
    if (const auto features = convex_features(solid))
        for (std::size_t e = 0; e < features->edges.size(); ++e) {
            const auto [f, g] = features->edges[e].faces;
            tubes.push_back({features->start(static_cast<int>(e)), features->along(static_cast<int>(e)), radius,
                {features->faces[f].n, features->faces[g].n}});
        }
    return tubes;
}

/// The place of an endless side that is nearest to a tube, with derivatives by N unknowns: the pose of the side, or
/// none.
template <int N>
struct NearestPlace {
    DualVec<N> centre; // [m] of the ball
    DualVec<N> n; // unit, from the tube to it
    DualScalar<N> apart; // [m] of the centre from the tube's line; negative once that has gone through the axis
    DualScalar<N> y, radius; // [m] of the centre on the axis, of the ball
    double t; // [-] along the tube
    double across; // [-] sine of the angle between the tube and the side's straight lines
    double to_base, to_top; // [m] along the axis from the rims of the side
    Vec3 line; // unit, of the side there
};

// From the axis towards the tube, where they are nearest to each other; of any length.
Vec3 towards_tube(const RoundSide& side, const Frame& pose, const Tube& tube)
{
    constexpr double parallel = 1e-9;
    const Frame own = composed(pose, side.frame);
    const Vec3 a = own.R.col(1), arm = tube.start - own.x, across = a.cross(tube.along);
    if (across.norm() < parallel * tube.along.norm())
        return arm - arm.dot(a) * a;
    return arm.dot(across) * across;
}

// The distance along the tube is cos sqrt(C w^2 + m^2) - g w + constant, g = -sin v_y, v its direction, C = |v|^2
// across the axis and w measured from the place that is nearest to the axis, by m. m goes on below 0 where the tube
// goes through the axis from the side it was on, `from_side`, and the radius beyond an apex, so that all is smooth
// there.
template <int N>
std::optional<NearestPlace<N>> nearest_place(
    const RoundSide& side, const DualVec<N>& middle, const DualVec<N>& axis, const Tube& tube, const Vec3& from_side)
{
    using Scalar = DualScalar<N>;
    using Vec = DualVec<N>;
    const double cosine = 1 / std::hypot(1, side.slope), sine = side.slope * cosine;
    const Vec start = constant<N>(tube.start) - middle, v = constant<N>(tube.along);
    const Scalar y0 = dot(start, axis), vy = dot(v, axis), g = -sine * vy;
    const Vec start_across = start - y0 * axis, v_across = v - vy * axis;
    const Scalar C = dot(v_across, v_across), bend = cosine * cosine * C - g * g;
    if (!(bend.v > no_sine * no_sine * tube.along.squaredNorm()))
        return std::nullopt;
    const Vec across = cross(axis, v);
    const Vec from_axis = (Scalar{std::copysign(1, across.v.dot(from_side))} / sqrt(C)) * across; // unit
    const Scalar m = dot(start_across, from_axis), w_by_m = g / sqrt(C * bend);
    const Scalar t = -1 * (dot(start_across, v_across) / C) + m * w_by_m;
    const Scalar rho_by_m = cosine * sqrt(C / bend), rho = m * rho_by_m, y = y0 + t * vy - side.slope * rho;
    const Scalar radius = side.radius * cosine + -sine * (0.5 * side.height + y);
    const Vec outward = Scalar{1} / rho_by_m * (from_axis + w_by_m * v_across);
    const double touched = y.v + radius.v * sine; // along the axis
    return NearestPlace<N>{.centre = middle + y * axis,
        .n = -cosine * (outward + side.slope * axis),
        .apart = (1 / cosine) * rho,
        .y = y,
        .radius = radius,
        .t = t.v,
        .across = std::abs(tube.along.normalized().dot(axis.v.cross(outward.v))),
        .to_base = 0.5 * side.height + touched,
        .to_top = side.slope > 0 ? infinity : 0.5 * side.height - touched, // a cone has its apex there, and no rim
        .line = cosine * (axis.v - side.slope * outward.v)};
}

std::optional<NearestPlace<6>> posed_place(
    const RoundSide& side, const Frame& pose, const Tube& tube, const Vec3& from_side)
{
    const Frame own = composed(pose, side.frame);
    return nearest_place(side, carried_point(pose.x, own.x - pose.x), carried_direction(own.R.col(1)), tube, from_side);
}

using Place = NearestPlace<0>;

std::optional<Place> place_at(const RoundSide& side, const Frame& pose, const Tube& tube, const Vec3& from_side)
{
    const Frame own = composed(pose, side.frame);
    return nearest_place(side, DualVec<0>{own.x, {}}, DualVec<0>{own.R.col(1), {}}, tube, from_side);
}

bool is_beside(const Place& at, const Tube& tube)
{
    return at.apart.v >= deepest_new * (at.radius.v + tube.radius);
}

// As far as the tube is what the axis is nearest to of the solid.
double share_before_solid(const Place& at, const Tube& tube, const DistanceToSolid& solid)
{
    const double nearer = at.apart.v - tube.radius - solid(at.centre.v);
    return rise(0, 1, 1 - nearer / (nearer_place * at.radius.v));
}

double gap(const Place& at, const Tube& tube)
{
    return at.apart.v - tube.radius - at.radius.v;
}

// As far as the line of contact ends at the tube, and not at the end of the side before it. What is new, where the way
// out beyond that end is half as long as the way out across the side, is flat there, and lies on a face: a base on the
// next table.
double share_before_end(const RoundSide& side, const Place& at, const Tube& tube, bool is_kept)
{
    const double to_end = std::min(at.to_base, at.to_top), flush = flush_end * side.radius;
    if (side.has_corners || tube.is_of_triangles)
        return rise(no_corner, full_corner, to_end / side.radius);
    return is_kept ? std::clamp(to_end / flush, 0.0, 1.0)
                   : std::clamp(2 * to_end / std::max(flush, -gap(at, tube)) - 1, 0.0, 1.0);
}

// Away from where the tube runs along the side, and from the ends of either.
double share_by_place(const RoundSide& side, const Place& at, const Tube& tube, bool is_kept)
{
    return rise(no_sine, full_sine, at.across) * share_before_end(side, at, tube, is_kept)
        * rise(0, full_edge, std::min(at.t, 1 - at.t));
}

// Where the gap [m] closes on the way from one pose to another, or at the end at which it is least.
Frame where_they_meet(const std::pair<Frame, double>& from, const std::pair<Frame, double>& to)
{
    const double began = from.second, ends = to.second;
    if (!(began > 0 && ends < began))
        return from.first;
    return straight_way(from.first, to.first, std::min(1.0, began / (began - ends)));
}

// As far as the side is what the tube is nearest to of its solid: what lies on its base is deep behind the side, too,
// and the side of a rounded edge goes on behind the faces beside it.
double before_side(const LevelSet& own, const RoundSide& side, const Frame& pose, const Place& at, const Tube& tube)
{
    const double nearer =
        signed_distance(own, pose.to_local(tube.start + at.t * tube.along)) - (at.apart.v - at.radius.v);
    return rise(0, 1, 1 - std::abs(nearer) / (nearer_place * side.radius));
}

// As far as they touch.
double touching(const Place& at, const Tube& tube)
{
    return 1 - rise(touching_depth, apart_or_deep, std::abs(gap(at, tube)) / at.radius.v);
}

// As far as the overlap is not much longer than it is deep.
double alone(const Place& at, const Vec3& line, const Tube& tube)
{
    const auto& [m, n] = tube.faces;
    const double sine = m.isZero(0) ? 1 : std::min(std::abs(line.dot(m)), std::abs(line.dot(n)));
    return rise(no_sine, full_sine, sine) * touching(at, tube);
}

// As far as the side lies on a face that ends at the tube.
double lies_on(const Place& at, const Vec3& line, const Tube& tube, const Vec3& face)
{
    if (face.isZero(0) || !(at.n.v.dot(face) > 0))
        return 0;
    return (1 - rise(no_sine, full_sine, std::abs(line.dot(face)))) * touching(at, tube);
}

// What a spring of stiffness k, now, may have at the start of a step: no more than it held, or nobody would do the work
// of a share that has grown.
struct HeldSpring {
    double depth; // [m] that it feels
    double ease; // [-] of its offset
};

HeldSpring held_spring(const Attachment* kept, double depth_of_new, double mu, double k)
{
    if (!kept)
        return {depth_of_new, 0};
    const double held = 2 * kept->energy / (kept->stiffness_scale * k); // [m^2] depth^2 + offset^2
    const double cone = std::isfinite(mu) ? mu * mu / (1 + mu * mu) : 1;
    const double offset = kept->rolling_on_solid().xi.squaredNorm(), eased = std::min(offset, cone * held);
    return {std::sqrt(std::max(0.0, held - eased)), offset > 0 ? std::sqrt(eased / offset) : 1};
}

} // namespace

std::vector<Tube> tubes(const LevelSet& solid)
{
    if (const auto side = round_side(solid); side && side->slope == 0)
        return {{Vec3(0, -0.5 * side->height, 0), Vec3(0, side->height, 0), side->radius}};
    if (const auto* rounded = std::get_if<RoundedBox>(&solid))
        return edges_of(Box{rounded->core()}, rounded->radius);
    return edges_of(solid, 0);
}

bool has_tubes(const LevelSet& solid)
{
    const auto side = round_side(solid);
    return (side && side->slope == 0) || std::holds_alternative<Box>(solid) || std::holds_alternative<RoundedBox>(solid)
        || std::holds_alternative<std::shared_ptr<const ConvexPolyhedron>>(solid);
}

std::optional<RoundSide> round_side(const LevelSet& solid)
{
    if (const auto* cylinder = std::get_if<Cylinder>(&solid))
        return RoundSide{cylinder->radius, cylinder->height, 0};
    if (const auto* capsule = std::get_if<Capsule>(&solid))
        return RoundSide{capsule->radius, capsule->height, 0};
    if (const auto* cone = std::get_if<Cone>(&solid))
        return RoundSide{cone->radius, cone->height, cone->radius / cone->height};
    return std::nullopt;
}

std::vector<RoundSide> round_sides(const LevelSet& solid)
{
    if (const auto side = round_side(solid))
        return {*side};
    std::vector<RoundSide> sides;
    if (std::holds_alternative<RoundedBox>(solid))
        for (const Tube& edge : tubes(solid)) {
            const Vec3 y = edge.along.normalized(), x = y.unitOrthogonal();
            Frame frame{edge.start + 0.5 * edge.along, {}};
            frame.R << x, y, x.cross(y);
            sides.push_back({edge.radius, edge.along.norm(), 0, frame, true});
        }
    return sides;
}

std::optional<AxisCrossing> axis_crossing(const LevelSet& own, const RoundSide& side, const Frame& old,
    const Frame& pose, const Tube& tube, const DistanceToSolid& solid, bool is_kept)
{
    constexpr int places = 5; // on the way back
    const Vec3 from_side = towards_tube(side, old, tube);
    const auto on_side = [&](const Frame& seen) {
        auto at = place_at(side, seen, tube, from_side);
        return at && at->radius.v > 0 ? at : std::nullopt;
    };
    const auto before = on_side(old), predicted = place_at(side, pose, tube, from_side);
    const bool began_beside = before && is_beside(*before, tube); // and may have gone through the axis since
    Frame seen = pose;
    auto at = on_side(seen);
    for (int i = 1; before && i < places && !(at && (began_beside || is_beside(*at, tube))); ++i) {
        seen = i + 1 < places ? straight_way(old, seen, 0.5) : old;
        at = on_side(seen);
    }
    if (!at || !(began_beside || is_beside(*at, tube)))
        return std::nullopt;
    const double by_place = share_by_place(side, *at, tube, is_kept);
    if (!(by_place > 0))
        return std::nullopt;
    const Place& there = predicted ? *predicted : *at;
    const Frame met =
        before ? where_they_meet({old, gap(*before, tube)}, {predicted ? pose : seen, gap(there, tube)}) : seen;
    const auto place_met = before ? place_at(side, met, tube, from_side) : at;
    const double share = by_place * share_before_solid(*at, tube, solid)
        * (place_met ? before_side(own, side, met, *place_met, tube) : before_side(own, side, old, *before, tube));
    if (!(share > 0))
        return std::nullopt;
    const auto along = [&](const Vec3& face) { return before ? lies_on(*before, at->line, tube, face) : 0; };
    return AxisCrossing{.side = 0,
        .tube = 0,
        .share = share,
        .alone = before ? alone(*before, at->line, tube) : 0,
        .along = {along(tube.faces[0]), along(tube.faces[1])},
        .place = before ? Vec3(before->centre.v - before->radius.v * before->n.v) : Vec3(Vec3::Zero()),
        .radius = before ? before->radius.v : 0,
        .depth = -gap(there, tube)};
}

std::optional<PoseContact> relax_axis(const SurfaceMotionInStep& motion, const RoundSide& side, const Tube& tube,
    const Frame& old, const Frame& pose, const Attachment* kept, double mu, double k)
{
    const Vec3 from_side = towards_tube(side, old, tube);
    if (const auto at = place_at(side, pose, tube, from_side); !at || !(gap(*at, tube) < 0))
        return std::nullopt;
    const auto at = posed_place(side, pose, tube, from_side);
    if (!at)
        return std::nullopt;
    const auto before = place_at(side, old, tube, from_side);
    const double r = at->radius.v;
    const PoseVec& n = at->n;
    // that of a cone grows along the axis: its growth counts as way of the centre
    const PoseScalar grown = at->radius - PoseScalar{r};
    const Vec3 belt = motion.dt * motion.surface_velocity;
    const Frame old_own = composed(old, side.frame);
    const PoseVec way = at->centre - still(old_own.x) - at->y * still(old_own.R.col(1));
    const HeldSpring held = held_spring(kept, flush_depth * side.radius, mu, k);
    PoseScalar distance = at->apart - PoseScalar{tube.radius} - grown;
    double old_distance = before ? before->apart.v - tube.radius + r - before->radius.v : distance.v;
    if (before && (kept || share_by_place(side, *before, tube, false) > 0)) {
        constexpr double rounding = 1e-9; // of the depth, or what rests would not keep its bits
        const double depth = r - old_distance, unfelt = held.depth < (1 - rounding) * depth ? depth - held.depth : 0;
        distance = unfelt + distance;
        old_distance += unfelt;
    } else {
        const PoseScalar came = held.depth + -1 * dot(n, way);
        if (came.v < r - distance.v) {
            distance = r + -1 * came;
            old_distance = r - held.depth;
        }
    }
    if (!(distance.v < r))
        return std::nullopt;
    const Transported xi = kept
        ? parallel_transport(held.ease * kept->rolling_on_solid().xi, before ? before->n.v : n.v, n.v)
        : Transported{Vec3::Zero(), Mat3::Zero()};
    const BallAtSurface<6> ball{.radius = r,
        .centre = at->centre - grown * n,
        .n = n,
        .distance = distance,
        .old_distance = {old_distance},
        .slip = rolling_slip(way - still(belt), posed_turn(pose.R * old.R.transpose()), n, at->radius),
        .offset = mapped(xi.v, xi.dv_db, n),
        .is_new = kept == nullptr};
    const RelaxedBall<6> relaxed = relax_ball(ball, mu, motion.damping_share());
    PoseContact contact =
        rolling_contact(motion, ball, relaxed, relaxed.K + (relaxed.Z - relaxed.P), motion.frame.to_world(pose.x));
    contact.stiffness_scale = scale_of(kept);
    return contact;
}

} // namespace stickslip
