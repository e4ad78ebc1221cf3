#include "stickslip/geometry/queries/moving_triangle.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

/// Six times the volume of corners and point over time: c[0] + c[1] t + c[2] t^2 + c[3] t^3, positive in front.
struct Cubic {
    std::array<double, 4> c;
    double at(double t) const { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }
};

Cubic volume_over_time(const MovingPointTriangle& m)
{
    const Vec3 u = m.x_old[1] - m.x_old[0], v = m.x_old[2] - m.x_old[0], w = m.p_old - m.x_old[0];
    const Vec3 du = m.x[1] - m.x[0] - u, dv = m.x[2] - m.x[0] - v, dw = m.p - m.x[0] - w;
    const Vec3 n0 = u.cross(v), n1 = u.cross(dv) + du.cross(v), n2 = du.cross(dv);
    return {{w.dot(n0), dw.dot(n0) + w.dot(n1), dw.dot(n1) + w.dot(n2), dw.dot(n2)}};
}

/// Times between which the cubic rises or falls: 0, its extrema within (0, 1) ascending, 1.
int monotone_pieces(const Cubic& f, std::array<double, 4>& t)
{
    int n = 0;
    t[n++] = 0;
    const double a = 3 * f.c[3], b = 2 * f.c[2], c = f.c[1];
    const double D = b * b - 4 * a * c;
    if (D >= 0) {
        const double q = -0.5 * (b + std::copysign(std::sqrt(D), b));
        std::array<double, 2> roots = {q / a, c / q};
        if (!(roots[0] < roots[1]))
            std::swap(roots[0], roots[1]);
        for (const double root : roots)
            if (root > t[n - 1] && root < 1)
                t[n++] = root;
    }
    t[n++] = 1;
    return n;
}

/// Where f falls through 0 between t0, where it is not negative, and t1, where it is.
double falling_root(const Cubic& f, double t0, double t1)
{
    for (int i = 0; i < 60 && t1 - t0 > 1e-15; ++i) {
        const double middle = 0.5 * (t0 + t1);
        (f.at(middle) >= 0 ? t0 : t1) = middle;
    }
    return 0.5 * (t0 + t1);
}

bool is_within(const MovingPointTriangle& m, double t)
{
    const auto at = [&](const Vec3& from, const Vec3& to) { return Vec3(from + t * (to - from)); };
    const Vec3 p = at(m.p_old, m.p), a = at(m.x_old[0], m.x[0]), b = at(m.x_old[1], m.x[1]), c = at(m.x_old[2], m.x[2]);
    const Vec3 n = (b - a).cross(c - a);
    const double least = -1e-9 * n.squaredNorm();
    return (c - b).cross(p - b).dot(n) >= least && (a - c).cross(p - c).dot(n) >= least
        && (b - a).cross(p - a).dot(n) >= least;
}

} // namespace

std::optional<double> first_crossing(const MovingPointTriangle& m)
{
    const Cubic f = volume_over_time(m);
    std::array<double, 4> t;
    const int n = monotone_pieces(f, t);
    for (int i = 0; i + 1 < n; ++i)
        if (f.at(t[i]) >= 0 && f.at(t[i + 1]) < 0)
            if (const double root = falling_root(f, t[i], t[i + 1]); is_within(m, root))
                return root;
    return std::nullopt;
}

} // namespace stickslip
