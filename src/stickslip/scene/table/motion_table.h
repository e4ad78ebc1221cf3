#pragma once

#include "stickslip/scene/scene.h"
#include "stickslip/scene/table/kind.h"

/// Keys of rotations and motions: part of body_table.cpp.
namespace stickslip {

KindPtr<Rotation> rotation_kind();
KindPtr<Motion> motion_kind();

} // namespace stickslip
