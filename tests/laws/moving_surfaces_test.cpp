#include "laws/cube_on.h"
#include "laws/rigid_world.h"
#include "stickslip/world/diagnostics.h"

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

// Its corners are the points of contact. Until the plate has its speed u the drive gives m u^2, half of it to friction.
TEST(Belt, ThatIsNarrowerThanItsLoadDoesTheWorkThatThatTakes)
{
    const double u = 0.5, m = 100, mu = 0.3;
    RigidWorld rigid(0.005);
    rigid.box(Vec3(0.3, 0.1, 0.3), 1, Vec3(0, -0.05, 0));
    rigid.as_obstacle();
    rigid.world.obstacles.back().surface_velocity = Vec3(u, 0, 0);
    rigid.box(Vec3(1, 0.1, 1), m / 0.1, Vec3(0, 0.05, 0));
    State state = rigid.start(mu);
    TimeStepper stepper(rigid.world, rigid.options());
    double work = 0, friction = 0, inertia = 0;
    for (int i = 0; i < 60; ++i) {
        const State before = state;
        ASSERT_TRUE(stepper.step(state).done);
        const StepBalance balance = step_balance(rigid.world, stepper.system(), before, state);
        EXPECT_LT(std::abs(balance.energy_error), 1e-5);
        EXPECT_LT(balance.momentum_error.norm(), 1e-5);
        EXPECT_LT(balance.angular_error.norm(), 1e-5);
        work += balance.external_work;
        friction += balance.friction_loss;
        inertia += balance.inertia_loss;
        if (i == 19) {
            EXPECT_NEAR(state.rigid[0].v.x(), mu * g * 0.1, 1e-4);
        }
    }
    EXPECT_NEAR(state.rigid[0].v.x(), u, 1e-5);
    EXPECT_NEAR(work, m * u * u, 1e-3 * m * u * u);
    EXPECT_NEAR(friction + inertia, m * u * u / 2, 2e-3 * m * u * u);
}

// A block held on a roller that turns by omega dt in a step: the drive gives mu N omega R t, whatever omega dt. By the
// chord of the turn, which leads inward by R (omega dt)^2/2, it would also push against N.
TEST(Roller, DoesTheWorkOfItsFriction)
{
    for (const double dt : {0.001, 0.01}) {
        const double omega = 40, R = 0.1, m = 1, mu = 0.2, end = 0.5;
        RigidWorld rigid(dt);
        ScriptedMotion turning;
        turning.angular_velocity = Vec3(0, 0, omega);
        rigid.world.obstacles.push_back({.name = "roller",
            .solid = Cylinder{R, 0.3},
            .start = {Vec3(0, -R, 0), rotation_exp(Vec3(std::numbers::pi / 2, 0, 0))},
            .motion = turning,
            .rims = rims_of(Cylinder{R, 0.3})});
        rigid.box(Vec3(0.1, 0.1, 0.1), m / 1e-3, Vec3(0, 0.05, 0));
        rigid.world.rigids.back().fixed = {true, false, true, true, true, true};
        State state = rigid.start(mu);
        TimeStepper stepper(rigid.world, rigid.options());
        double work = 0;
        while (state.time < end - 1e-9) {
            const State before = state;
            ASSERT_TRUE(stepper.step(state).done);
            const StepBalance balance = step_balance(rigid.world, stepper.system(), before, state);
            EXPECT_LT(std::abs(balance.energy_error), 1e-9);
            work += balance.external_work;
        }
        const double exact = mu * m * g * omega * R * end;
        EXPECT_NEAR(work, exact, 2e-3 * exact) << dt;
    }
}

} // namespace
} // namespace stickslip::laws::moving_surfaces_test
