#pragma once

#include "stickslip/world/world.h"

#include <map>
#include <utility>

namespace stickslip {

/// Bodies that are in the same place, wholly or in part, whether or not points of one press on the other: equal bodies
/// one in the other do not touch, as the faces of each lie in those of the other. By pair of contact bodies, the higher
/// number second: diameter [m] of a ball that fits into both. Told from a tenth of the smaller one's smallest size on.
/// Pairs without contact and spheres within a mesh, which they may be in, are left out. Rigid bodies and obstacles
/// only.
std::map<std::pair<int, int>, double> find_shared_places(const World& world, const State& state);

} // namespace stickslip
