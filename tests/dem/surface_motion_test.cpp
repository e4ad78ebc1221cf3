#include "granular_scenes.h"

namespace stickslip::surface_motion_test {
namespace {

constexpr double R = 0.05, rho = 1000, g = 9.81;

GranularWorld on_floor(const GranularMaterial& material, NormalLaw law = NormalLaw::linear)
{
    GranularWorld world = one_material(material, law);
    world.gravity = Vec3(0, 0, -g);
    world.walls = {flat_wall(Vec3::UnitZ())};
    return world;
}

/// Height at which a sphere rests on the floor under the linear law.
double resting(const GranularMaterial& material)
{
    return R - mass_of(R, rho) * g / (material.young * R);
}

TEST(SphereOnAFloor, SlidesWithoutFrictionForEver)
{
    const GranularMaterial m{.density = rho, .young = 1e6, .friction = 0};
    SphereSystem system(on_floor(m), {{.x = Vec3(0, 0, resting(m)), .radius = R, .v = Vec3(1, 0.5, 0)}});
    system.step(5000);
    EXPECT_CLOSE_ALL(motion_of(system, 0).v, Vec3(1, 0.5, 0), 1e-12);
    EXPECT_NEAR(place_of(system, 0).x[2], resting(m), 1e-12);
}

TEST(SphereOnAFloor, EndsUpRollingWithFiveSeventhsOfItsSpeed)
{
    const GranularMaterial m{.density = rho, .young = 1e8, .friction = 0.3, .restitution = 0.5};
    SphereSystem system(on_floor(m), {{.x = Vec3(0, 0, resting(m)), .radius = R, .v = Vec3(0.5, 0, 0)}});
    system.step(static_cast<int>(0.15 / system.dt()));
    const double arm = resting(m);
    const double rolling = 0.5 / (1 + arm * arm / (0.4 * R * R)) * (arm * arm / (0.4 * R * R)); // 5/7 when arm = R
    EXPECT_NEAR(rolling / 0.5, 5.0 / 7, 1e-4);
    EXPECT_NEAR(motion_of(system, 0).v[0], rolling, 1e-5);
    EXPECT_NEAR(motion_of(system, 0).w[1] * arm, rolling, 1e-5);
}

TEST(SphereOnASlope, RollsDownWithFiveSeventhsOfTheAcceleration)
{
    const GranularMaterial m{.density = rho, .young = 1e7, .friction = 0.5, .restitution = 0.5};
    GranularWorld world = on_floor(m);
    const double slope = 0.3;
    world.gravity = g * Vec3(std::sin(slope), 0, -std::cos(slope));
    const double arm = R - mass_of(R, rho) * g * std::cos(slope) / (m.young * R);
    SphereSystem system(world, {{.x = Vec3(0, 0, arm), .radius = R}});
    system.step(20000);
    const double rolling = g * std::sin(slope) / (1 + 0.4 * R * R / (arm * arm));
    EXPECT_NEAR(motion_of(system, 0).v[0] / system.state().time, rolling, 1e-4 * rolling);
}

TEST(SphereOnASlope, StaysWithRollingResistanceAndDoesNotCreep)
{
    GranularMaterial m{.density = rho, .young = 1e6, .friction = 0.6, .restitution = 0.3};
    m.rolling_friction = 0.4;
    m.twisting_friction = 0.1;
    GranularWorld world = on_floor(m);
    world.gravity = g * Vec3(std::sin(0.3), 0, -std::cos(0.3)); // tan 0.3 = 0.31
    SphereSystem system(world, {{.x = Vec3(0, 0, R), .radius = R}});
    system.step(40000);
    const Vec3 x = place_of(system, 0).x;
    system.step(40000);
    EXPECT_CLOSE_ALL(place_of(system, 0).x, x, 1e-12);
    EXPECT_LT(motion_of(system, 0).v.norm(), 1e-12);
}

TEST(SphereOnAFloor, SpinsDownUnderTwistingFriction)
{
    GranularMaterial m{.density = rho, .young = 1e6, .friction = 0.5, .restitution = 0.5};
    m.twisting_friction = 0.02;
    SphereSystem system(on_floor(m), {{.x = Vec3(0, 0, resting(m)), .radius = R, .w = Vec3(0, 0, 30)}});
    const double slowing = 0.02 * g / (0.4 * R); // moment mu m g R over 2/5 m R^2
    system.step(4000);
    EXPECT_NEAR(motion_of(system, 0).w[2], 30 - slowing * system.state().time, 1e-3);
    system.step(static_cast<int>(30 / slowing / system.dt()));
    EXPECT_NEAR(motion_of(system, 0).w[2], 0, 1e-6);
}

TEST(SphereOnAFloor, KeepsItsSpinWithoutTwistingFriction)
{
    const GranularMaterial m{.density = rho, .young = 1e6, .friction = 0.5, .restitution = 0.5};
    SphereSystem system(on_floor(m), {{.x = Vec3(0, 0, resting(m)), .radius = R, .w = Vec3(0, 0, 30)}});
    system.step(3000);
    EXPECT_NEAR(motion_of(system, 0).w[2], 30, 1e-12);
    const double angle = 30 * system.state().time;
    const Mat3 turned = system.state().spheres.orientation[0].normalized().toRotationMatrix();
    EXPECT_CLOSE_ALL(turned, Mat3(Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix()), 1e-4 * angle);
}

TEST(SphereOnAConveyor, IsCarriedAtItsSpeed)
{
    const GranularMaterial m{
        .density = rho, .young = 1e6, .friction = 0.5, .restitution = 0.5, .rolling_friction = 0.3};
    GranularWorld world = on_floor(m);
    world.walls[0].surface_velocity = Vec3(0.4, 0, 0);
    SphereSystem system(world, {{.x = Vec3(0, 0, resting(m)), .radius = R}});
    system.step(static_cast<int>(2 / system.dt()));
    EXPECT_CLOSE_ALL(motion_of(system, 0).v, Vec3(0.4, 0, 0), 1e-6);
}

TEST(SphereOnATurntable, GoesRoundWithIt)
{
    GranularMaterial m{.density = rho, .young = 1e6, .friction = 0.5, .restitution = 0.3, .rolling_friction = 0.3};
    GranularWorld world = on_floor(m);
    world.walls[0].motion.angular_velocity = Vec3(0, 0, 2);
    SphereSystem system(
        world, {{.x = Vec3(0.02, 0, resting(m)), .radius = R, .v = Vec3(0, 0.04, 0), .w = Vec3(0, 0, 2)}});
    system.step(static_cast<int>(0.5 / system.dt()));
    const Vec3 x = place_of(system, 0).x;
    EXPECT_NEAR(std::hypot(x[0], x[1]), 0.02, 2e-3);
    EXPECT_NEAR(std::atan2(x[1], x[0]), 2 * system.state().time, 0.1);
}

TEST(SphereOnATurntable, StaysWhereItIs)
{
    // at the velocity of its place at the end of the step, not half way, the table would draw it in by dt w^2 r / 2
    GranularMaterial m{.density = rho, .young = 1e6, .friction = 0.5, .restitution = 0.3, .rolling_friction = 0.3};
    const double turn = 2, r = 0.02;
    GranularWorld world = on_floor(m);
    world.walls[0].motion.angular_velocity = Vec3(0, 0, turn);
    SphereSystem system(
        world, {{.x = Vec3(r, 0, resting(m)), .radius = R, .v = Vec3(0, turn * r, 0), .w = Vec3(0, 0, turn)}});
    const auto radius_at = [&](double time) {
        while (system.state().time < time)
            system.step();
        return place_of(system, 0).x.head<2>().norm();
    };
    const double before = radius_at(1), creep = 0.5 * system.dt() * turn * turn * r;
    EXPECT_NEAR((radius_at(3) - before) / 2, 0, 0.02 * creep);
}

TEST(WallLoad, OfASphereAtRestIsItsWeight)
{
    const GranularMaterial m{.density = rho, .young = 1e6, .friction = 0.5};
    SphereSystem system(on_floor(m), {{.x = Vec3(0.3, 0.2, resting(m)), .radius = R}});
    system.step(100);
    const Load load = system.state().wall_load[0];
    const Vec3 weight(0, 0, -mass_of(R, rho) * g);
    EXPECT_CLOSE_ALL(load.force, weight, 1e-9);
    EXPECT_CLOSE_ALL(load.torque, Vec3(0.3, 0.2, 0).cross(weight), 1e-9);
}

} // namespace
} // namespace stickslip::surface_motion_test
