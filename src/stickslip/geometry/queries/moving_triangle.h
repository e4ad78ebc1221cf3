#pragma once

#include "stickslip/math/types.h"

#include <array>
#include <optional>

namespace stickslip {

/// A triangle and a point that each move straight and evenly, from time 0 to time 1.
struct MovingPointTriangle {
    Vec3 p_old, p; // [m]
    std::array<Vec3, 3> x_old, x; // [m] corners, counter-clockwise seen from the front
};

/// The first time in [0, 1] at which the point goes through the triangle from its front to its back: both are then in
/// one plane, and the point was in front before. A point that starts on the triangle and goes behind it crosses at
/// time 0. Tolerance of the sides: 1e-9 of the triangle, so that no point slips through between two.
std::optional<double> first_crossing(const MovingPointTriangle& m);

} // namespace stickslip
