#include "stickslip/replay/round_off.h"

#include <gtest/gtest.h>

#include <limits>

namespace stickslip::round_off_test {
namespace {

TEST(RoundOff, IsSixteenLastPlacesOfCoordinatesStepsAndEnergies)
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
    EXPECT_DOUBLE_EQ(least.energy, 9 * share);
    EXPECT_EQ(without_round_off(-0.5 * least.speed, least.speed), 0);
    EXPECT_EQ(without_round_off(-2e-9, least.speed), -2e-9);
}

} // namespace
} // namespace stickslip::round_off_test
