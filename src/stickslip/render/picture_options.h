#pragma once

#include "stickslip/render/studio.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stickslip {

/// Settings of the pictures of a run as a user gives them, before it is known whether the run has what they name.
struct PictureOptions {
    int width = 1280, height = 720; // [pixels]
    std::optional<CameraPlace> camera = {};
    std::string color = "body"; // or "speed", "stress"
    std::optional<double> min = {}, max = {}, quantile = {}; // of the colours; StudioSettings has what stands without
    std::vector<std::string> hide = {}; // bodies and families of copies
    std::vector<std::pair<std::string, double>> opacity = {}; // the same, from 0 to 1
    bool draft = false, forces = false, chains = false, labels = false, transparent = false;
};

/// Settings for the pictures of a run. Errors: InputError, which calls an option by `mark` and its name: "--hide".
StudioSettings studio_settings(const RunReading& run, const PictureOptions& options, const std::string& mark);

} // namespace stickslip
