#include "stickslip/geometry/patches/rigid_patches.h"

#include "geometry/closed_meshes.h"
#include "support/extruded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace stickslip::level_fans_test {
namespace {

/// [-] By how much interpolated normals lean round the axis of the bowl, the mean over its cone.
double mean_lean(const SmoothPatches& patches)
{
    double sum = 0, areas = 0;
    for (std::size_t f = 0; f < patches.facets.size(); ++f) {
        const auto& [i, j, k] = patches.facets[f];
        const Vec3 n = patches.unit_normal(static_cast<int>(f)),
                   middle = (patches.x[i] + patches.x[j] + patches.x[k]) / 3;
        if (!(n.y() > 0.1 && middle.y() < 0.149)) // walls, bottom and rim
            continue;
        const double area = (patches.x[j] - patches.x[i]).cross(patches.x[k] - patches.x[i]).norm();
        const Vec3 round = n.cross(Vec3::UnitY()).normalized();
        for (const int normal : patches.normal_of[f])
            sum += area / 3 * patches.normals[normal].dot(round);
        areas += area;
    }
    return sum / areas;
}

TEST(LevelFans, LeanToNoSide)
{
    for (const int n : {12, 13, 24})
        for (const bool other : {false, true}) {
            const TriMesh bowl = cone_bowl(n, other);
            EXPECT_GT(std::abs(mean_lean(SmoothPatches(bowl))), 0.5 / n) << "two triangles each";
            EXPECT_NEAR(mean_lean(rigid_patches(bowl)), 0, 1e-12);
        }
}

// Between the folds of a prism, of which no two are alike, normals depend on the place across alone.
TEST(LevelFans, KeepWhatIsLinear)
{
    Corners section = {{0.8, 0}};
    for (const auto& [x, y] : Corners{{0.8, 0}, {0.55, 0.06}, {0.3, 0.08}, {0.12, 0.07}, {0, 0.03}})
        section.push_back({x, 1 - 0.2 - y});
    section.push_back({-1, 0.83});
    section.push_back({-1, 0});
    const SmoothPatches patches = rigid_patches(extruded(section, 0.7));
    int fans = 0;
    for (std::size_t f = 0; f < patches.facets.size(); ++f) {
        const auto& [a, b, c] = patches.facets[f];
        const Vec3 &N_a = patches.normals[patches.normal_of[f][0]], &N_b = patches.normals[patches.normal_of[f][1]],
                   &N_c = patches.normals[patches.normal_of[f][2]];
        const double along = patches.x[b].z() - patches.x[a].z();
        if (std::abs(along) > 0.1) { // a fold: its normals are alike
            EXPECT_NEAR((N_a - N_b).norm(), 0, 1e-12);
        } else if (std::abs(patches.x[c].z()) < 1e-12 && std::abs(patches.x[c].y() - patches.x[a].y()) < 0.2) {
            EXPECT_NEAR((N_c - (N_a + N_b).normalized()).norm(), 0, 1e-12);
            ++fans;
        }
    }
    EXPECT_GT(fans, 3);
}

TEST(LevelFans, CoverTheSameSurface)
{
    for (const TriMesh& mesh :
        {cone_bowl(12, false), extruded(gear_section(0.01, 12), 0.05), torus_mesh(0.4, 0.1, 9, 7)}) {
        const SmoothPatches whole(mesh), fans = rigid_patches(mesh);
        const auto measure = [](const SmoothPatches& s) {
            double area = 0, volume = 0;
            for (const auto& [i, j, k] : s.facets) {
                area += 0.5 * (s.x[j] - s.x[i]).cross(s.x[k] - s.x[i]).norm();
                volume += s.x[i].cross(s.x[j]).dot(s.x[k]) / 6;
            }
            return std::array{area, volume};
        };
        EXPECT_NEAR(measure(fans)[0], measure(whole)[0], 1e-9 * measure(whole)[0]);
        EXPECT_NEAR(measure(fans)[1], measure(whole)[1], 1e-9 * measure(whole)[1]);
        EXPECT_EQ(fans.edge_length, whole.edge_length);
        for (std::size_t f = 0; f < fans.facets.size(); ++f)
            for (int k = 0; k < 3; ++k)
                EXPECT_GE(fans.beyond(static_cast<int>(f), k), 0) << "closed";
    }
}

// What is round keeps its triangles, and what has creases all about it.
TEST(LevelFans, AreOnlyWhereWhatIsLevelFoldsSmoothly)
{
    const TriMesh ball = sphere_mesh(0.5, 3), box = extruded({{0, 0}, {1, 0}, {1, 1}, {0, 1}}, 1);
    EXPECT_EQ(rigid_patches(ball).facets, ball.triangles);
    EXPECT_EQ(rigid_patches(box).facets, box.triangles);
}

} // namespace
} // namespace stickslip::level_fans_test
