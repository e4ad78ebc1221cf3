#pragma once

#include "stickslip/dem/granular_world.h"
#include "stickslip/dem/walls/sphere_blocks.h"

/// Walls in a periodic box: those of no body are there once, solids of bodies with all their images.
namespace stickslip {

/// The image of x [m] that meets the wall, if one does: the nearest to its body; x itself where it has none.
Vec3 image_at_wall(const GranularWorld& world, const GranularWall& wall, const Frame& frame, const Vec3& x);

/// near_wall with what meets an image of the wall. Spheres are in the box, and each meets one image at most
/// (check_periodic_bodies).
NearWall near_wall_images(const GranularWorld& world, const GranularWall& wall, const Frame& frame,
    const Spheres& spheres, const SphereBlocks& blocks, double margin);

/// From the centre of mass of a wall's body to the farthest corner of the wall's box [m].
double reach_of_body(const GranularWorld& world, const GranularWall& wall);

/// Half of the least side that the periodic box must have for a wall's body [m], by spheres of this radius and points
/// of other bodies: so far from its centre of mass something may touch it, and nothing then touches two of its images.
double periodic_range(const GranularWorld& world, const GranularWall& wall, double largest_radius);

} // namespace stickslip
