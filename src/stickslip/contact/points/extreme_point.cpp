#include "stickslip/contact/points/extreme_point.h"

#include "stickslip/math/smooth_step.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace stickslip {

namespace {

constexpr int directions = 24; // looked at before minima are followed
constexpr double turn = 2 * std::numbers::pi;
constexpr double flat_until = 0.005, sharp_from = 0.02; // of q

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

// Where F goes through zero between low and high: rises (a minimum), or falls (a maximum).
double turning_point(const AlongAngle& along, double low, double high, bool rises)
{
    double angle = 0.5 * (low + high);
    for (int i = 0; i < 60; ++i) {
        const AlongCircle at = along(angle);
        ((at.F < 0) == rises ? low : high) = angle;
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

// A place looked at.
struct Looked {
    double angle;
    AlongCircle at;
};

bool is_even(const AlongCircle& at)
{
    return std::hypot(at.F, at.q) < 0.5 * flat_until;
}

// Where F rises through zero between a and b, but may do so twice and fall through it in between: the angle at which
// the cubic of the ends' F and q falls most, if it hardly rises there.
std::optional<double> may_hide_two(const Looked& a, const Looked& b)
{
    if (!(a.at.F < 0 && b.at.F >= 0 && a.at.q > 0 && b.at.q > 0))
        return std::nullopt;
    const double width = b.angle - a.angle, slope = (b.at.F - a.at.F) / width;
    const double bend = 3 * (a.at.q + b.at.q) - 6 * slope; // q = q_a + (q_b - q_a - bend) t + bend t^2
    const double t = 0.5 - (b.at.q - a.at.q) / (2 * bend);
    const double least = a.at.q - bend * t * t;
    if (!(bend > 0 && t > 0 && t < 1 && least < 0.1 * std::min(a.at.q, b.at.q)))
        return std::nullopt;
    return a.angle + t * width;
}

// Into how many pieces the stretch between two directions is cut: where the tubes of circle and solid can meet the
// distance changes over as little as the distance of their centre lines.
int pieces_to_look_at(const DistanceField& field, const Circle& circle, double middle)
{
    const double length = turn / directions * circle.radius;
    const bool sampled = std::holds_alternative<std::shared_ptr<const GridLevelSet>>(*field.solid);
    const double least = sampled ? 0.3 * field.narrowest() : 0.25 * (field.narrowest() + circle.tube);
    if (!(length > least)
        || !(field.distance(circle.centre + circle.radius * circle.direction(middle)) < circle.tube + length))
        return 1;
    return static_cast<int>(std::ceil(std::min(length / least, 16.0)));
}

// Angles on both sides of the planes on which two faces of an inner corner are equally near, ascending. A face that is
// the nearer one between two of them alone has its minimum there.
struct Kinks {
    static constexpr int capacity = 64;
    std::array<double, capacity> angles;
    int count = 0;

    const double* begin() const { return angles.data(); }
    const double* end() const { return angles.data() + count; }
};

Kinks find_kinks(const DistanceField& field, const Circle& circle)
{
    constexpr double beside = 1e-7; // [rad]
    Kinks kinks;
    const Seams seams = stickslip::seams(*field.solid);
    if (seams.inner.empty() || circle.tube < seams.least)
        return kinks;
    for (const InnerEdge& edge : seams.inner) {
        const auto crossings = circle.crossings(edge.n, edge.n.dot(edge.a));
        if (!crossings)
            continue;
        const Vec3 length = edge.b - edge.a;
        for (const double angle : *crossings) {
            const Vec3 u = circle.direction(angle), arm = circle.centre + circle.radius * u - edge.a;
            const double t = length.dot(arm) / length.squaredNorm();
            const double away = (arm - t * length).norm();
            // what touches both faces is tube/sine away
            if (t < 0 || t > 1 || away * edge.sine > 1.5 * circle.tube || kinks.count + 2 > Kinks::capacity)
                continue;
            const double here = circle.angle(u);
            kinks.angles[kinks.count++] = here - beside;
            kinks.angles[kinks.count++] = here + beside;
        }
    }
    std::sort(kinks.angles.begin(), kinks.angles.begin() + kinks.count);
    return kinks;
}

struct Found {
    const DistanceField& field;
    const Circle& circle;
    ExtremePoints minima;

    // Those between two places at which F or q has another sign.
    void add_minima(const Looked& a, const Looked& b)
    {
        if (is_even(a.at) && is_even(b.at))
            return;
        const bool falls = a.at.F < 0, falls_on = b.at.F < 0;
        if (falls && !falls_on) {
            add(a.angle, b.angle);
        } else if (falls == falls_on && (a.at.q < 0) != falls && (b.at.q < 0) == falls) {
            // F turns back towards zero and away again in between: it may have crossed twice
            if (const auto between = other_sign({field, circle}, a.angle, b.angle, falls, a.at.q < 0))
                falls ? add(a.angle, *between) : add(*between, b.angle);
        }
    }
    void add(double low, double high) { add(circle.direction(turning_point({field, circle}, low, high, true))); }
    void add(const Vec3& u)
    {
        const Vec3 E = circle.centre + circle.radius * u;
        const LevelSetSample at = field.at(E);
        const ExtremePoint found{circle.angle(u), u, E, at.phi, along_circle(at, circle, u).q};
        if (minima.count < ExtremePoints::capacity) {
            minima.points[minima.count++] = found;
            return;
        }
        const auto highest = std::ranges::max_element(minima.points, {}, &ExtremePoint::phi);
        if (found.phi < highest->phi)
            *highest = found;
    }
};

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

double DistanceField::narrowest() const
{
    if (const auto* grid = std::get_if<std::shared_ptr<const GridLevelSet>>(solid))
        return (*grid)->spacing();
    if (patch >= 0)
        return infinity;
    if (const Torus* torus = std::get_if<Torus>(solid))
        return torus->minor;
    if (const Capsule* capsule = std::get_if<Capsule>(solid))
        return capsule->radius;
    if (const RoundedBox* box = std::get_if<RoundedBox>(solid))
        return box->radius;
    const bool is_sharp = std::holds_alternative<Box>(*solid) || std::holds_alternative<Cylinder>(*solid)
        || std::holds_alternative<Cone>(*solid)
        || std::holds_alternative<std::shared_ptr<const ConvexPolyhedron>>(*solid);
    return is_sharp ? 0 : infinity;
}

Vec3 Circle::direction(double angle) const
{
    return std::cos(angle) * mark + std::sin(angle) * axis.cross(mark);
}

double Circle::angle(const Vec3& u) const
{
    const double angle = std::atan2(axis.cross(mark).dot(u), mark.dot(u));
    return angle < first_angle ? angle + turn : angle;
}

std::optional<std::array<double, 2>> Circle::crossings(const Vec3& n, double h) const
{
    const double along_mark = n.dot(mark), along_across = n.dot(axis.cross(mark));
    const double cosine = (h - n.dot(centre)) / (radius * std::hypot(along_mark, along_across));
    if (!(std::abs(cosine) < 1))
        return std::nullopt;
    const double middle = std::atan2(along_across, along_mark), half = std::acos(cosine);
    return std::array{middle - half, middle + half};
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
    const auto look = [&](double angle) { return Looked{angle, along(angle)}; };
    const Looked first = look(Circle::first_angle);
    Looked a = first;
    const auto walk_to = [&](const Looked& b) {
        if (const auto between = may_hide_two(a, b)) {
            const Looked middle = look(*between);
            found.add_minima(a, middle);
            found.add_minima(middle, b);
        } else {
            found.add_minima(a, b);
        }
        a = b;
    };
    const Kinks kinks = find_kinks(field, circle);
    for (int i = 1; i <= directions; ++i) {
        const double angle = Circle::first_angle + i * turn / directions;
        const Looked end = i < directions ? look(angle) : Looked{angle, first.at};
        const int pieces = pieces_to_look_at(field, circle, 0.5 * (a.angle + angle));
        for (int k = 1; k <= pieces; ++k) {
            const Looked b = k < pieces ? look(angle - (pieces - k) * turn / (directions * pieces)) : end;
            for (const double kink : kinks)
                if (kink > a.angle && kink < b.angle)
                    walk_to(look(kink));
            walk_to(b);
        }
    }
    std::sort(found.minima.points.begin(), found.minima.points.begin() + found.minima.count,
        [](const ExtremePoint& p, const ExtremePoint& q) { return p.angle < q.angle; });
    return found.minima;
}

double maximum_between(const DistanceField& field, const Circle& circle, double low, double high)
{
    return turning_point({field, circle}, low, high, false);
}

double minimum_between(const DistanceField& field, const Circle& circle, double low, double high)
{
    return turning_point({field, circle}, low, high, true);
}

int run_down(const ExtremePoints& minima, const DistanceField& field, const Circle& circle, double angle)
{
    if (minima.count <= 1)
        return minima.count - 1;
    const double here = circle.angle(circle.direction(angle));
    constexpr double at_it = 1e-5; // [rad] from a minimum, where rounding decides which way is down
    for (int i = 0; i < minima.count; ++i)
        if (std::abs(std::remainder(minima.points[i].angle - here, turn)) < at_it)
            return i;
    // minima and maxima alternate, so that the next minimum downhill is the one reached
    const bool up = AlongAngle{field, circle}(here).F < 0;
    int above = 0;
    while (above < minima.count && minima.points[above].angle < here)
        ++above;
    return up ? above % minima.count : (above + minima.count - 1) % minima.count;
}

ExtremeShare extreme_share(double sharpness)
{
    const double width = sharp_from - flat_until;
    const SmoothStep s = smooth_step((sharpness - flat_until) / width);
    return {s.value, s.slope / width};
}

} // namespace stickslip
