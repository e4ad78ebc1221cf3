#pragma once

#include "stickslip/scene/scene.h"
#include "stickslip/scene/table/kind.h"

/// `materials`: part of scene_table.cpp.
namespace stickslip {

KindPtr<MaterialSettings> material_kind();

} // namespace stickslip
