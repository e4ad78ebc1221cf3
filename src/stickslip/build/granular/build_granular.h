#pragma once

#include "stickslip/build/body_surfaces.h"
#include "stickslip/build/built_world.h"
#include "stickslip/build/restart/earlier_run.h"
#include "stickslip/scene/scene.h"

#include <filesystem>

namespace stickslip {

/// Fills result.built.granular, its handles, surfaces and notes. All faults at once. earlier: the run that the scene
/// starts from, or null.
void build_granular(const Scene& scene, const std::filesystem::path& folder, const EarlierRun* earlier,
    BodySurfaces& surfaces, BuildResult& result);

} // namespace stickslip
