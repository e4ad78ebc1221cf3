#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

/// Area [m^2] of the disc of radius r [m] about the origin inside [x0, x1] x [y0, y1] (x0 <= x1, y0 <= y1), exact.
double disc_in_rectangle(double r, double x0, double x1, double y0, double y1);

/// Volume [m^3] of a ball inside a box along the axes: the areas of its slices, integrated between the heights where
/// their shape changes. The error is below 1e-8 of the ball's own volume. Pre: box.min <= box.max, finite.
double ball_in_box(const Vec3& centre, double radius, const Bounds& box);

} // namespace stickslip
