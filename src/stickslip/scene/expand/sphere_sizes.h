#pragma once

#include "stickslip/scene/sphere_settings.h"

#include <optional>
#include <vector>

namespace stickslip {

/// Radii [m] drawn from a distribution, by seed alone: `count` of them, or (count unset) so many that their volume
/// comes closest to `volume` [m^3]. by: what the shares are of. Throws InputError when there would be more than 1e8.
std::vector<double> draw_radii(const Sizes& sizes, ShareOf by, std::optional<int> count, double volume, int seed);

/// [m] of all that the distribution gives.
double smallest_radius(const Sizes& sizes);
double largest_radius(const Sizes& sizes);

} // namespace stickslip
