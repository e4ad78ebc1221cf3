#include "stickslip/plot/ticks.h"

#include "stickslip/math/types.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stickslip::ticks_test {
namespace {

TEST(Ticks, AreRoundNumbersWithTheDigitsTheyNeed)
{
    const Ticks ticks = make_ticks(0.03, 0.92, 5, true);
    EXPECT_EQ(ticks.labels, (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
    EXPECT_EQ(ticks.exponent, 0);
    EXPECT_DOUBLE_EQ(ticks.max, 1);
}

TEST(Ticks, KeepTheRangeOfTheDataWhereEndsAreNotRounded)
{
    const Ticks ticks = make_ticks(0.4, 5.6, 5, false);
    EXPECT_DOUBLE_EQ(ticks.min, 0.4);
    EXPECT_DOUBLE_EQ(ticks.max, 5.6);
    EXPECT_EQ(ticks.labels, (std::vector<std::string>{"2", "4"}));
}

TEST(Ticks, GrowALittleToEndAtATick)
{
    const Ticks ticks = make_ticks(0.01, 6, 6, false); // the first row of a run is after its first step
    EXPECT_DOUBLE_EQ(ticks.min, 0);
    EXPECT_EQ(ticks.labels.front(), "0");
}

TEST(Ticks, TakeOutAPowerOfTenFromUnhandyNumbers)
{
    const Ticks small = make_ticks(0, 4e-7, 4, true);
    EXPECT_EQ(small.exponent, -7);
    EXPECT_EQ(small.labels.back(), "4");
    EXPECT_EQ(make_ticks(0, 3e6, 4, true).exponent, 6);
    EXPECT_EQ(make_ticks(-50, 50, 4, true).labels.front(), "\u221250");
}

TEST(Ticks, HoldTheDataWhateverTheyAre)
{
    for (const auto& [low, high] : {std::pair{0.0, 0.0}, {3.0, 3.0}, {-1e-300, 1e-300}, {-1e300, 1e300},
             {1.0, 1.0 + 1e-15}, {infinity, -infinity}, {stickslip::nan, stickslip::nan}, {-7.3e-5, 2.9e4}})
        for (const bool round : {false, true}) {
            const Ticks ticks = make_ticks(low, high, 5, round);
            EXPECT_LT(ticks.min, ticks.max);
            EXPECT_TRUE(std::isfinite(ticks.min) && std::isfinite(ticks.max));
            EXPECT_EQ(ticks.at.size(), ticks.labels.size());
            EXPECT_LE(ticks.at.size(), 12u);
            if (low <= high) {
                EXPECT_LE(ticks.min, low);
                EXPECT_GE(ticks.max, high);
            }
        }
}

} // namespace
} // namespace stickslip::ticks_test
