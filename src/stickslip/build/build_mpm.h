#pragma once

#include "stickslip/build/filled_shape.h"
#include "stickslip/mpm/mpm_set.h"
#include "stickslip/scene/scene.h"

#include <vector>

namespace stickslip {

struct BuildResult;

/// Adds a body of material points to the world of `result` and its particles to `state`. The solid is in `box` and has
/// a `volume` [m^3], which the particles share. Faults are recorded there, and warnings where it is thin.
void add_mpm_body(const Scene& scene, const BodySettings& body, const ShapeDistance& distance, const Bounds& box,
    double volume, MpmState& state, BuildResult& result);

/// Warnings: obstacles and rigid bodies thinner than a cell of the grid of the material points that may meet them.
void warn_of_thin_mpm_partners(const Scene& scene, BuildResult& result);

/// Warnings: material points that start inside obstacles, deformable bodies or other bodies of material points.
/// `shapes`: of the bodies of material points, in their order.
void warn_of_mpm_overlap(const Scene& scene, const std::vector<ShapeDistance>& shapes, BuildResult& result);

} // namespace stickslip
