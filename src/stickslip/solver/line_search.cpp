#include "stickslip/solver/line_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Point {
    double t, h, slope;
};

// Minimum of the cubic through two points with slopes, kept inside the middle 80 % of the interval; its middle
// otherwise.
double trial(const Point& a, const Point& b)
{
    const double middle = 0.5 * (a.t + b.t);
    if (!std::isfinite(a.h) || !std::isfinite(b.h) || !std::isfinite(b.slope))
        return middle;
    const double d1 = a.slope + b.slope - 3 * (a.h - b.h) / (a.t - b.t);
    const double root = d1 * d1 - a.slope * b.slope;
    if (root < 0)
        return middle;
    const double d2 = std::copysign(std::sqrt(root), b.t - a.t);
    const double t = b.t - (b.t - a.t) * (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2);
    return std::abs(t - middle) <= 0.4 * std::abs(b.t - a.t) ? t : middle;
}

class Search {
public:
    Search(const LineFunction& f, double h0, double slope0, const LineSearchOptions& options)
        : f_(f)
        , options_(options)
        , start_{0, h0, slope0}
    {
    }

    LineSearchReport run(double longest)
    {
        Point previous = start_;
        double t = std::min(1.0, longest);
        while (left()) {
            Point p = evaluate(t);
            if (!decreases(p) || (previous.t > 0 && p.h >= previous.h)) {
                if (std::isfinite(p.h))
                    p.slope = f_.slope();
                return zoom(previous, p);
            }
            p.slope = f_.slope();
            keep(p);
            if (flat(p))
                return report(p, true);
            if (p.slope >= 0)
                return zoom(p, previous);
            if (t >= longest)
                return report(p, false);
            previous = p;
            t = std::min(2 * t, longest);
        }
        return report(best_, false);
    }

private:
    bool left() const { return evaluations_ < options_.max_evaluations; }
    bool decreases(const Point& p) const { return p.h <= start_.h + options_.sufficient_decrease * p.t * start_.slope; }
    bool flat(const Point& p) const { return std::abs(p.slope) <= -options_.curvature * start_.slope; }

    Point evaluate(double t)
    {
        ++evaluations_;
        const double h = f_.value(t);
        return {t, std::isfinite(h) ? h : infinite, infinite};
    }

    void keep(const Point& p)
    {
        if (best_.t == 0 || p.h < best_.h)
            best_ = p;
    }

    LineSearchReport report(const Point& p, bool wolfe) const { return {p.t, p.h, wolfe, evaluations_}; }

    // `low` is the lower end and satisfies the decrease; the interval holds points that satisfy both conditions.
    LineSearchReport zoom(Point low, Point high)
    {
        while (left() && std::abs(high.t - low.t) > std::max(1e-14 * high.t, options_.kink * best_.t)) {
            Point p = evaluate(trial(low, high));
            if (!decreases(p) || p.h >= low.h) {
                if (std::isfinite(p.h))
                    p.slope = f_.slope();
                high = p;
                continue;
            }
            p.slope = f_.slope();
            keep(p);
            if (flat(p))
                return report(p, true);
            if (p.slope * (high.t - low.t) >= 0)
                high = low;
            low = p;
        }
        return report(best_, false);
    }

    const LineFunction& f_;
    const LineSearchOptions& options_;
    Point start_;
    Point best_{0, infinite, infinite};
    int evaluations_ = 0;
};

} // namespace

LineSearchReport line_search(
    const LineFunction& f, double h0, double slope0, double longest, const LineSearchOptions& options)
{
    return Search(f, h0, slope0, options).run(longest);
}

} // namespace stickslip
