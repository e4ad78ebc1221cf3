#include "stickslip/geometry/queries/overlap_on_way.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace stickslip::overlap_on_way_test {
namespace {

// Of two balls that touch where their middles are 1 m apart.
double overlap_of_balls(const Frame& first_in_second)
{
    return 1 - first_in_second.x.norm();
}

Frame turned(const Vec3& theta, const Vec3& x)
{
    return {x, rotation_exp(theta)};
}

TEST(OverlapOnWay, IsFoundWhereOneFliesThroughTheOther)
{
    const WayOfBody rests{turned(Vec3::Zero(), Vec3::Zero()), turned(Vec3::Zero(), Vec3::Zero())};
    const WayOfBody flies{turned(Vec3::Zero(), Vec3(-2, 0.5, 0)), turned(Vec3::Zero(), Vec3(2, 0.5, 0))};
    // Places at x = -1, 0, 1: the one in the middle is 0.5 m from the ball that rests.
    EXPECT_DOUBLE_EQ(overlap_on_way(flies, rests, 4, 0.1, overlap_of_balls), 0.5);
    EXPECT_DOUBLE_EQ(overlap_on_way(rests, flies, 4, 0.1, overlap_of_balls), 0.5);
    EXPECT_EQ(overlap_on_way(flies, rests, 4, 0.5, overlap_of_balls), 0) << "it is not more than is allowed";
    EXPECT_EQ(overlap_on_way(flies, rests, 1, 0.1, overlap_of_balls), 0) << "no place lies between";
}

TEST(OverlapOnWay, IsTheFirstOnTheWay)
{
    const WayOfBody rests{turned(Vec3::Zero(), Vec3::Zero()), turned(Vec3::Zero(), Vec3::Zero())};
    const WayOfBody flies{turned(Vec3::Zero(), Vec3(-2, 0, 0)), turned(Vec3::Zero(), Vec3(2, 0, 0))};
    EXPECT_DOUBLE_EQ(overlap_on_way(flies, rests, 8, 0.1, overlap_of_balls), 0.5); // at x = -0.5, before the middle
}

// Half a turn about a common centre ends where a straight flight through the other one would.
TEST(OverlapOnWay, IsNoneOfWhatRollsOverTheOther)
{
    const WayOfBody rests{turned(Vec3::Zero(), Vec3::Zero()), turned(Vec3::Zero(), Vec3::Zero())};
    const double nearly_half = std::numbers::pi - 0.01; // half a turn has no rotation vector of its own
    const Vec3 start(-1, 0, 0);
    const Vec3 theta(0, 0, nearly_half);
    const WayOfBody rolls{turned(Vec3::Zero(), start), turned(theta, rotation_exp(theta) * start)};
    EXPECT_EQ(overlap_on_way(rolls, rests, 16, 1e-9, overlap_of_balls), 0);
    const WayOfBody flies{turned(Vec3::Zero(), start), turned(Vec3::Zero(), rolls.to.x)};
    EXPECT_GT(overlap_on_way(flies, rests, 16, 1e-9, overlap_of_balls), 0.1);
}

TEST(OverlapOnWay, WaysBeginAndEndWhereTheBodyDoes)
{
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    const auto any = [&] { return Vec3(normal(random), normal(random), normal(random)); };
    for (int i = 0; i < 50; ++i) {
        const Frame from = turned(any(), any());
        const double angle = i == 0 ? 0 : i == 1 ? 1e-12 : 3 * i / 50.0;
        const Vec3 theta = angle * any().normalized();
        const Frame to{any(), rotation_exp(theta) * from.R};
        for (const auto& way : {straight_way, screw_way}) {
            EXPECT_TRUE(way(from, to, 0).x.isApprox(from.x, 1e-12));
            EXPECT_TRUE(way(from, to, 1).x.isApprox(to.x, 1e-12));
            EXPECT_TRUE(way(from, to, 1).R.isApprox(to.R, 1e-12));
            EXPECT_TRUE(way(from, to, 0.5).R.isApprox(rotation_exp(0.5 * theta) * from.R, 1e-12));
        }
        EXPECT_TRUE(straight_way(from, to, 0.25).x.isApprox(0.75 * from.x + 0.25 * to.x, 1e-12));
        // Both halves of a screw are the same motion.
        const Frame half = screw_way(from, to, 0.5);
        EXPECT_TRUE((rotation_exp(0.5 * theta) * (half.x - from.x)).isApprox(to.x - half.x, 1e-9));
    }
}

} // namespace
} // namespace stickslip::overlap_on_way_test
