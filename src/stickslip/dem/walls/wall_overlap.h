#pragma once

#include "stickslip/dem/granular_world.h"
#include "stickslip/dem/walls/walls.h"

namespace stickslip {

/// Overlap [m] of a sphere with a wall that stands in `frame`: its radius less the distance of its centre from the
/// surface. Negative or -infinity: they are apart. Above the radius: its centre is inside a solid; triangles have no
/// inside, so that it is at most the radius there.
double wall_overlap(const GranularWall& wall, const Frame& frame, const SpherePlace& sphere);

/// Frames of the walls before the first step, in the order of world.walls.
std::vector<Frame> wall_frames_at_start(const GranularWorld& world);

} // namespace stickslip
