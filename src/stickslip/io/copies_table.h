#pragma once

#include "stickslip/io/scene.h"
#include "stickslip/io/scene_kinds.h"

namespace stickslip {

/// The part of the scene table that describes copies of a body.
KindPtr<Copies> copies_kind();

} // namespace stickslip
