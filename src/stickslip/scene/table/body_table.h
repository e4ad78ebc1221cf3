#pragma once

#include "stickslip/scene/scene.h"
#include "stickslip/scene/table/scene_objects.h"

#include <string>

namespace stickslip {

/// The part of the scene table that describes one body.
KindPtr<BodySettings> body_kind();

/// A shape as YAML.
std::string write_shape(const Shape& shape);

} // namespace stickslip
