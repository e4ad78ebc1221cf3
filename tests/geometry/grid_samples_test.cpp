#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/solids/grid_level_set.h"
#include "stickslip/geometry/solids/level_set.h"
#include "stickslip/geometry/solids/zero_surface.h"
#include "stickslip/math/error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace stickslip::grid_samples_test {
namespace {

template <typename Distance>
GridSamples sampled(const Vec3& origin, double h, int nodes, const Distance& distance)
{
    GridSamples samples{origin, h, {nodes, nodes + 1, nodes + 2}, {}};
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j < nodes + 1; ++j)
            for (int k = 0; k < nodes + 2; ++k)
                samples.values.push_back(distance(origin + h * Vec3(i, j, k)));
    return samples;
}

std::string refusal(const GridSamples& samples)
{
    try {
        grid_through(samples);
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

double sphere(const Vec3& x)
{
    return (x - Vec3(0.1, 0, -0.1)).norm() - 0.5;
}

TEST(GridSamples, GiveTheDistanceThatWasSampled)
{
    const auto grid = grid_through(sampled(Vec3::Constant(-1), 0.05, 41, sphere));
    constexpr double sagitta =
        3 * 0.05 * 0.05 / (8 * 0.5); // [m] of the longest diagonal of a cell: beyond, triangles count
    std::mt19937 random(1);
    std::uniform_real_distribution<double> place(-0.9, 0.9);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 x(place(random), place(random), place(random));
        if (sphere(x) < -0.4) // about the centre, where it has a kink
            continue;
        EXPECT_NEAR(grid->distance(x), sphere(x), sphere(x) > 2 * 0.05 ? sagitta : 0.02 * 0.05) << x.transpose();
    }
    EXPECT_NEAR(grid->distance(Vec3(3, 0, 0)), sphere(Vec3(3, 0, 0)),
        sagitta); // far out of the grid
    EXPECT_NEAR((grid->solid_bounds().max - Vec3(0.6, 0.5, 0.4)).norm(), 0, 0.05);
}

TEST(GridSamples, OfWhatReachesTheirEndStopThere)
{
    const auto grid = grid_through(sampled(Vec3::Zero(), 0.1, 21, [](const Vec3& x) { return x.y() - 1.03; }));
    EXPECT_TRUE(is_closed(zero_surface(*grid).triangles));
    EXPECT_NEAR(grid->distance(Vec3(1, 1.2, 1)), 0.17, 1e-9);
    EXPECT_NEAR(grid->distance(Vec3(1, 0.9, 1)), -0.13, 1e-4); // the edges of the walls spread by 0.27 a cell
    EXPECT_NEAR(grid->distance(Vec3(-0.25, 0.5, 1)), 0.25, 0.01);
    EXPECT_NEAR(grid->distance(Vec3(2.2, 0.5, 1)), 0.2, 0.01);
    EXPECT_NEAR(grid->distance(Vec3(1, -0.2, 1)), 0.2, 0.01);
}

TEST(GridSamples, AreRefusedIfTheyAreNoDistance)
{
    const auto good = sampled(Vec3::Constant(-1), 0.1, 21, sphere);
    EXPECT_EQ(refusal(good), "");
    EXPECT_EQ(refusal(sampled(Vec3::Zero(), 0.1, 9, // most of its surface is near an edge, where the spline is flat
                  [](const Vec3& x) { return (x - Vec3::Constant(0.4)).cwiseAbs().maxCoeff() - 0.25; })),
        "");
    EXPECT_NE(refusal(sampled(Vec3::Constant(-1), 0.1, 21, [](const Vec3& x) { return 2 * sphere(x); }))
                  .find("whose slope at the surface is 1, found a slope of "),
        std::string::npos)
        << refusal(sampled(Vec3::Constant(-1), 0.1, 21, [](const Vec3& x) { return 2 * sphere(x); }));
    EXPECT_NE(refusal(sampled(Vec3::Constant(-1), 0.1, 21, [](const Vec3& x) { return sphere(x) + 3; }))
                  .find("on both sides of a surface"),
        std::string::npos);
    GridSamples bad = good;
    bad.values[100] = std::nan("");
    EXPECT_NE(refusal(bad).find("expected distances of at most"), std::string::npos);
    bad = good;
    bad.spacing = 0;
    EXPECT_NE(refusal(bad).find("a spacing of 1e-9 to 1e9 m"), std::string::npos);
    EXPECT_NE(refusal(sampled(Vec3::Zero(), 0.1, 3, sphere)).find("at least 4 nodes"), std::string::npos);
    bad.spacing = 0.1;
    bad.count = {4, 4, 140000};
    bad.values.resize(4 * 4 * 140000);
    EXPECT_NE(refusal(bad).find("expected at most 3.35544e+07 nodes"), std::string::npos) << refusal(bad);
}

} // namespace
} // namespace stickslip::grid_samples_test
