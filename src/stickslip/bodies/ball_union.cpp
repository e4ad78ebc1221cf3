#include "stickslip/bodies/ball_union.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace stickslip {

namespace {

constexpr double pi = std::numbers::pi;

/// Nodes and weights of Gauss and Legendre on [0, 1].
template <int n>
struct GaussRule {
    double x[n], weight[n];

    GaussRule()
    {
        for (int i = 0; i < n; ++i) {
            double z = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 1;
            for (int newton = 0; newton < 8; ++newton) {
                double p = 1, before = 0;
                for (int k = 1; k <= n; ++k)
                    before = std::exchange(p, ((2 * k - 1) * z * p - (k - 1) * before) / k);
                slope = n * (z * p - before) / (z * z - 1);
                z -= p / slope;
            }
            x[i] = 0.5 * (1 + z);
            weight[i] = 1 / ((1 - z * z) * slope * slope);
        }
    }
};

struct Disc {
    double x, y, radius;
};

/// Integrals over a plane figure.
struct Moments {
    double area = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
};

/// Adds the arc of a disc's edge from one angle to another, by Green.
void add_arc(const Disc& disc, double from, double to, Moments& sum)
{
    static const GaussRule<12> rule;
    const int pieces = static_cast<int>(std::ceil((to - from) / (pi / 2)));
    const double step = (to - from) / pieces;
    for (int piece = 0; piece < pieces; ++piece) {
        for (int i = 0; i < 12; ++i) {
            const double angle = from + step * (piece + rule.x[i]), part = step * rule.weight[i] * disc.radius;
            const double x = disc.x + disc.radius * std::cos(angle), y = disc.y + disc.radius * std::sin(angle);
            const double dx = -part * std::sin(angle), dy = part * std::cos(angle);
            sum.area += 0.5 * (x * dy - y * dx);
            sum.x += 0.5 * x * x * dy;
            sum.y -= 0.5 * y * y * dx;
            sum.xx += x * x * x * dy / 3;
            sum.yy -= y * y * y * dx / 3;
            sum.xy += 0.5 * x * x * y * dy;
        }
    }
}

/// Angles of disc i that others hide, within [0, 2 pi]; false: all of them.
bool find_hidden(const std::vector<Disc>& discs, std::size_t i, std::vector<std::pair<double, double>>& hidden)
{
    hidden.clear();
    const Disc& a = discs[i];
    for (std::size_t j = 0; j < discs.size(); ++j) {
        const Disc& b = discs[j];
        const double dx = b.x - a.x, dy = b.y - a.y, d = std::hypot(dx, dy);
        if (j == i || d >= a.radius + b.radius)
            continue;
        const bool same = d == 0 && a.radius == b.radius; // the first of them stays
        if (same ? j < i : d <= b.radius - a.radius)
            return false;
        if (same || d <= a.radius - b.radius)
            continue;
        const double cosine = (d * d + a.radius * a.radius - b.radius * b.radius) / (2 * d * a.radius);
        const double half = std::acos(std::clamp(cosine, -1.0, 1.0));
        double from = std::atan2(dy, dx) - half;
        from -= 2 * pi * std::floor(from / (2 * pi));
        hidden.emplace_back(from, std::min(from + 2 * half, 2 * pi));
        if (from + 2 * half > 2 * pi)
            hidden.emplace_back(0, from + 2 * half - 2 * pi);
    }
    std::sort(hidden.begin(), hidden.end());
    return true;
}

Moments moments(const std::vector<Disc>& discs)
{
    Moments sum;
    std::vector<std::pair<double, double>> hidden;
    for (std::size_t i = 0; i < discs.size(); ++i) {
        if (!find_hidden(discs, i, hidden))
            continue;
        double open = 0;
        for (const auto& [from, to] : hidden) {
            if (from > open)
                add_arc(discs[i], open, from, sum);
            open = std::max(open, to);
        }
        if (open < 2 * pi)
            add_arc(discs[i], open, 2 * pi, sum);
    }
    return sum;
}

/// Heights at which the cut changes its kind: ends of balls, and of the circles in which two of them meet.
std::vector<double> heights(std::span<const RoundPoint> balls)
{
    std::vector<double> z;
    for (std::size_t i = 0; i < balls.size(); ++i) {
        const RoundPoint& a = balls[i];
        z.push_back(a.centre.z() - a.radius);
        z.push_back(a.centre.z() + a.radius);
        for (std::size_t j = 0; j < i; ++j) {
            const Vec3 d = balls[j].centre - a.centre;
            const double distance = d.norm();
            if (distance == 0)
                continue;
            const double along =
                0.5 * (distance + (a.radius * a.radius - balls[j].radius * balls[j].radius) / distance);
            const double square = a.radius * a.radius - along * along;
            if (!(square > 0))
                continue;
            const Vec3 u = d / distance;
            const double middle = a.centre.z() + along * u.z();
            const double reach = std::sqrt(square * std::max(1 - u.z() * u.z(), 0.0));
            z.push_back(middle - reach);
            z.push_back(middle + reach);
        }
    }
    std::sort(z.begin(), z.end());
    return z;
}

} // namespace

MassProperties mass_properties(std::span<const RoundPoint> balls)
{
    static const GaussRule<24> rule;
    constexpr int panels = 4; // between two heights
    const Vec3 origin = balls.front().centre;
    const std::vector<double> ends = heights(balls);
    double volume = 0;
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    std::vector<Disc> discs;
    const auto add_cut = [&](double z, double weight) {
        discs.clear();
        for (const RoundPoint& ball : balls) {
            const double up = z - ball.centre.z(), square = ball.radius * ball.radius - up * up;
            const Vec3 c = ball.centre - origin;
            if (square > 0)
                discs.push_back({c.x(), c.y(), std::sqrt(square)});
        }
        const Moments m = moments(discs);
        const double h = z - origin.z();
        volume += weight * m.area;
        first += weight * Vec3(m.x, m.y, h * m.area);
        Mat3 all;
        all << m.xx, m.xy, h * m.x, m.xy, m.yy, h * m.y, h * m.x, h * m.y, h * h * m.area;
        second += weight * all;
    };
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
        const double width = (ends[k + 1] - ends[k]) / panels;
        for (int panel = 0; panel < panels && width > 0; ++panel) {
            for (int i = 0; i < 24; ++i) { // by an angle, since cuts begin and end as square roots
                const double angle = pi * rule.x[i];
                const double z = ends[k] + width * (panel + 0.5 * (1 - std::cos(angle)));
                add_cut(z, 0.5 * pi * width * rule.weight[i] * std::sin(angle));
            }
        }
    }
    const Vec3 centre = first / volume;
    second -= volume * centre * centre.transpose();
    return {volume, origin + centre, second.trace() * Mat3::Identity() - second};
}

} // namespace stickslip
