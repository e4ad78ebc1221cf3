#pragma once

#include "stickslip/io/kind.h"
#include "stickslip/io/scene.h"

/// How bodies are turned and moved: part of body_table.cpp.
namespace stickslip {

KindPtr<Rotation> rotation_kind();
KindPtr<Motion> motion_kind();

} // namespace stickslip
