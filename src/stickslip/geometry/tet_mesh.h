#pragma once

#include "stickslip/math/types.h"

#include <vector>

namespace stickslip {

/// A volume filled with linear tetrahedra, all of positive volume.
struct TetMesh {
    std::vector<Vec3> nodes; // [m]
    std::vector<Tetrahedron> tets; // indices into nodes
};

} // namespace stickslip
