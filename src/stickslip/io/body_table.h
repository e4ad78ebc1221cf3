#pragma once

#include "stickslip/io/scene.h"
#include "stickslip/io/scene_objects.h"

namespace stickslip {

/// The part of the scene table that describes one body.
KindPtr<BodySettings> body_kind();

} // namespace stickslip
