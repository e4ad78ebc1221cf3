#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"

#include <array>
#include <vector>

namespace stickslip {

class SmoothPatches;

/// A surface whose level parts are fans of triangles about the centres of their outlines, where they are convex, have
/// no vertex within, and fold smoothly into others. Normals that are interpolated over a triangle lean towards the fold
/// that it has the longer side of. Over a trapezoid in two triangles they lean to one side in the mean, to which one
/// its diagonal decides: what slid round a bowl of trapezoids had more friction one way than the other, and without
/// friction turned for ever. Over a fan they lean to both sides alike.
struct LevelFans {
    explicit LevelFans(const SmoothPatches& surface);

    TriMesh mesh; // the vertices of the surface, then centres
    std::vector<std::array<bool, 3>> ends_flat; // of its sides
};

} // namespace stickslip
