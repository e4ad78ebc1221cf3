#include "stickslip/solver/work_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {

double work_search(
    const std::function<double(double)>& work, double w0, double longest, const WorkSearchOptions& options)
{
    constexpr double unbounded = std::numeric_limits<double>::infinity();
    const double flat = -options.curvature * w0;
    double low = 0, w_low = w0, high = unbounded, w_high = unbounded; // w(low) < 0 < w(high)
    double t = std::min(1.0, longest);
    for (int i = 0; i < options.max_evaluations; ++i) {
        const double w = work(t);
        if (std::abs(w) <= flat || (w < 0 && t >= longest))
            return t;
        if (w < 0) {
            low = t;
            w_low = w;
        } else { // or not finite
            high = t;
            w_high = std::isfinite(w) ? w : unbounded;
        }
        if (high == unbounded) {
            t = std::min(2 * t, longest);
        } else {
            // the secant's root, kept inside the middle 80 % of the interval
            const double share = std::isfinite(w_high) ? w_low / (w_low - w_high) : 0.5;
            t = low + std::clamp(share, 0.1, 0.9) * (high - low);
        }
    }
    if (low > 0)
        work(low);
    return low;
}

} // namespace stickslip
