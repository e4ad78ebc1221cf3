#include "stickslip/build/filled_shape.h"

#include "stickslip/geometry/mesh/mass_properties.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip::filled_shape_test {
namespace {

constexpr double pi = std::numbers::pi;

FilledShape fill(const LevelSet& solid, double volume, double spacing, std::optional<int> seed = std::nullopt)
{
    return filled_shape(shape_distance(solid), bounds(solid), volume, spacing, seed);
}

/// Share of the places that are as near to the surface as a particle is wide; none may be nearer.
double touching(const FilledShape& filled, const ShapeDistance& distance)
{
    std::size_t count = 0;
    for (const Vec3& x : filled.places) {
        const double gap = -distance(x).phi - filled.half_width;
        EXPECT_GE(gap, -1.1e-6 * filled.half_width) << x.transpose();
        count += gap < 1e-6 * filled.half_width;
    }
    return static_cast<double>(count) / static_cast<double>(filled.places.size());
}

double lowest(const FilledShape& filled, int axis)
{
    double low = infinity;
    for (const Vec3& x : filled.places)
        low = std::min(low, x[axis]);
    return low;
}

TEST(FilledShape, ParticlesOfABoxTouchAllItsFacesWhateverTheSpacing)
{
    for (const Vec3& size : {Vec3(0.2, 0.1, 0.2), Vec3(0.21, 0.087, 0.17), Vec3(0.2, 0.023, 0.2)}) {
        const FilledShape filled = fill(Box{size}, size.prod(), 0.05 / 3);
        EXPECT_NEAR(8 * std::pow(filled.half_width, 3) * static_cast<double>(filled.places.size()), size.prod(),
            1e-9 * size.prod());
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_NEAR(lowest(filled, axis) + size[axis] / 2, filled.half_width, 1e-12) << size.transpose();
    }
}

TEST(FilledShape, NoPlaceIsNearerToTheSurfaceThanAParticleIsWide)
{
    const double tan = std::tan(20 * pi / 180);
    const Cone cone{0.2, 0.2 * tan};
    const LevelSet ball = Sphere{0.1}, ring = Torus{0.2, 0.06}, rod = Cylinder{0.1, 0.23};
    for (const double spacing : {0.04 / 3, 0.02, 0.013})
        for (const std::optional<int> seed : {std::optional<int>(), std::optional<int>(7)}) {
            const FilledShape filled = fill(cone, pi / 3 * 0.04 * cone.height, spacing, seed);
            EXPECT_GT(touching(filled, shape_distance(cone)), 0.2);
            EXPECT_EQ(filled.moved, 0u);
            EXPECT_GT(touching(fill(ball, 4 * pi / 3 * 1e-3, spacing, seed), shape_distance(ball)), 0.3);
            EXPECT_GT(touching(fill(ring, 2 * pi * pi * 0.2 * 0.0036, spacing, seed), shape_distance(ring)), 0.3);
            EXPECT_GT(touching(fill(rod, pi * 0.01 * 0.23, spacing, seed), shape_distance(rod)), 0.2);
        }
}

/// Half of a heap `height` high with sides of `angle` [rad], `width` wide, its mirror plane at x = 0.
TriMesh half_heap(double height, double angle, double width)
{
    const double foot = height / std::tan(angle);
    TriMesh mesh;
    for (const double z : {0.0, width})
        for (const Vec3& x : {Vec3(0, 0, z), Vec3(foot, 0, z), Vec3(0, height, z)})
            mesh.vertices.push_back(x);
    mesh.triangles = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}};
    return mesh;
}

TEST(FilledShape, ASharpToeHasNoParticleInTheFloor)
{
    for (const double degrees : {12.0, 19.0, 35.0}) {
        const TriMesh mesh = half_heap(0.2, degrees * pi / 180, 0.04);
        const ShapeDistance distance = shape_distance(mesh);
        const FilledShape filled =
            filled_shape(distance, bounds(mesh.vertices), mass_properties(mesh).volume, 0.04 / 3, {});
        EXPECT_GT(touching(filled, distance), 0.3) << degrees;
        EXPECT_EQ(filled.moved, 0u) << degrees;
    }
}

TEST(FilledShape, AThinSheetHasParticlesAsWideAsItIsThin)
{
    const FilledShape filled = fill(Box{Vec3(0.2, 0.005, 0.2)}, 2e-4, 0.05 / 3);
    EXPECT_NEAR(filled.half_width, 0.0025, 1e-8);
    EXPECT_EQ(filled.places.size(), 144u);
    for (const int axis : {0, 2})
        EXPECT_NEAR(lowest(filled, axis) + 0.1, filled.half_width, 1e-12);
}

// A fin as thin as a third of a particle on a cube: what would lie in it goes to where the cube begins.
TEST(FilledShape, WhatWouldLieInAFinGoesToTheNearestPlaceWithRoom)
{
    const auto distance = [](const Vec3& x) { // exact within the cube and the fin
        const LevelSetSample cube = sample(LevelSet(Box{Vec3(0.1, 0.1, 0.1)}), x);
        const LevelSetSample fin = sample(LevelSet(Box{Vec3(0.4, 0.004, 0.1)}), x);
        const LevelSetSample& at = cube.phi < fin.phi ? cube : fin;
        return SurfaceDistance{at.phi, at.n.normalized()};
    };
    const double volume = 1e-3 + 0.3 * 0.004 * 0.1;
    Bounds box;
    box.add(Vec3(-0.2, -0.055, -0.05));
    box.add(Vec3(0.2, 0.055, 0.05));
    const FilledShape filled = filled_shape(distance, box, volume, 0.01, {});
    EXPECT_GT(touching(filled, distance), 0.2);
    EXPECT_GT(filled.moved, 100u);
    for (const Vec3& x : filled.places)
        EXPECT_LT(std::abs(x.x()), 0.05);
}

} // namespace
} // namespace stickslip::filled_shape_test
