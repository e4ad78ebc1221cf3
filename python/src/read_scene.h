#pragma once

#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"

#include <filesystem>

namespace stickslip::python {

/// A scene's text with its changes, read: what stickslip.Scene asks.
struct ReadScene {
    SceneResult result;
    std::filesystem::path file; // its own
    std::filesystem::path folder; // of its files

    /// SceneError where it has faults.
    const Scene& scene() const;
    /// Opens files and meshes bodies; SceneError.
    BuildResult build(bool steered) const;
};

} // namespace stickslip::python
