#pragma once

#include "stickslip/build/build_report.h"
#include "stickslip/scene/scene_places.h"

#include <filesystem>

namespace stickslip {

/// The scene is implicit and has spheres: each is then a rigid body.
bool has_rigid_spheres(const Scene& scene);

/// Puts a rigid body for each sphere in the place of those bodies, `sand[0]` and on. Pre: the scene was read from this
/// tree and nothing is wrong with it. Files are relative to `folder`; what is wrong with them, or with a filling, and a
/// scene of more than 50,000 bodies are faults.
void expand_spheres(Scene& scene, SceneTree& tree, const std::filesystem::path& folder, BuildReport& report);

} // namespace stickslip
