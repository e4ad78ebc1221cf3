#pragma once

#include "stickslip/geometry/solids/primitives.h"

namespace stickslip {

/// InputError unless resolution and every length of the shape are finite and > 0 (a capsule's height may be 0) and a
/// torus has a hole.
void check_sizes(const Primitive& shape, double resolution);

/// Number of steps of about resolution in a length: round(length / resolution) as a whole number, at least 1. Double:
/// it may be huge.
double step_count(double length, double resolution);

/// InputError if count > limit; what names the elements: "tetrahedra".
void check_count(double count, double limit, const char* what, double resolution);

} // namespace stickslip
