#pragma once

#include "stickslip/render/drawn_frame.h"

#include <utility>
#include <vector>

namespace stickslip {

/// Adds a body of revolution about the third axis: its heights [m] over the base, and the radii [m] there.
void add_turned_shape(const Vec3& base, const Mat3& axes, const std::vector<std::pair<double, double>>& profile,
    const Colour& colour, DrawnMesh& mesh);

/// The size that 95 of 100 of those above 0 stay below; 0 where there are none.
double usual_size(std::vector<double> sizes);

} // namespace stickslip
