#pragma once

#include <functional>

namespace stickslip {

struct LineSearchOptions {
    double sufficient_decrease = 1e-4; // [-] c1
    double curvature = 0.9; // [-] c2
    int max_evaluations = 30;
    double kink = 0.02; // [-] share of a step with sufficient decrease at which an interval that still holds no flatter
                        // one is taken for a kink
};

/// The function h(t) along a line. value(t) evaluates, slope() is h'(t) at the last t given to value. A value that is
/// not finite counts as infinitely high.
struct LineFunction {
    std::function<double(double)> value;
    std::function<double()> slope;
};

struct LineSearchReport {
    double t = 0; // accepted step; 0 when nothing lower was found
    double h = 0; // h(t)
    bool wolfe = false; // both strong Wolfe conditions hold at t; else t is the lowest point with sufficient decrease
    int evaluations = 0;
};

/// Step t in (0, longest] with h(t) <= h(0) + c1 t h'(0) and |h'(t)| <= c2 |h'(0)|, tried first at t = min(1, longest).
/// Pre: slope0 = h'(0) < 0. On a function with kinks the second condition may have no solution: then the first alone
/// decides. Source: Nocedal and Wright, Numerical Optimization, Algorithms 3.5 and 3.6
LineSearchReport line_search(
    const LineFunction& f, double h0, double slope0, double longest, const LineSearchOptions& options);

} // namespace stickslip
