#pragma once

#include "stickslip/geometry/solids/level_set.h"

namespace stickslip {

/// The solid whose surface lies `by` [m] farther out: phi_patch - by for every patch. Edges stay sharp: they are where
/// the grown faces meet, not round. by >= 0.
LevelSet grown(const LevelSet& solid, double by);

} // namespace stickslip
