#include "stickslip/run/output/output_moments.h"

#include "stickslip/math/types.h"

#include <gtest/gtest.h>

namespace stickslip::output_moments_test {
namespace {

constexpr double step = 0.01;

TEST(OutputMoments, AreMultiplesAfterTheStart)
{
    EXPECT_EQ(next_moment(0, 0, 0.04, step), 0.04);
    EXPECT_DOUBLE_EQ(next_moment(0.05, 0, 0.04, step), 0.08);
    EXPECT_DOUBLE_EQ(next_moment(0.31, 0.3, 0.04, step), 0.34);
    EXPECT_DOUBLE_EQ(next_moment(0.08 - 1e-12, 0, 0.04, step), 0.12); // times are sums
    EXPECT_EQ(next_moment(0.5, 0, infinity, step), infinity);
}

TEST(OutputMoments, StayWhatTheyWereToTheLastBit)
{
    double sum = 0, time = 0;
    for (int i = 0; i < 1000; ++i) {
        sum += 0.035;
        while (time < sum - 1e-6 * step) {
            EXPECT_EQ(resumed_moment(sum, time, 0, 0.035, step), sum);
            time += step;
        }
    }
    EXPECT_EQ(resumed_moment(infinity, 0.5, 0, infinity, step), infinity);
}

TEST(OutputMoments, FollowAnIntervalThatHasChanged)
{
    EXPECT_DOUBLE_EQ(resumed_moment(0.245, 0.21, 0, 0.1, step), 0.3); // longer
    EXPECT_DOUBLE_EQ(resumed_moment(0.3, 0.21, 0, 0.02, step), 0.22); // shorter, the old one a multiple too
    EXPECT_DOUBLE_EQ(resumed_moment(infinity, 0.21, 0, 0.1, step), 0.3);
    EXPECT_EQ(resumed_moment(0.3, 0.21, 0, infinity, step), infinity);
    EXPECT_DOUBLE_EQ(resumed_moment(0.65, 0.52, 0.5, 0.1, step), 0.6); // a run that began at 0.5
}

} // namespace
} // namespace stickslip::output_moments_test
