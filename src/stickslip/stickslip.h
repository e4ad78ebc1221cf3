#pragma once

/// The library, for those who use it: docs/api.md.
#include <stickslip/simulation/scene_text.h>
#include <stickslip/simulation/simulation.h>
#include <stickslip/simulation/step_system.h>
