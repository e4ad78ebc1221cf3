#pragma once

#include "stickslip/scene/scene.h"

#include <string>
#include <vector>

namespace stickslip {

/// Differences of `is` from `was`, key by key in the order of the format: "`contact.friction`: was 0.2, is 0.3",
/// "`bodies.ball` was added". Items of lists are told apart by their names.
std::vector<std::string> scene_differences(const Scene& was, const Scene& is);

} // namespace stickslip
