#pragma once

#include "stickslip/math/types.h"

#include <vector>

namespace stickslip {

/// A triangulated surface. Triangles are counter-clockwise seen from outside.
struct TriMesh {
    std::vector<Vec3> vertices; // [m]
    std::vector<Triangle> triangles; // indices into vertices
};

} // namespace stickslip
