#include "stickslip/contact/edges/axis_crossing.h"

#include "stickslip/geometry/solids/convex_features.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

constexpr double no_sine = 0.02, full_sine = 0.1; // [-] of the angle between the tube and the side
constexpr double no_end = 0.05, full_end = 0.1; // [radius] from the end of the side: what is flat there is no ball
constexpr double full_edge = 0.02; // [-] of the edge, from its end, where its vertex carries
constexpr double nearest = 2e-3; // [radius] by which another place of the solid may be nearer than the tube
constexpr double deepest = 0.5; // [radii] beyond which the two are no longer beside one another

double rise(double from, double to, double x)
{
    const double a = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return a * a * (3 - 2 * a);
}

std::vector<Tube> edges_of(const LevelSet& solid, double radius)
{
    std::vector<Tube> tubes;
    if (const auto features = convex_features(solid))
        for (std::size_t e = 0; e < features->edges.size(); ++e)
            tubes.push_back({features->start(static_cast<int>(e)), features->along(static_cast<int>(e)), radius});
    return tubes;
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

std::optional<AxisCrossing> axis_crossing(
    const RoundSide& side, const Frame& pose, const Tube& tube, int number, const LevelSet& solid)
{
    // The distance along the tube is cos sqrt(C w^2 + m^2) + sin v_y w + constant, v its direction, C = |v|^2 across
    // the axis and w measured from the place that is nearest to the axis, by m.
    const Vec3 start = pose.to_local(tube.start), v = pose.R.transpose() * tube.along;
    const double cosine = 1 / std::hypot(1, side.slope), sine = side.slope * cosine, g = -sine * v.y();
    const double C = v.x() * v.x() + v.z() * v.z(), bend = C * cosine * cosine - g * g;
    if (!(bend > no_sine * no_sine * v.squaredNorm()))
        return std::nullopt;
    const double w0 = -(start.x() * v.x() + start.z() * v.z()) / C;
    const double m = std::hypot(start.x() + w0 * v.x(), start.z() + w0 * v.z());
    const double t = w0 + g * m / std::sqrt(C * bend);
    const Vec3 P = start + t * v;
    const double rho = std::hypot(P.x(), P.z()), y = P.y() - rho * side.slope;
    const double radius = side.radius * cosine - (y + 0.5 * side.height) * sine, apart = rho / cosine;
    if (!(radius > 0) || apart < deepest * (radius + tube.radius))
        return std::nullopt;
    const double across = std::abs(P.x() * v.z() - P.z() * v.x()) / (rho * v.norm());
    const double foot = y + radius * sine, to_end = 0.5 * side.height - std::abs(foot);
    double share = rise(no_sine, full_sine, across) * rise(no_end, full_end, to_end / side.radius)
        * rise(0, full_edge, std::min(t, 1 - t));
    if (!(share > 0))
        return std::nullopt;
    const double nearer = apart - tube.radius - signed_distance(solid, pose.to_world(Vec3(0, y, 0)));
    share *= rise(0, 1, 1 - nearer / (nearest * radius));
    if (!(share > 0))
        return std::nullopt;
    return AxisCrossing{number, y, radius, share};
}

} // namespace stickslip
