#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

/// Cross-product matrix: skew(a) b = a x b.
Mat3 skew(const Vec3& a);

/// Rotation by the vector theta [rad] (axis times angle), accurate to round-off for every angle.
Mat3 rotation_exp(const Vec3& theta);

/// Its inverse: the rotation vector of R [rad], of length in [0, pi].
Vec3 rotation_vector(const Mat3& R);

/// Left Jacobian of the exponential map: exp(theta + d) = exp(J_l d) exp(theta) to first order. Singular at |theta| = 2
/// pi.
Mat3 left_jacobian(const Vec3& theta);

} // namespace stickslip
