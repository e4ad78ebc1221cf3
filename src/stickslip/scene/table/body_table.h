#pragma once

#include "stickslip/scene/scene.h"
#include "stickslip/scene/table/scene_objects.h"

#include <string>

namespace stickslip {

/// Parts of the scene table, each in a source of its own: a body, its copies, rotations and motions, a material.
KindPtr<BodySettings> body_kind();
KindPtr<Copies> copies_kind(); // copies_table.cpp
KindPtr<Rotation> rotation_kind(); // motion_table.cpp
KindPtr<Motion> motion_kind();
KindPtr<MaterialSettings> material_kind(); // material_table.cpp

/// A shape as YAML.
std::string write_shape(const Shape& shape);

} // namespace stickslip
