#pragma once

#include "stickslip/geometry/solids/level_set.h"

#include <vector>

namespace stickslip {

/// Centres [m] of spheres at random inside a solid, in its own frame: none overlaps another or reaches out. They begin
/// at random places and push each other apart until none touches. The same seed gives the same places on any number of
/// threads. Throws InputError when they do not fit, or find no such places: spheres of one size do up to a solid
/// fraction of 0.58 or so.
/// radii  [m] > 0, one a sphere
std::vector<Vec3> pack_spheres(const LevelSet& region, const std::vector<double>& radii, int seed);

} // namespace stickslip
