#pragma once

#include "stickslip/build/built_world.h"

#include <memory>
#include <vector>

namespace stickslip {

/// Lets spheres meet a wall by triangles that stand for a solid; points go on to meet the solid.
void stand_for_solid(std::shared_ptr<const TriangulatedSurface> triangles, const LevelSet& solid, GranularWall& wall);

/// Lets spheres meet tori by triangles where the hole is narrower than one of them: a sphere that lies in it touches it
/// all round, and its nearest place alone would push it from side to side for ever. Notes and warnings say so. All
/// other tori keep their exact distance. `spheres`: those at the start that are no clump's, and the smallest of each
/// inlet.
void triangulate_narrow_holes(const Scene& scene, const std::vector<Grain>& spheres, BuildResult& result);

} // namespace stickslip
