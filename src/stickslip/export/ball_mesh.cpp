#include "stickslip/export/ball_mesh.h"

#include <cmath>
#include <map>

namespace stickslip {

namespace {

constexpr int subdivisions = 2;

BallMesh icosahedron()
{
    const double g = (1 + std::sqrt(5.0)) / 2;
    BallMesh mesh{.points = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0}, {0, -1, g}, {0, 1, g}, {0, -1, -g},
                      {0, 1, -g}, {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}},
        .triangles = {{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2},
            {10, 7, 6}, {7, 1, 8}, {3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11},
            {6, 2, 10}, {8, 6, 7}, {9, 8, 1}}};
    for (Vec3& x : mesh.points)
        x.normalize();
    return mesh;
}

} // namespace

BallMesh ball_mesh()
{
    BallMesh mesh = icosahedron();
    for (int i = 0; i < subdivisions; ++i) {
        std::map<Edge, int> middles;
        const auto middle = [&](int a, int b) {
            const auto [at, isnew] =
                middles.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<int>(mesh.points.size()));
            if (isnew)
                mesh.points.push_back((mesh.points[a] + mesh.points[b]).normalized());
            return at->second;
        };
        std::vector<Triangle> finer;
        for (const auto& [a, b, c] : mesh.triangles) {
            const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
        }
        mesh.triangles = std::move(finer);
    }
    return mesh;
}

} // namespace stickslip
