#pragma once

#include "stickslip/build/built_world.h"

namespace stickslip {

/// Warns, of an explicit scene whose world is built, of walls that do not fit the size of its spheres: solids so thin
/// that a sphere can be pushed out on the far side, and triangles so small that most of the run goes into them.
void report_misfits(const Scene& scene, BuildResult& result);

} // namespace stickslip
