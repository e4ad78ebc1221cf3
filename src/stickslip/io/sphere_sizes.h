#pragma once

#include "stickslip/io/sphere_settings.h"

#include <optional>
#include <vector>

namespace stickslip {

/// Radii [m] drawn from a distribution, by seed alone: `count` of them, or (count unset) so many that their volume
/// comes closest to `volume` [m^3]. Throws InputError when there would be more than 1e8.
std::vector<double> draw_radii(const Sizes& sizes, std::optional<int> count, double volume, int seed);

} // namespace stickslip
