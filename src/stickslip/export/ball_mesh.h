#pragma once

#include "stickslip/math/types.h"

#include <vector>

namespace stickslip {

/// A ball of radius 1 around the origin: 162 vertices on it, 320 triangles.
struct BallMesh {
    std::vector<Vec3> points;
    std::vector<Triangle> triangles;
};
BallMesh ball_mesh();

} // namespace stickslip
