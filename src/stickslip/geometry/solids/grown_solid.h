#pragma once

#include "stickslip/geometry/solids/level_set.h"

namespace stickslip {

/// The solid whose surface lies `by` [m] farther out, by >= 0. That of a box is round about its edges, a single patch:
/// its distance less `by`. Of others phi_patch - by for every patch: their edges stay sharp, where the grown faces meet.
LevelSet grown(const LevelSet& solid, double by);

} // namespace stickslip
