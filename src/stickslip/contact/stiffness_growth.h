#pragma once

#include <algorithm>

namespace stickslip {

constexpr double most_stiffness_scale = 1000; // [-]

/// How firm a spring is [-] when it has ended a step `depth` [m] deep. One that is deeper than what is `allowed` [m]
/// has grown, by a little only, so that what it gives the bodies by growing is soon at rest again; it keeps what it has
/// as long as it touches, so that nothing that carries ever becomes soft (docs/derivations.md#stiffness-growth).
inline double grown_stiffness_scale(double stiffness_scale, double depth, double allowed)
{
    constexpr double most_in_step = 1.05;
    const double growth = std::min(depth / allowed, most_in_step);
    return std::max(stiffness_scale, std::min(growth * stiffness_scale, most_stiffness_scale));
}

} // namespace stickslip
