#pragma once

#include "stickslip/scene/text/scene_tree.h"
#include "stickslip/scene/text/synonyms.h"

#include <string>
#include <vector>

/// Probable meaning of a mapping that cannot be read: words of other programs, and signs that are missing or wrong.
namespace stickslip {

/// The key that an unknown one stands for: a word of other programs, or one whose colon is missing.
Synonym meant_key(const SceneEntry& entry, const std::vector<std::string>& names);

/// For `type: sphere` where the word is the key: `; write {sphere: ...}`; "" where the value is no such word.
std::string chosen_by_value(const SceneEntry& entry, const std::vector<std::string>& names);

/// The number of an entry that YAML has split at a decimal comma, `{sphere: 0,1}`: "0.1"; else "".
std::string split_by_comma(const SceneNode& map, std::size_t entry);

/// A rotation in our words: about the axis of the one angle in a list of three that is not zero, else an example.
std::string rotation_for(const SceneNode& list);

/// The values of a list written by their keys, `{radius: 0.1, height: 0.2}`; the list for an only key.
std::string mapping_for(const SceneNode& list, const std::vector<std::string>& keys);

/// ` (write stickslip: 1)` for a key that every scene has; else "".
std::string example_of_missing(const std::string& path);

} // namespace stickslip
