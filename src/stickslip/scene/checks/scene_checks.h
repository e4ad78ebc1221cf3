#pragma once

#include "stickslip/scene/scene_places.h"
#include "stickslip/scene/text/scene_reading.h"

namespace stickslip {

/// What the table cannot say: conditions on two values at once. Silent about values that are themselves at fault.
void check_scene(const Scene& scene, const SceneTree& tree, Reading& reading);

/// What cannot be copied.
void check_copies(const Scene& scene, const SceneTree& tree, Reading& reading);

} // namespace stickslip
