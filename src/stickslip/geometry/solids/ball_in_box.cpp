#include "stickslip/geometry/solids/ball_in_box.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

using std::numbers::pi;

/// Area of the disc where x >= t.
double segment(double r, double t)
{
    if (t >= r)
        return 0;
    if (t <= -r)
        return pi * r * r;
    return r * r * std::acos(t / r) - t * std::sqrt(r * r - t * t);
}

/// Area of the disc where x >= a and y >= b.
double corner(double r, double a, double b)
{
    if (a * a + b * b < r * r) // half of the sector, and the triangles between it and the corner
        return 0.5
            * (r * r * (pi / 2 - std::asin(a / r) - std::asin(b / r)) + 2 * a * b - a * std::sqrt(r * r - a * a)
                - b * std::sqrt(r * r - b * b));
    if (a >= 0 && b >= 0)
        return 0;
    if (a >= 0)
        return segment(r, a);
    if (b >= 0)
        return segment(r, b);
    return pi * r * r - segment(r, -a) - segment(r, -b); // what the two lines cut off does not meet
}

// Gauss and Legendre's rule on [-1, 1], its positive half.
constexpr int half_points = 8;
constexpr double gauss_x[half_points] = {0.0950125098376374, 0.2816035507792589, 0.4580167776572274, 0.6178762444026438,
    0.7554044083550030, 0.8656312023878318, 0.9445750230732326, 0.9894009349916499};
constexpr double gauss_w[half_points] = {0.1894506104550685, 0.1826034150449236, 0.1691565193950025, 0.1495959888165767,
    0.1246289712555339, 0.0951585116824928, 0.0622535239386479, 0.0271524594117541};

/// Integral over [a, b] of a function that has roots of the distance to either end in it: z = mean - half cos(t) makes
/// it smooth in t.
double integral(double a, double b, const auto& function)
{
    const double mean = 0.5 * (a + b), half = 0.5 * (b - a);
    double sum = 0;
    for (int i = 0; i < half_points; ++i) {
        for (const double sign : {-1.0, 1.0}) {
            const double t = pi / 2 * (1 + sign * gauss_x[i]);
            sum += gauss_w[i] * std::sin(t) * function(mean - half * std::cos(t));
        }
    }
    return half * pi / 2 * sum;
}

} // namespace

double disc_in_rectangle(double r, double x0, double x1, double y0, double y1)
{
    return corner(r, x0, y0) - corner(r, x1, y0) - corner(r, x0, y1) + corner(r, x1, y1);
}

double ball_in_box(const Vec3& centre, double radius, const Bounds& box)
{
    const Vec3 low = box.min - centre, high = box.max - centre;
    if ((low.array() <= -radius).all() && (high.array() >= radius).all())
        return 4 * pi / 3 * radius * radius * radius;
    if ((low.array() >= radius).any() || (high.array() <= -radius).any())
        return 0;
    // The radius of a slice is that of its shape's changes where it reaches a side or a corner of the rectangle.
    const double bottom = std::max(low[2], -radius), top = std::min(high[2], radius);
    double cuts[18];
    int count = 0;
    cuts[count++] = bottom;
    const auto add = [&](double reach_squared) {
        const double z_squared = radius * radius - reach_squared;
        if (z_squared <= 0)
            return;
        for (const double z : {-std::sqrt(z_squared), std::sqrt(z_squared)})
            if (z > bottom && z < top)
                cuts[count++] = z;
    };
    for (const double x : {low[0], high[0]}) {
        add(x * x);
        for (const double y : {low[1], high[1]})
            add(x * x + y * y);
    }
    for (const double y : {low[1], high[1]})
        add(y * y);
    std::sort(cuts, cuts + count);
    cuts[count] = top;
    double volume = 0;
    for (int i = 0; i < count; ++i)
        volume += integral(cuts[i], cuts[i + 1], [&](double z) {
            const double r = std::sqrt(std::max(0.0, radius * radius - z * z));
            return disc_in_rectangle(r, low[0], high[0], low[1], high[1]);
        });
    return volume;
}

} // namespace stickslip
