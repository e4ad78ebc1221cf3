#pragma once

#include "stickslip/dem/walls/granular_wall.h"
#include "stickslip/dem/walls/sphere_blocks.h"

#include <vector>

namespace stickslip {

/// Spheres with a gap below `margin` [m], and the facets that near each. Where the wall is of bounded size, looks into
/// the blocks near it alone.
NearWall near_wall(
    const GranularWall& wall, const Frame& frame, const Spheres& spheres, const SphereBlocks& blocks, double margin);

/// Adds the forces of the wall to sums (one entry a sphere) and moves the springs on by a step. close: of these
/// contacts.
WallForce add_wall_forces(const PairSystem& system, bool ledger, const GranularWall& wall,
    const GranularMaterial& material, const WallPose& pose, WallContacts& contacts, CloseFacets& close,
    std::vector<LoadRows>& sums);

ElasticEnergy wall_energy(const PairSystem& system, const GranularWall& wall, const GranularMaterial& material,
    const WallPose& pose, const WallContacts& contacts);

} // namespace stickslip
