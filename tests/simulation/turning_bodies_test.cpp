#include <stickslip/stickslip.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

/// What a step sees of a turn is where it begins and ends: a body that would turn by more than 1 rad in it is not taken
/// for one that stands still, or turns backwards.
namespace stickslip::turning_bodies_test {
namespace {

constexpr double pi = std::numbers::pi, g = 9.81;

std::string printed(double x)
{
    return std::to_string(x);
}

Simulation started(double dt, double friction, const std::string& bodies)
{
    return Simulation(scene_from_text("stickslip: 1\ntime: {step: " + printed(dt) + ", end: 10}\ncontact: {friction: "
        + printed(friction) + "}\nmaterials: {oak: {density: 700}}\nbodies:\n" + bodies));
}

const std::string floor_below = "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n";

class Turntable : public testing::TestWithParam<int> { };

TEST_P(Turntable, DrivesADiscOnIt)
{
    const double mu = 0.3, R = 0.05, t = 0.5, rpm = GetParam();
    for (const char* adaptive : {"false", "true"}) {
        SCOPED_TRACE(adaptive);
        Simulation simulation = Simulation(scene_from_text("stickslip: 1\ntime: {step: " + printed(1.0 / 60)
            + ", end: 1, adaptive: " + adaptive + "}\ncontact: {friction: " + printed(mu)
            + "}\nmaterials: {oak: {density: 700}}\nbodies:\n"
              "  - {name: table, kind: obstacle, shape: {cylinder: {radius: 1, height: 0.2}}, position: [0, -0.1, 0], "
              "motion: {angular_velocity: [0, "
            + printed(rpm * pi / 30)
            + ", 0]}}\n"
              "  - {name: disc, kind: rigid, material: oak, shape: {cylinder: {radius: 0.05, height: 0.02}}, "
              "position: [0, 0.01, 0]}\n"));
        ASSERT_EQ(simulation.run(t), RunStatus::done);
        // it touches by its rim: mu m g R = m R^2/2 dw/dt, along the chord of a step's slip, which is off by up to half
        // of its angle
        const double exact = 2 * mu * g * simulation.time() / R;
        EXPECT_GT(simulation.pose("disc").w.y(), 0.88 * exact);
        EXPECT_LT(simulation.pose("disc").w.y(), 1.001 * exact);
    }
}

INSTANTIATE_TEST_SUITE_P(PerMinute, Turntable, testing::Values(600, 1200, 1500, 1800, 3000, 3600));

TEST(TurningPlane, DrivesABallNearlyAlongItsWay)
{
    for (const double rpm : {300.0, 600.0, 1200.0, 3600.0, -3600.0}) {
        SCOPED_TRACE(rpm);
        Simulation simulation = started(1.0 / 60, 0.3,
            "  - {name: table, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}, motion: {angular_velocity: [0, "
                + printed(rpm * pi / 30)
                + ", 0]}}\n  - {name: ball, kind: rigid, material: oak, shape: {sphere: 0.05}, "
                + "position: [1, 0.05, 0]}\n");
        ASSERT_EQ(simulation.run(0.1), RunStatus::done);
        const Vec3 v = simulation.pose("ball").v;
        EXPECT_NEAR(v.norm(), 0.3 * g * 0.1, 0.01);
        const double way = rpm > 0 ? -1 : 1; // of the table under the ball, along z
        EXPECT_LT(std::abs(std::atan2(v.x(), way * v.z())), 0.5 + 0.02) << "half of what the table turns in a step";
    }
}

TEST(TurningRollers, CarryAPlank)
{
    // towards each other, from off the middle: it swings by mu, whatever the speed of the rollers
    const double mu = 0.2, half = 0.3, from = 0.1, period = 2 * pi * std::sqrt(half / (mu * g));
    for (const double rpm : {1200.0, 1800.0, 3600.0}) {
        SCOPED_TRACE(rpm);
        const auto roller = [&](const std::string& name, double x, double w) {
            return "  - {name: " + name + ", kind: obstacle, shape: {cylinder: {radius: 0.1, height: 0.3}}, position: ["
                + printed(x)
                + ", -0.1, 0], rotation: {axis: [1, 0, 0], degrees: 90}, motion: {angular_velocity: [0, 0, "
                + printed(w) + "]}}\n";
        };
        Simulation simulation = started(1.0 / 60, mu,
            roller("left", -half, -rpm * pi / 30) + roller("right", half, rpm * pi / 30)
                + "  - {name: plank, kind: rigid, material: oak, shape: {box: [1.2, 0.04, 0.1]}, position: ["
                + printed(from) + ", 0.02, 0], fixed_dofs: [z, ry, rx]}\n");
        ASSERT_EQ(simulation.run(period / 2), RunStatus::done);
        EXPECT_NEAR(simulation.pose("plank").x.x(), -from, 0.2 * from);
    }
}

class Blade : public testing::TestWithParam<double> { };

TEST_P(Blade, DoesNotGoThroughABallUnseen)
{
    const double dt = 0.01, w = GetParam() / dt;
    const std::string ball =
        "  - {name: ball, kind: rigid, material: oak, shape: {sphere: 0.05}, position: [0, 0.05, 0.2]}\n";
    Simulation scripted = started(dt, 0.3,
        floor_below
            + "  - {name: blade, kind: obstacle, shape: {box: [1, 0.05, 0.1]}, position: [0, 0.06, 0], motion: "
              "{angular_velocity: [0, "
            + printed(w) + ", 0]}}\n" + ball);
    Simulation free = started(dt, 0.3,
        floor_below
            + "  - {name: blade, kind: rigid, material: oak, shape: {box: [1, 0.05, 0.1]}, position: [0, 0.06, 0], "
              "angular_velocity: [0, "
            + printed(w) + ", 0], fixed_dofs: [x, y, z, rx, rz]}\n" + ball);
    for (Simulation* simulation : {&scripted, &free}) {
        // what is too fast for the shortest steps ends the run
        if (simulation->run(0.1) == RunStatus::failed) {
            EXPECT_NE(simulation->messages().back().find("passes through"), std::string::npos)
                << simulation->messages().back();
        }
        EXPECT_GT(simulation->pose("ball").v.norm(), 1);
    }
}

INSTANTIATE_TEST_SUITE_P(RadiansAStep, Blade, testing::Values(1.2, 2.5, pi, 2 * pi));

TEST(TurningBodies, ThatTurnTooFarForTheShortestStepEndTheRun)
{
    Simulation simulation = Simulation(scene_from_text(
        "stickslip: 1\ntime: {step: 0.01, min_step: 0.005, end: 1}\nmaterials: {oak: {density: 700}}\nbodies:\n"
        "  - {name: table, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}, motion: {angular_velocity: [0, 300, "
        "0]}}\n  - {name: ball, kind: rigid, material: oak, shape: {sphere: 0.05}, position: [1, 0.05, 0]}\n"));
    EXPECT_EQ(simulation.run(0.1), RunStatus::failed);
    EXPECT_NE(simulation.messages().back().find("\"table\" turns by more than 1 rad in the shortest step, of 0.005 s"),
        std::string::npos)
        << simulation.messages().back();
}

TEST(TurningBodies, WhoseNodesAreLedTurnWithThem)
{
    const double dt = 0.01, w = 2 * pi / dt;
    const std::string turn = "angular_velocity: [0, " + printed(w) + ", 0]";
    Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: " + printed(dt)
        + ", end: 1}\ngravity: [0, 0, 0]\nmaterials: {gum: {density: 1000, young: 1.0e7, poisson: 0.3}}\nbodies:\n"
          "  - {name: rod, kind: deformable, shape: {box: [0.2, 0.05, 0.05]}, resolution: 0.05, material: gum, "
        + turn + ", fix: [{box: {min: [-0.11, -1, -1], max: [-0.04, 1, 1]}, motion: {" + turn
        + ", about: [0, 0, 0]}}]}\n"));
    ASSERT_EQ(simulation.run(0.05), RunStatus::done);
    EXPECT_GT(simulation.pose("rod").w.y(), 0.5 * w);
}

