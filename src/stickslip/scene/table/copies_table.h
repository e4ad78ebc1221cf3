#pragma once

#include "stickslip/scene/scene.h"
#include "stickslip/scene/table/kind.h"

namespace stickslip {

/// The part of the scene table that describes copies of a body.
KindPtr<Copies> copies_kind();

} // namespace stickslip
