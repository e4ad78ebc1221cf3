#include "stickslip/math/smooth_step.h"

#include <gtest/gtest.h>

#include <limits>

namespace stickslip::smooth_step_test {

namespace {

TEST(SmoothStep, IsConstantOutsideItsSteps)
{
    for (const double x : {-1.0, -1e-12, 0.0}) {
        EXPECT_EQ(smooth_step(x).value, 0);
        EXPECT_EQ(smooth_step(x).slope, 0);
    }
    for (const double x : {1.0, 1 + 1e-12, 2.0, std::numeric_limits<double>::infinity()}) {
        EXPECT_EQ(smooth_step(x).value, 1);
        EXPECT_EQ(smooth_step(x).slope, 0);
    }
}

TEST(SmoothStep, HasTheSlopeOfCentralDifferences)
{
    constexpr double h = 1e-6;
    for (const double x : {-0.1, -1e-6, 0.0, 1e-12, 1e-6, 0.2, 0.5, 0.8, 1 - 1e-6, 1 - 1e-12, 1.0, 1 + 1e-6, 1.1})
        EXPECT_NEAR(smooth_step(x).slope, (smooth_step(x + h).value - smooth_step(x - h).value) / (2 * h), 1e-5)
            << x; // 6 h: the slope has a kink at 0 and 1
}

TEST(SmoothStep, IsTheSameFromBothEnds)
{
    for (const double x : {1e-12, 1e-6, 0.1, 0.25, 0.5, 0.75}) {
        EXPECT_NEAR(smooth_step(x).value + smooth_step(1 - x).value, 1, 1e-15);
        EXPECT_NEAR(smooth_step(x).slope, smooth_step(1 - x).slope, 1e-15);
    }
}

} // namespace

} // namespace stickslip::smooth_step_test
