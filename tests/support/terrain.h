#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"

#include "support/numeric.h"

namespace stickslip {

/// An open mesh over the square [-1, 1]^2 with `cells` on a side, its inner vertices moved at random, raised to
/// height(x, z); seen from above counter-clockwise.
template <typename Height>
TriMesh terrain(int cells, Random& random, const Height& height)
{
    TriMesh mesh;
    for (int i = 0; i <= cells; ++i)
        for (int k = 0; k <= cells; ++k) {
            const bool rim = i == 0 || k == 0 || i == cells || k == cells;
            const double x = 2.0 * i / cells - 1 + (rim ? 0 : random.uniform(-0.3, 0.3) / cells);
            const double z = 2.0 * k / cells - 1 + (rim ? 0 : random.uniform(-0.3, 0.3) / cells);
            mesh.vertices.push_back(Vec3(x, height(x, z), z));
        }
    const auto at = [&](int i, int k) { return i * (cells + 1) + k; };
    for (int i = 0; i < cells; ++i)
        for (int k = 0; k < cells; ++k) {
            mesh.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k)});
            mesh.triangles.push_back({at(i + 1, k), at(i, k + 1), at(i + 1, k + 1)});
        }
    return mesh;
}

inline TriMesh moved(TriMesh mesh, const Frame& frame)
{
    for (Vec3& x : mesh.vertices)
        x = frame.to_world(x);
    return mesh;
}

} // namespace stickslip
