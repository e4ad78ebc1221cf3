#pragma once

#include "stickslip/math/error.h"
#include "stickslip/scene/scene.h"
#include "stickslip/simulation/step_watch.h"

#include <string>
#include <vector>

namespace stickslip {

/// Faults of a scene: what() is the text of all faults, with line, column and the line itself; `faults` has
/// them one by one, with the path of the key ("bodies.block.material").
struct SceneError : InputError {
    explicit SceneError(std::vector<Fault> all)
        : InputError(format(all))
        , faults(std::move(all))
    {
    }
    std::vector<Fault> faults;
};

struct SceneTextOptions {
    std::string folder = {}; // where files are that the scene names; empty: the program's current one
    std::vector<std::string> overrides = {}; // "path.to.key=value", applied before anything is checked
    Say message = {}; // takes each warning
};

/// Reads a scene (docs/scene_format.md) from YAML or JSON. Opens no file but those that it names. Errors: SceneError.
Scene scene_from_text(const std::string& text, const SceneTextOptions& options = {});

/// The same of a file; `folder` is its own. FileError when it cannot be read.
Scene scene_from_file(const std::string& path, const SceneTextOptions& options = {});

} // namespace stickslip
