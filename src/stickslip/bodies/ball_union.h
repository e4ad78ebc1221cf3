#pragma once

#include "stickslip/bodies/rigid_body.h"
#include "stickslip/geometry/mesh/mass_properties.h"

#include <span>

namespace stickslip {

/// Volume, centre and inertia of the union of balls: what several share counts once. Cuts across z are exact, the
/// integral over z is by Gauss: to 1e-12 where no more than two balls share a place, to 1e-6 else
/// (docs/derivations.md#bodies-among-spheres). Pre: at least one ball, radii > 0.
MassProperties mass_properties(std::span<const RoundPoint> balls);

} // namespace stickslip
