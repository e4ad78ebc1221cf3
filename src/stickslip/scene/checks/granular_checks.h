#pragma once

#include "stickslip/scene/checks/body_checks.h"

namespace stickslip {

/// Radii, places and fillings of a body of spheres.
void check_spheres(const Scene& scene, const BodySettings& body, const std::string& path, SceneCheck& check);

/// Checks the keys that spheres and `solver.integration: explicit` exclude or need.
void check_granular(const Scene& scene, SceneCheck& check);

} // namespace stickslip
