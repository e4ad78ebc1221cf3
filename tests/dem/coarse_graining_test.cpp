#include "granular_scenes.h"

#include "stickslip/dem/packing/coarse_graining.h"
#include "stickslip/dem/packing/packing_statistics.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace stickslip::coarse_graining_test {
namespace {

constexpr double R = 0.01;

GranularWorld soft_world()
{
    GranularWorld world = one_material({.density = 1000, .stiffness = 1e3});
    world.dt = 1e-6;
    return world;
}

/// Spheres at random places in a cube from 0 to `side`, some of which overlap.
std::vector<Grain> random_grains(int count, double side)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(0, 1);
    const auto vector = [&] { return Vec3(unit(random), unit(random), unit(random)); };
    std::vector<Grain> grains;
    for (int i = 0; i < count; ++i)
        grains.push_back(
            {.x = side * vector(), .radius = R * (0.5 + unit(random)), .v = vector() - Vec3(0.2, 0.5, 0.9)});
    return grains;
}

struct Totals {
    double mass = 0; // [kg]
    Vec3 momentum = Vec3::Zero(); // [kg m/s]
};
Totals totals(const CoarseFields& fields, const CoarseGrid& grid)
{
    const double cell = std::pow(grid.spacing, 3);
    Totals t;
    for (std::size_t p = 0; p < grid.count(); ++p) {
        t.mass += cell * fields.density[p];
        t.momentum += cell * fields.density[p] * fields.velocity[p];
    }
    return t;
}
Totals totals(const SphereSystem& system)
{
    Totals t;
    for (const SphereMotion& motion : system.state().spheres.motion) {
        t.mass += 1 / motion.inverse_mass;
        t.momentum += motion.v / motion.inverse_mass;
    }
    return t;
}
Mat3 sum(const std::vector<Mat3>& tensors)
{
    return std::accumulate(tensors.begin(), tensors.end(), Mat3(Mat3::Zero()));
}

TEST(CoarseGraining, GridEndsAtTheBox)
{
    const CoarseGrid grid = coarse_grid({Vec3(0, 0, 0), Vec3(0.3, 0.31, 0.1)}, 0.1, 1);
    EXPECT_EQ(grid.points, (std::array<int, 3>{4, 5, 2}));
    EXPECT_EQ(grid.count(), 40u);
}

TEST(CoarseGraining, KeepsMassAndMomentum)
{
    SphereSystem system(soft_world(), random_grains(60, 0.1));
    for (const double spacing : {0.006, 0.013})
        for (const int smoothing : {1, 3}) {
            const double reach = 2 * smoothing * spacing;
            const CoarseGrid grid =
                coarse_grid({Vec3::Constant(-reach), Vec3::Constant(0.1 + reach + spacing)}, spacing, smoothing);
            const Totals found = totals(coarse_fields(system, {}, grid), grid), expected = totals(system);
            EXPECT_NEAR(found.mass, expected.mass, 1e-12 * expected.mass) << spacing << " " << smoothing;
            EXPECT_LT((found.momentum - expected.momentum).norm(), 1e-12 * expected.momentum.norm());
        }
}

TEST(CoarseGraining, OfAPeriodicBoxCountsEachSphereOnce)
{
    constexpr double side = 0.12, spacing = 0.01;
    GranularWorld world = soft_world();
    world.box = {.corner = Vec3::Zero(), .size = Vec3::Constant(side)};
    SphereSystem system(world, random_grains(40, side));
    const CoarseGrid grid = coarse_grid({Vec3::Zero(), Vec3::Constant(side - spacing)}, spacing, 2);
    const Totals found = totals(coarse_fields(system, {}, grid), grid), expected = totals(system);
    EXPECT_NEAR(found.mass, expected.mass, 1e-12 * expected.mass);
    EXPECT_LT((found.momentum - expected.momentum).norm(), 1e-12 * expected.momentum.norm());
}

TEST(CoarseGraining, WhatMovesAsOneHasThatVelocityAndNoKineticStress)
{
    std::vector<Grain> grains = random_grains(30, 0.05);
    const Vec3 v(0.3, -2, 0.7);
    for (Grain& g : grains)
        g.v = v;
    SphereSystem system(soft_world(), grains);
    const CoarseGrid grid = coarse_grid({Vec3::Constant(-0.05), Vec3::Constant(0.1)}, 0.01, 1);
    const CoarseFields fields = coarse_fields(system, {}, grid);
    for (std::size_t p = 0; p < grid.count(); ++p) {
        const Vec3 expected = fields.density[p] > 0 ? v : Vec3::Zero();
        EXPECT_LT((fields.velocity[p] - expected).norm(), 1e-12);
        EXPECT_LT(fields.kinetic_stress[p].norm(), 1e-12 * fields.density[p] + 1e-300);
    }
}

TEST(CoarseGraining, KineticStressOfTwoStreams)
{
    // two spheres at one place with opposite velocities: nothing flows, their momentum is all fluctuation
    const Vec3 v(0.3, 0.1, 0);
    GranularWorld world = soft_world();
    SphereSystem system(world, {{.x = Vec3::Zero(), .radius = R, .v = v}, {.x = Vec3::Zero(), .radius = R, .v = -v}});
    const CoarseGrid grid = coarse_grid({Vec3::Constant(-0.05), Vec3::Constant(0.05)}, 0.01, 1);
    const Mat3 expected = -2 * mass_of(R, 1000) * v * v.transpose() / std::pow(grid.spacing, 3);
    EXPECT_LT((sum(coarse_fields(system, {}, grid).kinetic_stress) - expected).norm(), 1e-12 * expected.norm());
}

TEST(CoarseGraining, ContactStressIsThatOfLoveAndWeber)
{
    SphereSystem system(soft_world(), random_grains(60, 0.1));
    system.step();
    const std::vector<GranularContact> contacts = list_contacts(system);
    ASSERT_GT(contacts.size(), 10u);
    const Bounds box{Vec3::Constant(-0.06), Vec3::Constant(0.16)};
    const Mat3 expected =
        packing_statistics(system, contacts, box).stress * (box.max - box.min).prod() / std::pow(0.01, 3);
    for (const int smoothing : {1, 2}) {
        const CoarseFields fields = coarse_fields(system, contacts, coarse_grid(box, 0.01, smoothing));
        EXPECT_LT((sum(fields.contact_stress) - expected).norm(), 1e-12 * expected.norm()) << smoothing;
    }
}

} // namespace
} // namespace stickslip::coarse_graining_test
