#pragma once

#include <algorithm>

namespace stickslip {

constexpr double most_stiffness_scale = 1000; // [-]

/// Stiffness scale [-] of a spring after a step that it ends `depth` [m] deep: multiplied by depth/allowed, at most by
/// 1.05, where the depth exceeds what is `allowed` [m], so that the energy it adds is soon dissipated. It never
/// decreases while the contact lasts (docs/derivations.md#stiffness-growth).
inline double grown_stiffness_scale(double stiffness_scale, double depth, double allowed)
{
    constexpr double most_in_step = 1.05;
    const double growth = std::min(depth / allowed, most_in_step);
    return std::max(stiffness_scale, std::min(growth * stiffness_scale, most_stiffness_scale));
}

} // namespace stickslip
