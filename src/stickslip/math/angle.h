#pragma once

#include "stickslip/math/types.h"

#include <cmath>
#include <numbers>

namespace stickslip {

constexpr double degree = std::numbers::pi / 180; // [rad]

/// Angle between two vectors [rad], in [0, pi]; 0 where one vanishes.
inline double angle_between(const Vec3& a, const Vec3& b)
{
    return std::atan2(a.cross(b).norm(), a.dot(b));
}

} // namespace stickslip
