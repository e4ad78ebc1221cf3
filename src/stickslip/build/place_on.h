#pragma once

#include "stickslip/build/build_report.h"

#include <filesystem>

namespace stickslip {

/// Moves every body with `place_on` until it touches that one, the carriers first: sets its `position`. What cannot be
/// placed, and files that cannot be read, are faults in `report`. Pre: the scene has passed its checks and its copies
/// are made.
void place_by_contact(Scene& scene, const std::filesystem::path& folder, BuildReport& report);

} // namespace stickslip
