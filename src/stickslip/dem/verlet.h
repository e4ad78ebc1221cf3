#pragma once

#include "stickslip/dem/bodies/clumps.h"
#include "stickslip/dem/granular_world.h"
#include "stickslip/dem/pairs/force_blocks.h"
#include "stickslip/dem/spheres.h"

namespace stickslip {

/// Result of one pass over the spheres.
struct Advance {
    double moved = 0; // [m] the furthest from where the list was made; infinity where a place is no number
    double gravity_work = 0, damping_loss = 0; // [J] of this step, with the ledger; of local damping
};

/// Velocity Verlet: docs/derivations.md#granular-spheres.
///   finish  second half of the kick that ends a step, from the forces in blocks
///   start   first half of the next one, and the drift
///   clumps  their spheres are left where they are
///   listed_at  [m] where the spheres were when the list was made
Advance advance(const GranularWorld& world, bool finish, bool start, const ForceBlocks& blocks, const Clumps& clumps,
    const std::vector<Vec3>& listed_at, Spheres& all);

} // namespace stickslip
