#include "stickslip/replay/quantise.h"

#include <gtest/gtest.h>

#include <random>

namespace stickslip::quantise_test {
namespace {

std::vector<Vec3> random_points(int count, unsigned seed, double size = 1)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-size, size);
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i)
        points.emplace_back(unit(random), 10 + unit(random), unit(random) * 1e-3);
    return points;
}

Bounds box_of(const std::vector<Vec3>& points)
{
    Bounds box;
    for (const Vec3& x : points)
        box.add(x);
    return box;
}

TEST(Quantise, KeepsTheStatedError)
{
    for (const int bits : {4, 12, 16}) {
        const std::vector<Vec3> points = random_points(500, 1);
        const QuantisedBox box = quantised_box(box_of(points), bits);
        const QuantisedPoints q = quantise(points, box);
        double largest = 0;
        for (std::size_t i = 0; i < points.size(); ++i)
            largest = std::max(largest, (box.position(q[i]) - points[i]).cwiseAbs().maxCoeff());
        EXPECT_LE(largest, box.error() * (1 + 1e-9));
        EXPECT_GT(largest, 0.5 * box.error()); // the bound is not a loose one
    }
}

TEST(Quantise, TakesTheCornersExactlyAndAFlatBox)
{
    const std::vector<Vec3> points = {{1, 2, 3}, {4, 2, 5}};
    const QuantisedBox box = quantised_box(box_of(points), 16);
    const QuantisedPoints q = quantise(points, box);
    EXPECT_EQ(box.position(q[0]), points[0]);
    EXPECT_LE((box.position(q[1]) - points[1]).norm(), 1e-12);
    EXPECT_EQ(box.step.y(), 0);
}

TEST(Differences, ComeBackForEveryPrediction)
{
    const std::vector<Vec3> a = random_points(100, 1), b = random_points(100, 2), c = random_points(100, 3);
    Bounds all = box_of(a);
    for (const auto* points : {&b, &c})
        for (const Vec3& x : *points)
            all.add(x);
    const QuantisedBox box = quantised_box(all, 16);
    const QuantisedPoints two = quantise(a, box), one = quantise(b, box), q = quantise(c, box);
    for (const Prediction p : {Prediction::neighbour, Prediction::hold, Prediction::linear}) {
        std::string bytes;
        append_differences(q, one, two, p, bytes);
        EXPECT_EQ(bytes.size(), 600u);
        std::string_view rest = bytes;
        EXPECT_EQ(take_differences(rest, q.size(), one, two, p), q);
        EXPECT_TRUE(rest.empty());
    }
}

TEST(Differences, TheBestPredictionFitsTheMotion)
{
    QuantisedPoints two(50), one(50), still(50), steady(50);
    std::mt19937 random(5);
    for (int i = 0; i < 50; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            two[i][axis] = static_cast<std::uint16_t>(random());
            one[i][axis] = static_cast<std::uint16_t>(two[i][axis] + 700 + i);
            still[i][axis] = static_cast<std::uint16_t>(one[i][axis] + i % 2);
            steady[i][axis] = static_cast<std::uint16_t>(one[i][axis] + 700 + i);
        }
    EXPECT_EQ(best_prediction(still, one, two), Prediction::hold);
    EXPECT_EQ(best_prediction(steady, one, two), Prediction::linear);
    EXPECT_EQ(best_prediction(steady, {}, {}), Prediction::neighbour);
    EXPECT_EQ(best_prediction(steady, one, {}), Prediction::hold);
}

TEST(HalfWord, KeepsTwoDigitsOfAnyNumber)
{
    for (const double value : {1.0, -3.14159, 1e-30, 2.7e30, 123456.0, 0.0})
        EXPECT_NEAR(from_half_word(half_word(value)), value, std::abs(value) / 256);
    EXPECT_EQ(half_word(nan), 0);
    EXPECT_EQ(half_word(infinity), 0);
    EXPECT_TRUE(std::isfinite(from_half_word(half_word(3.4e38))));
}

} // namespace
} // namespace stickslip::quantise_test
