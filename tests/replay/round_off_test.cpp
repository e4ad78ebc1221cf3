#include "stickslip/replay/round_off.h"

#include <gtest/gtest.h>

#include <limits>

namespace stickslip::round_off_test {
namespace {

TEST(RoundOff, OfMotionAndEnergyIsSixteenLastPlaces)
{
    constexpr double share = 16 * std::numeric_limits<double>::epsilon();
    RunReading run;
    EXPECT_EQ(round_off(run).speed, 0);
    run.tracks.resize(2);
    run.tracks[1].x = {Vec3(1, -3, 0), Vec3(nan, 0, 0), Vec3(2, 0, 0)};
    run.history = {.columns = {{.name = "dt", .numbers = {0.5, 0.25}, .words = {}},
                       {.name = "kinetic_energy", .numbers = {0, 2}, .words = {}},
                       {.name = "potential_energy", .numbers = {-7, -9}, .words = {}}},
        .rows = 2};
    const RoundOff least = round_off(run);
    EXPECT_DOUBLE_EQ(least.length, 3 * share);
    EXPECT_DOUBLE_EQ(least.speed, 3 * share / 0.25);
    EXPECT_DOUBLE_EQ(least.spin, share / 0.25);
    EXPECT_DOUBLE_EQ(least.energy, 9 * share);
    EXPECT_EQ(without_round_off(-0.5 * least.speed, least.speed), 0);
    EXPECT_EQ(without_round_off(-2e-9, least.speed), -2e-9);
}

TEST(RoundOff, OfForcesAndMomentaIsWhatTheSolverLeaves)
{
    RunReading run;
    run.tracks.resize(1);
    run.tracks[0].x = {Vec3(0, 3, 0)};
    run.walls = {.columns = {{.name = "fy", .numbers = {-8, nan}, .words = {}}}, .rows = 2};
    run.probes = {.columns = {{.name = "friction_x", .numbers = {4}, .words = {}}}, .rows = 1};
    run.history = {
        .columns = {{.name = "px", .numbers = {-2}, .words = {}}, {.name = "lz", .numbers = {5}, .words = {}}},
        .rows = 1};
    EXPECT_DOUBLE_EQ(round_off(run).force, 8e-9);
    EXPECT_DOUBLE_EQ(round_off(run).torque, 24e-9);
    EXPECT_DOUBLE_EQ(round_off(run).momentum, 2e-9);
    EXPECT_DOUBLE_EQ(round_off(run).angular_momentum, 5e-9);
    run.probes.columns[0].numbers = {-16};
    EXPECT_DOUBLE_EQ(round_off(run).force, 16e-9);
}

} // namespace
} // namespace stickslip::round_off_test
