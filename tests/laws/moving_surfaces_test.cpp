#include "laws/cube_on.h"

namespace stickslip::laws::moving_surfaces_test {
namespace {

Obstacle plane()
{
    return {.name = "floor", .solid = Plane{}, .start = {}, .motion = {}};
}

TEST(Belt, CarriesABlockAtItsOwnSpeedOnceItSticks)
{
    // at rest for 0.5 s, then at 0.5 m/s at once: the block slips with mu g until it has the belt's speed, after v/(mu
    // g) = 0.17 s
    Obstacle belt = plane();
    belt.motion.keyframes = {{0.5, Vec3::Zero(), Quat::Identity()}, {10.5, Vec3(5, 0, 0), Quat::Identity()}};
    CubeOn run(belt, Vec3::Zero(), 0.3, 1.0 / 60);
    run.run_to(0.5);
    run.run_to(0.6);
    EXPECT_NEAR(run.velocity().x(), 0.3 * g * 0.1, 0.1 * 0.3 * g * 0.1); // still slipping
    run.run_to(2.5);
    EXPECT_NEAR(run.velocity().x(), 0.5, 1e-9);
    EXPECT_NEAR(run.velocity().z(), 0, 1e-9);
    const Vec3 place = run.place();
    EXPECT_EQ(run.run_to(3.5), 0); // no attachment slides any more
    EXPECT_NEAR(run.place().x() - place.x(), 0.5, 1e-9);
}

TEST(Belt, ThatOnlyMovesItsSurfaceDoesTheSame)
{
    Obstacle conveyor{.name = "conveyor",
        .solid = Box{Vec3(10, 0.2, 1)},
        .start = {Vec3(0, -0.1, 0), Mat3::Identity()},
        .motion = {},
        .surface_velocity = Vec3(0.5, 0, 0)};
    CubeOn run(conveyor, Vec3::Zero(), 0.3, 1.0 / 60);
    run.run_to(2);
    EXPECT_NEAR(run.velocity().x(), 0.5, 1e-9);
    EXPECT_EQ(run.run_to(3), 0);
}

} // namespace
} // namespace stickslip::laws::moving_surfaces_test
