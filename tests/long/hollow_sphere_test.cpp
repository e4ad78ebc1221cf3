// A sphere in a finely cut hollow one: the table of docs/validation.md, "Spheres in concave meshes".
#include "dem/granular_scenes.h"
#include "geometry/closed_meshes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace stickslip::hollow_sphere_test {
namespace {

struct Bounds {
    double least = infinity, greatest = 0;
};

/// Of the force over k d, with the sphere pressed d into the hollow one at places all over it. [R]
Bounds firmness(double gap, double depth, int level)
{
    constexpr double k = 50; // [N/m]
    GranularWorld world = one_material({.density = 0.2387, .stiffness = k, .friction = 0, .restitution = 1});
    world.dt = 1e-3;
    world.walls = {{.name = "hollow",
        .shape = std::make_shared<const TriangulatedSurface>(sphere_mesh(1 + gap, level), EdgeRule::smooth)}};
    Bounds bounds;
    for (int i = 0; i < 12; ++i) {
        const double z = -0.9 + 0.163 * i, phi = 0.37 + 2.4 * i, s = std::sqrt(1 - z * z);
        const Vec3 out(s * std::cos(phi), s * std::sin(phi), z);
        const SphereSystem system(world, {{.x = (gap + depth) * out, .radius = 1}});
        const double force = system.state().wall_load[0].force.norm() / (k * depth);
        bounds.least = std::min(bounds.least, force);
        bounds.greatest = std::max(bounds.greatest, force);
    }
    return bounds;
}

TEST(HollowSphere, TheForceInItBecomesThatOfTheSmoothOneAsFacetsGetFiner)
{
    const std::pair<double, double> cases[] = {{0.02, 0.01}, {0.02, 0.02}, {0.02, 0.05}, {0.1, 0.05}, {1, 0.02}};
    for (const auto& [gap, depth] : cases) {
        std::printf("gap %g R, overlap %g %%:", gap, 100 * depth);
        Bounds finest;
        for (const int level : {4, 5, 6, 7, 8}) {
            finest = firmness(gap, depth, level);
            std::printf("  %.0f facets %.3f to %.3f", 8 * std::pow(4, level), finest.least, finest.greatest);
        }
        std::printf("\n");
        EXPECT_GT(finest.least, 0.97);
        EXPECT_LT(finest.greatest, 1.03);
    }
}

} // namespace
} // namespace stickslip::hollow_sphere_test
