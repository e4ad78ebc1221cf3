#pragma once

#include "stickslip/io/scene.h"

#include <string>

namespace stickslip {

/// The group a body belongs to: its own word, or the name of its family.
std::string group_of(const BodySettings& body);

/// Whether two bodies may touch: neither leaves the other's group out of its `collides_with`.
bool may_touch(const BodySettings& a, const BodySettings& b);

/// What the scene says of the pair of these two names; null: nothing. Of several rules the one that names both bodies
/// themselves, then the one that names one of them and a family, then the one of two families; the first of each.
const PairSettings* settings_of_pair(const ContactSettings& contact, const std::string& a, const std::string& b);

} // namespace stickslip
