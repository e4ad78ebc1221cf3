#pragma once

#include "stickslip/scene/checks/body_checks.h"

namespace stickslip {

/// Warns of keys that other keys leave without an effect. Those of the other integrator are checked with it
/// (granular_checks.h).
void check_idle_keys(const Scene& scene, SceneCheck& check);

} // namespace stickslip
