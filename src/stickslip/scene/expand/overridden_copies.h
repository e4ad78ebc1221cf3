#pragma once

#include "stickslip/scene/scene_places.h"
#include "stickslip/scene/text/scene_reading.h"

#include <vector>

namespace stickslip {

/// Applies overrides of single copies (`bodies.brick[3].velocity=...`), which are text: each such copy gets a node of
/// its own in the tree and is read from there. `indices`: of the overrides in scene.source. Pre: the copies are there.
/// Faults: a path that leads nowhere or a value that is no YAML goes into `faults`, what is read into `reading`.
void override_copies(
    Scene& scene, SceneTree& tree, const std::vector<int>& indices, Reading& reading, std::vector<Fault>& faults);

} // namespace stickslip
