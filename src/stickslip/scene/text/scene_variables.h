#pragma once

#include "stickslip/scene/text/scene_reading.h"
#include "stickslip/scene/text/scene_tree.h"

#include <set>
#include <string>

namespace stickslip {

/// Puts the values of all {expr: "..."} in place of them; variables are those of the mapping `variables` at the top, in
/// their order. A faulty expression leaves a node that is `broken`, so that nobody complains twice. `used` gains the
/// words of all expressions.
void resolve_expressions(SceneNode& root, Reading& reading, std::set<std::string>& used);

/// The words of all expressions below a node, which has them still.
std::set<std::string> words_of_expressions(const SceneNode& node);

} // namespace stickslip
