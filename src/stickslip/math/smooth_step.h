#pragma once

namespace stickslip {

struct SmoothStep {
    double value, slope;
};

/// s(x) = 3 x^2 - 2 x^3 between 0 and 1, 0 below, 1 above; with s'(x), which is continuous.
inline SmoothStep smooth_step(double x)
{
    if (!(x > 0))
        return {0, 0};
    return x < 1 ? SmoothStep{x * x * (3 - 2 * x), 6 * x * (1 - x)} : SmoothStep{1, 0};
}

} // namespace stickslip
