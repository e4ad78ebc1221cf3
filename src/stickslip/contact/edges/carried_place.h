#pragma once

#include "stickslip/bodies/rigid_body.h"

#include <array>
#include <span>

namespace stickslip {

/// Where a round side touches a tube that carries, of all that touches near it, a share.
struct CarriedPlace {
    Vec3 at; // [m, world] at the start of the step
    double radius; // [m] of the side there
    double share; // [-] of what touches near it; of what lies on one of the two faces beside the tube:
    std::array<double, 2> along; // [-]
    std::array<Vec3, 2> faces; // unit outward normals, in the frame of the tube's body
    double apart; // [m] circles or balls of the side
};

/// [-] Of the force of a ball, or of a circle with its tube, what carried places leave: all of it where it passes them
/// by a radius of their side, at the start of the step. Frame `old`: of the circle's centre, axes of its body.
double share_left(std::span<const CarriedPlace> places, const Vec3& centre, double radius);
double share_left(std::span<const CarriedPlace> places, const Rim& rim, const Frame& old);

/// [-] Of the force on a face of a circle or a ball about `centre` [m, world], at the start of the step, of the side
/// about `axis`, as far as the side lies on the face: a line of contact that ends at carried places is held there, and
/// beside them by the length that is left. n: of the face, in its body's frame; null: whatever it is.
double share_of_line(
    std::span<const CarriedPlace> places, const Vec3& centre, const Vec3& axis, const Vec3* n = nullptr);

} // namespace stickslip
