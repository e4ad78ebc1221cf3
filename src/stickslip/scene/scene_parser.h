#pragma once

#include "stickslip/scene/scene_places.h"
#include "stickslip/scene/text/scene_reading.h"

#include <optional>
#include <string>
#include <vector>

namespace stickslip {

/// A scene as its text says it: included, overridden, copies made, settings read and checked. Of the files that it
/// names, only those that it includes have been opened.
struct ParsedScene {
    Scene scene; // complete only when there are no faults
    std::vector<Fault> faults, warnings; // in the order in which they were found
    bool unreadable = false; // a file that it includes cannot be read
    SceneTree tree; // that `scene` was read from
    std::optional<Reading> reading; // what is sound there; nothing where no settings were read

    bool good() const { return faults.empty(); }
};

/// overrides: "path.to.key=value", applied before anything is checked. file_name is what faults say.
ParsedScene parse_scene(
    const std::string& text, const std::string& file_name, const std::vector<std::string>& overrides);

/// Checks the settings anew, after bodies were made of others.
void check_settings(ParsedScene& parsed);

} // namespace stickslip
