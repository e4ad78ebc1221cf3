#include "stickslip/contact/points/extreme_point.h"

#include "stickslip/math/check.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace stickslip {

namespace {

constexpr int directions = 24; // looked at before minima are followed
constexpr double turn = 2 * std::numbers::pi;
constexpr double flat_until = 0.005, sharp_from = 0.02; // of q
static_assert(2 * directions <= ExtremePoints::capacity);

/// phi along a circle, as a function of the angle.
struct AlongAngle {
    const DistanceField& field;
    const Circle& circle;

    AlongCircle operator()(double angle) const
    {
        const Vec3 u = circle.direction(angle);
        return along_circle(field.at(circle.centre + circle.radius * u), circle, u);
    }
};

// Where F rises through zero between low and high.
double rising_root(const AlongAngle& along, double low, double high)
{
    double angle = 0.5 * (low + high);
    for (int i = 0; i < 60; ++i) {
        const AlongCircle at = along(angle);
        (at.F < 0 ? low : high) = angle;
        double next = angle - at.F / at.q;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (std::abs(next - angle) < 1e-15 * (1 + std::abs(angle)))
            break;
        angle = next;
    }
    return angle;
}

// An angle between low and high where F has the other sign than at both of them, if it has one: it would about where q
// vanishes. At low q has the sign `q_negative`, at high the other.
std::optional<double> other_sign(const AlongAngle& along, double low, double high, bool F_negative, bool q_negative)
{
    for (int i = 0; i < 12; ++i) {
        const double middle = 0.5 * (low + high);
        const AlongCircle at = along(middle);
        if ((at.F < 0) != F_negative)
            return middle;
        ((at.q < 0) == q_negative ? low : high) = middle;
    }
    return std::nullopt;
}

struct Found {
    const DistanceField& field;
    const Circle& circle;
    ExtremePoints minima;

    void add(double low, double high) { add(circle.direction(rising_root({field, circle}, low, high))); }
    void add(const Vec3& u)
    {
        const Vec3 E = circle.centre + circle.radius * u;
        const LevelSetSample at = field.at(E);
        STICKSLIP_ASSERT(minima.count < ExtremePoints::capacity);
        minima.points[minima.count++] = {circle.angle(u), u, E, at.phi, along_circle(at, circle, u).q};
    }
};

bool is_even(const AlongCircle& at)
{
    return std::hypot(at.F, at.q) < 0.5 * flat_until;
}

// The minimum over a plane, in closed form; nothing where the field is none.
std::optional<Vec3> direction_over_plane(const DistanceField& field, const Circle& circle)
{
    if (field.patch < 0 && !std::holds_alternative<Plane>(*field.solid))
        return std::nullopt; // flat in places
    const Vec3 n = field.at(circle.centre).n;
    const Vec3 across = n - circle.axis.dot(n) * circle.axis;
    const double length = across.norm();
    const Vec3 u = length > 1e-12 ? Vec3(-across / length) : circle.mark;
    const LevelSetSample at = field.at(circle.centre + circle.radius * u);
    return at.hessian.isZero(0) && at.n == n ? std::optional(u) : std::nullopt;
}

} // namespace

Vec3 Circle::direction(double angle) const
{
    return std::cos(angle) * mark + std::sin(angle) * axis.cross(mark);
}

double Circle::angle(const Vec3& u) const
{
    const double angle = std::atan2(axis.cross(mark).dot(u), mark.dot(u));
    return angle < first_angle ? angle + turn : angle;
}

AlongCircle along_circle(const LevelSetSample& at, const Circle& circle, const Vec3& u)
{
    const Vec3 t = circle.axis.cross(u);
    return {at.n.dot(t), circle.radius * t.dot(at.hessian * t) - at.n.dot(u)};
}

ExtremePoints find_extreme_points(const DistanceField& field, const Circle& circle)
{
    Found found{field, circle, {}};
    if (const auto u = direction_over_plane(field, circle)) {
        found.add(*u);
        return found.minima;
    }
    const AlongAngle along{field, circle};
    const auto angle = [](int i) { return Circle::first_angle + i * turn / directions; };
    std::array<AlongCircle, directions + 1> at;
    for (int i = 0; i < directions; ++i)
        at[i] = along(angle(i));
    at[directions] = at[0];
    for (int i = 0; i < directions; ++i) {
        const double low = angle(i), high = angle(i + 1);
        const AlongCircle &a = at[i], &b = at[i + 1];
        if (is_even(a) && is_even(b))
            continue;
        const bool falls = a.F < 0, falls_on = b.F < 0;
        if (falls && !falls_on) {
            found.add(low, high);
        } else if (falls == falls_on && (a.q < 0) != falls && (b.q < 0) == falls) {
            // F turns back towards zero and away again in between: it may have crossed twice
            if (const auto between = other_sign(along, low, high, falls, a.q < 0))
                falls ? found.add(low, *between) : found.add(*between, high);
        }
    }
    std::sort(found.minima.points.begin(), found.minima.points.begin() + found.minima.count,
        [](const ExtremePoint& p, const ExtremePoint& q) { return p.angle < q.angle; });
    return found.minima;
}

int run_down(const ExtremePoints& minima, const DistanceField& field, const Circle& circle, double angle)
{
    if (minima.count <= 1)
        return minima.count - 1;
    // minima and maxima alternate, so that the next minimum downhill is the one reached
    const Vec3 u = circle.direction(angle);
    const bool up = along_circle(field.at(circle.centre + circle.radius * u), circle, u).F < 0;
    const double here = circle.angle(u);
    int above = 0;
    while (above < minima.count && minima.points[above].angle < here)
        ++above;
    return up ? above % minima.count : (above + minima.count - 1) % minima.count;
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
