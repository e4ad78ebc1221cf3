#pragma once

#include "stickslip/bodies/rigid_body.h"

#include <span>

namespace stickslip {

/// Where a round side touches a tube that carries, of all that touches near it, a share.
struct CarriedPlace {
    Vec3 at; // [m, world] at the start of the step
    double radius; // [m] of the side there
    double share; // [-] > 0
};

/// [-] Of the force of a ball, or of a circle with its tube, what carried places leave: all of it where it passes them
/// by a radius of their side, at the start of the step. Frame `old`: of the circle's centre, axes of its body.
double share_left(std::span<const CarriedPlace> places, const Vec3& centre, double radius);
double share_left(std::span<const CarriedPlace> places, const Rim& rim, const Frame& old);

} // namespace stickslip
