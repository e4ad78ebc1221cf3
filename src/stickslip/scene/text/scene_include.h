#pragma once

#include "stickslip/scene/text/scene_tree.h"

#include <filesystem>
#include <vector>

namespace stickslip {

/// Merges the files that `include` at the top of a scene names, and those that they include, into the tree, and takes
/// the key away. Mappings are joined, the including file's values go before; lists are joined, the included items first
/// (bodies, pairs, expect; a list of numbers counts as a value). Files that an included file names are relative to it.
/// Every node knows its file: source.included grows. `folder`: of the scene; `unreadable` is set when a file cannot be
/// read.
void include_files(SceneNode& root, SceneSource& source, std::vector<Fault>& faults, bool& unreadable);

} // namespace stickslip
