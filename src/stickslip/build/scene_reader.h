#pragma once

#include "stickslip/scene/scene.h"

#include <string>
#include <vector>

namespace stickslip {

struct SceneResult {
    Scene scene; // complete only when there are no faults
    std::vector<Fault>
        faults; // in the order of the file, those of overrides first; 20 at most, then one that says how many more
    std::vector<Fault> warnings; // likewise

    bool unreadable = false; // a file that it includes cannot be read: exit status 4

    bool good() const { return faults.empty(); }
};

/// Reads and checks a scene file. overrides: "path.to.key=value", applied before anything is checked.
/// Throws FileError when the file cannot be read; all that is wrong in it is in the result.
SceneResult read_scene(const std::string& path, const std::vector<std::string>& overrides = {});

/// The same for a text; file_name is what faults say.
SceneResult read_scene_text(
    const std::string& text, const std::string& file_name, const std::vector<std::string>& overrides = {});

} // namespace stickslip
