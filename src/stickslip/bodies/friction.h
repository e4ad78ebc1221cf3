#pragma once

#include <algorithm>

namespace stickslip {

/// Coulomb's coefficient where nothing says another [-].
constexpr double default_friction = 0.3;

/// The one rule for coefficients of two materials that nothing is said of together: the lesser counts.
inline double of_two_materials(double a, double b)
{
    return std::min(a, b);
}

} // namespace stickslip
