#include "stickslip/run/output/output_moments.h"

#include <cmath>

namespace stickslip {

double next_moment(double time, double start, double interval, double step)
{
    return start + (std::floor((time - start + 1e-6 * step) / interval) + 1) * interval;
}

double resumed_moment(double kept, double time, double start, double interval, double step)
{
    const bool is_multiple = std::abs(std::remainder(kept - start, interval)) <= 0.5 * step;
    const bool is_next = kept <= time + interval + 0.5 * step;
    return is_multiple && is_next ? kept : next_moment(time, start, interval, step);
}

} // namespace stickslip
