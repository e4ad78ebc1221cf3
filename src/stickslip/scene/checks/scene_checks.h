#pragma once

#include "stickslip/scene/scene_places.h"
#include "stickslip/scene/text/scene_reading.h"

namespace stickslip {

/// Checks conditions on two values at once, which the table cannot express. Silent about values that are themselves at
/// fault.
void check_scene(const Scene& scene, const SceneTree& tree, Reading& reading);

/// Checks that bodies with `copies` can be copied.
void check_copies(const Scene& scene, const SceneTree& tree, Reading& reading);

} // namespace stickslip
