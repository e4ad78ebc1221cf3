#pragma once

#include "stickslip/scene/checks/body_checks.h"

namespace stickslip {

/// Bodies placed by contact (`place_on`): that there is what they are placed on, that it has a surface of its own and
/// that none is placed on itself, not even through others.
void check_placing(const Scene& scene, SceneCheck& check);

/// The same where copies are not made yet.
void check_placing_of_copies(const BodySettings& body, const std::string& path, SceneCheck& check);

} // namespace stickslip
