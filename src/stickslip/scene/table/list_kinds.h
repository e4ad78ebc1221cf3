#pragma once

#include "stickslip/scene/scene.h"
#include "stickslip/scene/table/kind.h"

#include <string>
#include <vector>

namespace stickslip {

/// A list of words: x y z rx ry rz, each at most once.
KindPtr<FixedDofs> fixed_dofs_kind();

/// One number > 0 for all three, or three.
KindPtr<Vec3> scale_kind();

/// A word for a unit of length.
KindPtr<LengthUnit> length_unit_kind();

/// A list of file names, at least one.
KindPtr<std::vector<MeshPart>> mesh_parts_kind();

/// A list of names; an empty one is a value too.
KindPtr<std::vector<std::string>> names_kind();

} // namespace stickslip
