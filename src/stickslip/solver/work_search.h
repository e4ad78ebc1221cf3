#pragma once

#include <functional>

namespace stickslip {

struct WorkSearchOptions {
    double curvature = 0.5; // [-] share of the first slope that is small enough
    int max_evaluations = 20;
};

/// Step t in (0, longest] along a direction dz at which the work w(t) = dz . g(z + t dz) of a residual g that need not
/// be a gradient has nearly vanished: |w(t)| <= curvature |w(0)|, tried first at t = min(1, longest). Where g is the
/// gradient of a function this is its line search by slopes alone; across a jump of w it ends on the side where w still
/// falls. Leaves `work` called last with the t it returns; 0 when there is no such step. A work that is not finite
/// counts as too far. Pre: w0 = w(0) < 0.
double work_search(
    const std::function<double(double)>& work, double w0, double longest, const WorkSearchOptions& options);

} // namespace stickslip