TEST(TurningBodies, ThatAreBallsDriveOthersByTheirSurface)
{
    // one on the other, of which one spins about the axis of both by a whole turn in a step; either may be the one
    // whose surface is met
    const double mu = 0.3, R = 0.05, w = 60 * 2 * pi, t = 0.1;
    for (const bool lower_spins : {false, true}) {
        SCOPED_TRACE(lower_spins);
        Simulation simulation = started(1.0 / 60, mu,
            "  - {name: lower, kind: rigid, material: oak, shape: {sphere: 0.05}, position: [0, 0.05, 0], "
            "angular_velocity: [0, 0, "
                + printed(lower_spins ? w : 0) + "], fixed_dofs: [x, y, z, rx, ry]}\n  - {name: upper, kind: rigid, "
                + "material: oak, shape: {sphere: 0.05}, position: [0, 0.15, 0], angular_velocity: [0, 0, "
                + printed(lower_spins ? 0 : w) + "], fixed_dofs: [x, z, rx, ry]}\n");
        ASSERT_EQ(simulation.run(t), RunStatus::done);
        const double turned = mu * g * t / (0.4 * R);
        EXPECT_NEAR(simulation.pose(lower_spins ? "lower" : "upper").w.z(), w - turned, 0.1 * turned);
        EXPECT_NEAR(simulation.pose(lower_spins ? "upper" : "lower").w.z(), -turned, 0.1 * turned);
    }
}

} // namespace
} // namespace stickslip::turning_bodies_test
