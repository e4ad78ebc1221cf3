#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/scene/scene.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stickslip {

/// A scene read, checked and built; its faults and warnings have been printed on stderr.
struct LoadedScene {
    Scene scene;
    BuiltWorld built;
    std::filesystem::path folder; // of the scene file
    std::vector<std::string> warnings; // as printed, for the log
    int status = 0; // exit status when it is not usable
};
LoadedScene load_scene(const std::string& path, const std::vector<std::string>& overrides);

} // namespace stickslip
