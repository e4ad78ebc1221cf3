#include "stickslip/world/step_equations.h"

#include <cmath>

namespace stickslip {

double StepEquations::measure(const BlockVector& g) const
{
    return largest(body_measures(g));
}

double largest(const std::vector<double>& values)
{
    double result = 0;
    for (const double value : values)
        if (!(value <= result))
            result = std::isnan(result) ? result : value;
    return result;
}

} // namespace stickslip
