// What is given for a pair of materials counts instead of what follows from the two, in every kind of contact.
#include "body_scenes.h"

#include "stickslip/geometry/queries/triangulated_surface.h"
#include "stickslip/math/error.h"

namespace stickslip::pair_coefficients_test {
namespace {

constexpr double R = 0.01, rho = 2000, g = 9.81;

/// Two materials that share nothing but the density, and a floor of the second, as a plane or as two triangles.
GranularWorld two_materials(NormalLaw law, bool meshed = false)
{
    GranularWorld world;
    world.law = law;
    const bool springs = law == NormalLaw::linear;
    world.materials = {
        {.density = rho, .young = 1e7, .stiffness = springs ? 3e4 : 0, .friction = 0.6, .restitution = 0.9},
        {.density = rho,
            .young = 1e7,
            .stiffness = springs ? 7e4 : 0,
            .shear_ratio = 0.5,
            .friction = 0.5,
            .restitution = 0.8,
            .rolling_friction = 0.01}};
    GranularWall floor = flat_wall(Vec3::UnitY());
    floor.material = 1;
    if (meshed)
        floor.shape = std::make_shared<const TriangulatedSurface>(
            TriMesh{{{-9, 0, -9}, {9, 0, -9}, {9, 0, 9}, {-9, 0, 9}}, {{0, 2, 1}, {0, 3, 2}}}, EdgeRule::smooth);
    world.walls = {floor};
    return world;
}

TEST(PairCoefficients, ARestitutionIsThatOfTheRebound)
{
    for (const NormalLaw law : {NormalLaw::linear, NormalLaw::hertz}) {
        for (const double e : {0.3, 1.0}) {
            GranularWorld world = two_materials(law);
            world.walls.clear();
            world.pair_exceptions = {{.first = 1, .second = 0, .restitution = e}};
            world.safety = 0.02;
            SphereSystem system(world,
                {{.x = Vec3(-R - 1e-9, 0, 0), .radius = R, .v = Vec3(0.5, 0, 0)},
                    {.x = Vec3(R, 0, 0), .radius = R, .material = 1}});
            while (system.touching() == 0)
                ASSERT_TRUE(system.step());
            while (system.touching() > 0)
                ASSERT_TRUE(system.step());
            EXPECT_NEAR((motion_of(system, 1).v - motion_of(system, 0).v)[0] / 0.5, e, 2e-3);
        }
    }
}

TEST(PairCoefficients, AStiffnessCarriesTheWeightByWeightOverStiffness)
{
    for (const bool meshed : {false, true}) {
        GranularWorld world = two_materials(NormalLaw::linear, meshed);
        world.pair_exceptions = {{.first = 0, .second = 1, .restitution = 0.05, .stiffness = 500}};
        world.gravity = Vec3(0, -g, 0);
        SphereSystem system(world, {{.x = Vec3(0, R, 0), .radius = R}});
        ASSERT_TRUE(system.step(static_cast<int>(1 / system.dt())));
        const double overlap = mass_of(R, rho) * g / 500;
        EXPECT_NEAR(R - place_of(system, 0).x.y(), overlap, 1e-6 * overlap);
    }
    GranularWorld world = two_materials(NormalLaw::linear); // a box on its four corners
    world.pair_exceptions = {{.first = 0, .second = 1, .restitution = 0.05, .stiffness = 500}};
    world.gravity = Vec3(0, -g, 0);
    add_box(world, Vec3(0.04, 0.02, 0.04), rho, {.x = Vec3(0, R, 0)});
    SphereSystem system(world, {});
    ASSERT_TRUE(system.step(static_cast<int>(2 / system.dt())));
    const double overlap = world.bodies[0].rigid.mass * g / (4 * 500);
    EXPECT_NEAR(R - system.state().bodies[0].x.y(), overlap, 1e-6 * overlap);
}

TEST(PairCoefficients, AStiffnessDecidesTheStepToo)
{
    const std::vector<Grain> one = {{.x = Vec3(0, R, 0), .radius = R}};
    GranularWorld world = two_materials(NormalLaw::linear);
    const double usual = stable_time_step(world, one);
    world.pair_exceptions = {{.first = 0, .second = 1, .stiffness = 100 * 3e4}};
    EXPECT_NEAR(stable_time_step(world, one), usual * std::sqrt(4.2e4 / (100 * 3e4)), 1e-9 * usual);
}

TEST(PairCoefficients, AFrictionIsThatOfTheSlope)
{
    const double slope = std::numbers::pi / 6, mu = 0.1; // a sphere slips where mu < 2/7 tan(slope)
    for (const bool meshed : {false, true}) {
        GranularWorld world = two_materials(NormalLaw::linear, meshed);
        world.pair_exceptions = {{.first = 0, .second = 1, .friction = mu, .rolling_friction = 0}};
        world.gravity = g * Vec3(std::sin(slope), -std::cos(slope), 0);
        SphereSystem system(world, {{.x = Vec3(0, R - mass_of(R, rho) * g * std::cos(slope) / 4.2e4, 0), .radius = R}});
        ASSERT_TRUE(system.step(static_cast<int>(0.1 / system.dt())));
        const double v = motion_of(system, 0).v.x(), t = system.state().time;
        ASSERT_TRUE(system.step(static_cast<int>(0.2 / system.dt())));
        EXPECT_NEAR((motion_of(system, 0).v.x() - v) / (system.state().time - t),
            g * (std::sin(slope) - mu * std::cos(slope)), 1e-3);
    }
}

TEST(PairCoefficients, ARollingFrictionBrakesByItsTorqueAndATwistingOneTheSpin)
{
    const double rolling = 0.05, twisting = 0.02, load = mass_of(R, rho) * g, d = load / 4.2e4;
    GranularWorld world = two_materials(NormalLaw::linear);
    world.pair_exceptions = {{.first = 0, .second = 1, .rolling_friction = rolling, .twisting_friction = twisting}};
    world.gravity = Vec3(0, -g, 0);
    const double arm = R - d; // m a = -F, 2/5 m R^2 alpha = F arm - rolling m g R, a = arm alpha
    SphereSystem rolls(world, {{.x = Vec3(0, R - d, 0), .radius = R, .v = Vec3(1, 0, 0), .w = Vec3(0, 0, -1 / arm)}});
    ASSERT_TRUE(rolls.step(static_cast<int>(0.1 / rolls.dt())));
    const double v = motion_of(rolls, 0).v.x(), t = rolls.state().time;
    ASSERT_TRUE(rolls.step(static_cast<int>(0.4 / rolls.dt())));
    EXPECT_NEAR((v - motion_of(rolls, 0).v.x()) / (rolls.state().time - t),
        rolling * g * R * arm / (0.4 * R * R + arm * arm), 1e-3);
    SphereSystem spins(world, {{.x = Vec3(0, R - d, 0), .radius = R, .w = Vec3(0, 100, 0)}});
    ASSERT_TRUE(spins.step(static_cast<int>(0.1 / spins.dt())));
    const double w = motion_of(spins, 0).w.y(), then = spins.state().time;
    ASSERT_TRUE(spins.step(static_cast<int>(0.2 / spins.dt())));
    EXPECT_NEAR((w - motion_of(spins, 0).w.y()) / (spins.state().time - then), 2.5 * twisting * g / R, 0.1);
}

TEST(PairCoefficients, ASurfaceEnergyHoldsUpToItsPullOff)
{
    // DMT: touching surfaces pull by 2 pi w R*, w twice the surface energy
    const double holds = mass_of(R, rho) * g / (4 * std::numbers::pi * R);
    for (const double share : {0.95, 1.05}) {
        GranularWorld world = two_materials(NormalLaw::dmt);
        world.walls[0] = flat_wall(-Vec3::UnitY());
        world.walls[0].material = 1;
        world.pair_exceptions = {{.first = 0, .second = 1, .restitution = 0.05, .surface_energy = share * holds}};
        world.gravity = Vec3(0, -g, 0);
        SphereSystem system(world, {{.x = Vec3(0, -R + 1e-9, 0), .radius = R}});
        ASSERT_TRUE(system.step(static_cast<int>(0.05 / system.dt())));
        EXPECT_EQ(place_of(system, 0).x.y() > -R - 1e-4, share > 1) << share;
    }
}

/// Spheres of two materials, a clump's worth of them, a box and a floor, all in motion.
SphereSystem mixed(GranularWorld world)
{
    world.gravity = Vec3(1, -g, 0);
    world.ledger = true;
    add_box(world, Vec3(0.04, 0.02, 0.04), rho, {.x = Vec3(0.01, 0.012, 0), .v = Vec3(0.2, -0.2, 0)}, 0);
    std::vector<Grain> grains = lattice_grains(3, R, 7);
    for (Grain& grain : grains)
        grain.x += Vec3(-0.03, 0.03, -0.03);
    return SphereSystem(world, grains);
}

TEST(PairCoefficients, ActAsThoseOfAMaterialThatHasThem)
{
    for (const NormalLaw law : {NormalLaw::linear, NormalLaw::hertz, NormalLaw::jkr}) {
        const bool springs = law == NormalLaw::linear, sticky = law == NormalLaw::jkr;
        for (const bool meshed : {false, true}) {
            GranularWorld same = two_materials(law, meshed);
            same.materials[0] = {.density = rho,
                .young = 1e7,
                .stiffness = springs ? 0x1p15 : 0,
                .shear_ratio = 0.25,
                .friction = 0.2,
                .restitution = 0.5,
                .rolling_friction = 0.1,
                .twisting_friction = 0.2,
                .surface_energy = sticky ? 0.25 : 0};
            same.materials[1] = same.materials[0];
            GranularWorld given = two_materials(law, meshed);
            for (const auto& [a, b] : {std::pair(0, 0), {0, 1}, {1, 1}}) {
                PairException pair{.first = a,
                    .second = b,
                    .friction = 0.2,
                    .restitution = 0.5,
                    .rolling_friction = 0.1,
                    .twisting_friction = 0.2};
                if (springs) {
                    pair.stiffness = 0x1p15;
                    pair.shear_ratio = 0.25;
                }
                if (sticky)
                    pair.surface_energy = 0.25;
                given.pair_exceptions.push_back(pair);
            }
            same.dt = given.dt = 1e-5;
            SphereSystem one = mixed(same), other = mixed(given);
            ASSERT_TRUE(one.step(3000));
            ASSERT_TRUE(other.step(3000));
            const EnergyLedger e = one.ledger();
            for (const double loss : {e.friction_loss, e.rolling_loss, e.damping_loss})
                EXPECT_GT(loss, 1e-4 * e.first) << "they met";
            EXPECT_EQ(state_hash(one.state()), state_hash(other.state())) << static_cast<int>(law) << meshed;
            EXPECT_EQ(one.ledger().stored(), other.ledger().stored());
        }
    }
}

TEST(PairCoefficients, WhatDoesNotTouchFallsFreely)
{
    for (const NormalLaw law : {NormalLaw::linear, NormalLaw::hertz}) {
        for (const bool meshed : {false, true}) {
            GranularWorld world = two_materials(law, meshed);
            world.pair_exceptions = {{.first = 0, .second = 1, .touches = false}};
            world.gravity = Vec3(0, -g, 0);
            world.ledger = true;
            world.dt = 2e-5;
            add_box(world, Vec3(0.04, 0.02, 0.04), rho, {.x = Vec3(0.2, 0.05, 0)}, 0);
            SphereSystem system(world,
                {{.x = Vec3(0, 0.05, 0), .radius = R}, {.x = Vec3(0, 0.029, 0), .radius = R, .material = 1},
                    {.x = Vec3(0.2, 0.05, 0), .radius = R, .material = 1}});
            ASSERT_TRUE(system.step(10000));
            const double t = system.state().time, fallen = 0.05 - 0.5 * g * t * t;
            EXPECT_NEAR(place_of(system, 0).x.y(), fallen, 1e-12) << "through the sphere below and the floor";
            EXPECT_NEAR(system.state().bodies[0].x.y(), fallen, 1e-12) << "about the sphere inside, through the floor";
            EXPECT_GT(place_of(system, 1).x.y(), 0.9 * R) << "which holds those of its own material";
            EXPECT_GT(place_of(system, 2).x.y(), 0.9 * R);
            EXPECT_EQ(system.trouble().passed, -1);
            const EnergyLedger e = system.ledger();
            EXPECT_LT(std::abs(e.imbalance()), 1e-3 * std::abs(e.gravity_work));
        }
    }
}

TEST(PairCoefficients, OutOfRangeAreRejected)
{
    const std::vector<Grain> one = {{.x = Vec3(0, 1, 0), .radius = R}};
    for (const PairException& pair : {PairException{.first = 0, .second = 2}, {.first = 0, .second = 1, .friction = -1},
             {.first = 0, .second = 1, .restitution = 0}, {.first = 0, .second = 1, .restitution = 1.1},
             {.first = 0, .second = 1, .rolling_friction = -1}, {.first = 0, .second = 1, .twisting_friction = nan},
             {.first = 0, .second = 1, .stiffness = 0}, {.first = 0, .second = 1, .shear_ratio = 0},
             {.first = 0, .second = 1, .surface_energy = -1}}) {
        GranularWorld world = two_materials(NormalLaw::linear);
        world.pair_exceptions = {pair};
        EXPECT_THROW(SphereSystem(world, one), InputError);
    }
}

} // namespace
} // namespace stickslip::pair_coefficients_test
