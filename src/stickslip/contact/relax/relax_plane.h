#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

/// Point K nearest to X from which the spring to Z stays inside the friction cone of a flat surface.
///   a = |Z - W|,  b = |X - W|,  q = mu a
///   b <= q : sticks, K = X          b > q : slides, K = W + q (X - W)/b
///   Z   penetrating point [m]
///   X   old attachment [m]
///   W   projection of Z [m]
///   n   outward unit normal at W
///   mu  friction coefficient [-], at least 0: 0 always slides, infinity always sticks
/// Derivatives jump where b = q; K is continuous there.
/// Paper: Alg 3 RELAX_PLANE
struct PlaneRelaxation {
    Vec3 K; // [m]
    Mat3 dK_dZ, dK_dX, dK_dW; // [-]
    bool sticks;
};
PlaneRelaxation relax_plane(const Vec3& Z, const Vec3& X, const Vec3& W, const Vec3& n, double mu);

} // namespace stickslip
