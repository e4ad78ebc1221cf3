#pragma once

#include "stickslip/geometry/solids/level_set.h"
#include "stickslip/mpm/mpm_set.h"
#include "stickslip/scene/scene.h"

#include <optional>
#include <vector>

namespace stickslip {

struct BuildResult;

/// Places [m] in a solid's own frame: one in each of its equal cells of about `spacing` whose chosen place is inside,
/// in the middle or, with a seed, at random in the cell. The cells fill the bounding box; a box holds one in each.
/// InputError where these would be more than 3e7.
std::vector<Vec3> filled_places(const LevelSet& solid, double spacing, std::optional<int> seed);

/// Adds a body of material points to the world of `result` and its particles to `state`. `volume`: of the solid [m^3],
/// which the particles share. Faults are recorded there.
void add_mpm_body(const Scene& scene, const BodySettings& body, const LevelSet& solid, double volume, MpmState& state,
    BuildResult& result);

/// Warnings: obstacles and rigid bodies thinner than a cell of the grid of the material points that may meet them.
void warn_of_thin_mpm_partners(const Scene& scene, BuildResult& result);

/// Warnings: material points that start inside obstacles.
void warn_of_mpm_overlap(const Scene& scene, BuildResult& result);

} // namespace stickslip
