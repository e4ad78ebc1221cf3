#pragma once

#include "stickslip/io/kind.h"
#include "stickslip/io/scene.h"

namespace stickslip {

/// The part of the scene table that describes copies of a body.
KindPtr<Copies> copies_kind();

} // namespace stickslip
