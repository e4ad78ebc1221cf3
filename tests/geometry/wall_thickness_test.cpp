#include "stickslip/geometry/queries/wall_thickness.h"

#include "geometry/closed_meshes.h"
#include "stickslip/geometry/solids/grid_level_set.h"
#include "support/thin_walls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace stickslip::wall_thickness_test {
namespace {

constexpr double reach = 1.0 / 32; // [m]

TriMesh joined(TriMesh one, const TriMesh& other, const Vec3& by)
{
    const int first = static_cast<int>(one.vertices.size());
    for (const Vec3& x : other.vertices)
        one.vertices.push_back(x + by);
    for (const auto& [a, b, c] : other.triangles)
        one.triangles.push_back({first + a, first + b, first + c});
    return one;
}

TEST(WallThickness, IsThatOfWallsAndSlotsHoweverFineTheMesh)
{
    for (const int times : {0, 1, 3})
        EXPECT_NEAR(least_thickness(channel(0.01, times), reach), 0.01, 1e-12) << times;
    EXPECT_NEAR(least_thickness(comb(0.006), reach), 0.006, 1e-12);
    EXPECT_NEAR(least_thickness(comb(0.015), reach), 0.005, 1e-12); // its teeth
    for (const int sides : {8, 256})
        EXPECT_NEAR(least_thickness(disc(sides, 0.004), reach), 0.004, 1e-12) << sides;
    EXPECT_NEAR(least_thickness(torus_mesh(0.5, 0.01, 200, 12), reach), 0.02, 1e-3);
    EXPECT_NEAR(least_thickness(joined(cube_mesh(1), cube_mesh(1), {1.003, 0, 0}), reach), 0.003, 1e-12);
}

TEST(WallThickness, IsNoneOfWhatIsThickSharpOrTouches)
{
    EXPECT_EQ(least_thickness(channel(0.035, 2), reach), infinity);
    EXPECT_EQ(least_thickness(cube_mesh(1), reach), infinity);
    EXPECT_EQ(least_thickness(sphere_mesh(0.5, 4), reach), infinity);
    EXPECT_EQ(least_thickness(joined(cube_mesh(1), cube_mesh(1), {1, 0, 0}), reach), infinity);
    TriMesh wedge = extruded({{0, -0.3}, {1, 0}, {0, 0.3}}, 1); // 33 degrees
    for (int i = 0; i < 4; ++i)
        wedge = refined(wedge);
    EXPECT_EQ(least_thickness(wedge, reach), infinity);
}

// A pin of 4 mm beside a ball, of less than a thousandth of its surface.
TEST(WallThickness, LeavesOutWhatIsSmall)
{
    const TriMesh ball = sphere_mesh(0.5, 4);
    EXPECT_EQ(least_thickness(joined(ball, cube_mesh(0.004), {1, 0, 0}), reach), infinity);
    EXPECT_NEAR(least_thickness(joined(ball, cube_mesh(0.025), {1, 0, 0}), reach), 0.025, 1e-12);
}

// A plate, and a slot, beside a block: its middle lies anywhere between the nodes, which are 1 m apart.
TEST(WallThickness, OfTwoCellsIsShownByAGrid)
{
    const auto worst = [](double thickness) {
        double off = 0;
        for (int i = 0; i < 16; ++i) {
            const TriMesh block = cube_mesh(20);
            TriMesh plate = cube_mesh(1);
            for (Vec3& x : plate.vertices)
                x = Vec3(20, thickness, 20).cwiseProduct(x);
            const double above = 14 + thickness / 2 + i / 16.0;
            TriMesh cover = block;
            for (Vec3& x : cover.vertices)
                x.y() *= 1 + i / 64.0;
            const double gap = 10 * (1 + i / 64.0) + thickness;
            const auto grid = build_grid_level_set(joined(block, plate, {0, above, 0}), {.spacing = 1});
            off = std::max(off, std::abs(grid->distance({0.3, above + thickness / 2, 0.7})));
            const auto slotted = build_grid_level_set(joined(block, cover, {0, 10 + gap, 0}), {.spacing = 1});
            off = std::max(off, std::abs(slotted->distance({0.3, 10, 0.7})));
        }
        return off;
    };
    EXPECT_GT(worst(1.25), 0.1);
    EXPECT_LT(worst(1.25), 0.14);
    EXPECT_LT(worst(2), 0.07);
    EXPECT_LT(worst(4), 0.02);
}

} // namespace
} // namespace stickslip::wall_thickness_test
