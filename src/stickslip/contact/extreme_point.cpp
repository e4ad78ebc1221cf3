#include "stickslip/contact/extreme_point.h"

#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

constexpr int directions = 24; // looked at before a minimum is followed
constexpr double flat_until = 0.005, sharp_from = 0.02; // of q

// Derivative of phi by the angle, divided by the radius, and the derivative of that: q.
struct Slope {
    double F, q;
};
Slope slope(const LevelSetSample& at, const Circle& circle, const Vec3& u)
{
    const Vec3 t = circle.axis.cross(u);
    return {at.n.dot(t), circle.radius * t.dot(at.hessian * t) - at.n.dot(u)};
}

// The point that a plane would meet first, if the solid is one as far as the circle can tell: on a convex solid the
// plane through the point is below phi everywhere, so that the minimum is the lowest one.
bool is_convex(const LevelSet& solid)
{
    return !std::holds_alternative<Torus>(solid) && !std::holds_alternative<std::shared_ptr<const GridLevelSet>>(solid);
}

} // namespace

ExtremePoint find_extreme_point(const DistanceField& field, const Circle& circle)
{
    const Vec3 side = circle.axis.cross(circle.mark);
    const auto point = [&](const Vec3& u) { return Vec3(circle.centre + circle.radius * u); };
    if (is_convex(*field.solid)) {
        const Vec3 n = field.at(circle.centre).n;
        const Vec3 across = n - circle.axis.dot(n) * circle.axis;
        const double length = across.norm();
        const Vec3 u = length > 1e-12 ? Vec3(-across / length) : circle.mark;
        const LevelSetSample at = field.at(point(u));
        if (at.hessian.isZero(0) && at.n == n)
            return {u, point(u), length};
    }
    const auto turned = [&](double angle) { return Vec3(std::cos(angle) * circle.mark + std::sin(angle) * side); };
    const double step = 2 * std::numbers::pi / directions;
    int best = 0;
    double lowest = infinity;
    for (int i = 0; i < directions; ++i) {
        const double phi = field.distance(point(turned(i * step)));
        if (phi < lowest) {
            lowest = phi;
            best = i;
        }
    }
    double low = (best - 1) * step, high = (best + 1) * step, angle = best * step;
    for (int i = 0; i < 60; ++i) {
        const Vec3 u = turned(angle);
        const Slope at = slope(field.at(point(u)), circle, u);
        (at.F < 0 ? low : high) = angle;
        double next = angle - at.F / at.q;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (std::abs(next - angle) < 1e-15 * (1 + std::abs(angle)))
            break;
        angle = next;
    }
    const Vec3 u = turned(angle);
    return {u, point(u), slope(field.at(point(u)), circle, u).q};
}

ExtremeShare extreme_share(double sharpness)
{
    const double x = (sharpness - flat_until) / (sharp_from - flat_until);
    if (!(x > 0))
        return {0, 0};
    if (x >= 1)
        return {1, 0};
    return {x * x * (3 - 2 * x), 6 * x * (1 - x) / (sharp_from - flat_until)};
}

} // namespace stickslip
