#pragma once

#include "stickslip/build/build_report.h"
#include "stickslip/scene/scene_places.h"
#include "stickslip/scene/text/scene_reading.h"

#include <filesystem>

namespace stickslip {

/// Reads the files that a faulty scene names, as far as what it says of them is sound, so that what is wrong with them
/// is told with all other faults: meshes, sampled level sets, places of spheres and the run to start from. Of a good
/// scene they are read when it is built.
void check_files(const Scene& scene, const SceneTree& tree, const Reading& reading, const std::filesystem::path& folder,
    BuildReport& report);

} // namespace stickslip
