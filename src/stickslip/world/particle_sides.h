#pragma once

#include "stickslip/world/world.h"

#include <vector>

namespace stickslip {

/// The sides by which particles of liquids touch solids at `state`, by particle, at most three of each: what its
/// contacts have kept (docs/derivations.md#material-points). Pre: bodies.grow_solids().
std::vector<TouchingSide> touching_sides(const ContactBodies& bodies, const State& state);

/// A particle that touches nothing is as wide as its spacing again, once it is so far from all solids.
void widen_untouched(const ContactBodies& bodies, State& state);

} // namespace stickslip
