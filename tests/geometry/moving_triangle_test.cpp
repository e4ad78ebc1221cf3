#include "stickslip/geometry/queries/moving_triangle.h"

#include "support/numeric.h"

#include <gtest/gtest.h>

namespace stickslip::moving_triangle_test {
namespace {

const std::array<Vec3, 3> flat = {Vec3(0, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 0)}; // its front looks up

MovingPointTriangle over(const Vec3& from, const Vec3& to)
{
    return {from, to, flat, flat};
}

TEST(MovingTriangle, IsCrossedFromItsFrontAlone)
{
    EXPECT_NEAR(first_crossing(over({0.2, 1, 0.2}, {0.2, -3, 0.2})).value(), 0.25, 1e-14);
    EXPECT_FALSE(first_crossing(over({0.2, -3, 0.2}, {0.2, 1, 0.2})));
    EXPECT_FALSE(first_crossing(over({0.2, 1, 0.2}, {0.2, 0.5, 0.2}))) << "does not come that far";
    EXPECT_FALSE(first_crossing(over({0.7, 1, 0.7}, {0.7, -1, 0.7}))) << "beside it";
    EXPECT_NEAR(first_crossing(over({0.2, 0, 0.2}, {0.2, -1, 0.2})).value(), 0, 1e-15) << "lies on it and goes in";
    EXPECT_FALSE(first_crossing(over({0.2, 0, 0.2}, {0.3, 0, 0.2}))) << "slides along it";
}

TEST(MovingTriangle, IsCrossedWhereItTurnsAway)
{
    // the triangle falls faster than the point at first and is stopped: two places in one plane twice
    MovingPointTriangle m = over({0.2, 0.1, 0.2}, {0.2, -0.4, 0.2});
    m.x = {Vec3(0, -0.3, 0), Vec3(0, -0.3, 1), Vec3(1, -0.3, 0)};
    EXPECT_NEAR(first_crossing(m).value(), 0.5, 1e-14);
}

/// Whatever moves: at the time told the point is in the triangle, and before it was never beyond it.
TEST(MovingTriangle, FindsTheFirstTimeOfRandomMotions)
{
    Random random(7);
    int crossed = 0;
    for (int i = 0; i < 8000; ++i) {
        MovingPointTriangle m;
        for (int k = 0; k < 3; ++k) {
            m.x_old[k] = random.vector();
            m.x[k] = m.x_old[k] + random.vector();
        }
        m.p_old = random.vector();
        m.p = m.p_old + random.vector(2);
        const auto state = [&](double t) { // height over the plane, and the least weight
            std::array<Vec3, 3> x;
            for (int k = 0; k < 3; ++k)
                x[k] = m.x_old[k] + t * (m.x[k] - m.x_old[k]);
            const Vec3 p = m.p_old + t * (m.p - m.p_old), n = (x[1] - x[0]).cross(x[2] - x[0]);
            double least = infinity;
            for (int k = 0; k < 3; ++k)
                least = std::min(least, n.dot((x[(k + 2) % 3] - x[(k + 1) % 3]).cross(p - x[(k + 1) % 3])));
            return std::pair(n.dot(p - x[0]) / n.norm(), least / n.squaredNorm());
        };
        const auto time = first_crossing(m);
        const double until = time.value_or(1);
        if (time) {
            ++crossed;
            EXPECT_NEAR(state(*time).first, 0, 1e-9);
            EXPECT_GE(state(*time).second, -1e-7);
        }
        constexpr int samples = 400;
        auto before = state(0);
        for (int k = 1; k <= samples; ++k) {
            const double t = k * until / samples;
            if (time && k == samples)
                break;
            const auto now = state(t);
            const bool passes = before.first >= 0 && now.first < 0 && before.second > 0.05 && now.second > 0.05;
            EXPECT_FALSE(passes) << "an earlier crossing at " << t;
            before = now;
        }
    }
    EXPECT_GT(crossed, 100);
}

} // namespace
} // namespace stickslip::moving_triangle_test
