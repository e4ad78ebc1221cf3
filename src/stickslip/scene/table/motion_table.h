#pragma once

#include "stickslip/scene/scene.h"
#include "stickslip/scene/table/kind.h"

/// How bodies are turned and moved: part of body_table.cpp.
namespace stickslip {

KindPtr<Rotation> rotation_kind();
KindPtr<Motion> motion_kind();

} // namespace stickslip
