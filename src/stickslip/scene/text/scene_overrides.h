#pragma once

#include "stickslip/scene/text/scene_tree.h"

#include <vector>

namespace stickslip {

/// Puts the values of source.overrides ("path.to.key=value") into the tree, in order; mappings on the way are made
/// where they are missing. The name of a family of copies reaches each of them. Faults: a path that leads nowhere, a
/// value that is no YAML. Unknown keys are left to the reader. Returns the overrides of single copies (`brick[3]`) that
/// are still to be made: apply these with apply_override once they are there.
std::vector<int> apply_overrides(SceneNode& root, const SceneSource& source, std::vector<Fault>& faults);

/// Override number `index` alone.
void apply_override(SceneNode& root, int index, const SceneSource& source, std::vector<Fault>& faults);

} // namespace stickslip
