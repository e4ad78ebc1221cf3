#pragma once

#include "stickslip/io/scene_tree.h"

#include <vector>

namespace stickslip {

/// Puts the values of source.overrides ("path.to.key=value") into the tree, in order; mappings on the way are made
/// where they are missing. Faults: a path that leads nowhere, a value that is no YAML. Unknown keys are left to the
/// reader.
void apply_overrides(SceneNode& root, const SceneSource& source, std::vector<Fault>& faults);

} // namespace stickslip
