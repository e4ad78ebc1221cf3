#include "stickslip/geometry/solids/ball_in_box.h"

#include "support/numeric.h"

#include <gtest/gtest.h>

#include <numbers>

namespace stickslip::ball_in_box_test {
namespace {

constexpr double pi = std::numbers::pi, ball = 4 * pi / 3;

double cap(double h)
{
    return pi * h * h * (3 - h) / 3; // of the unit ball
}

TEST(DiscInRectangle, IsTheAreaOfItsPoints)
{
    Random random(1);
    for (int trial = 0; trial < 30; ++trial) {
        double x[2] = {random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)};
        double y[2] = {random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)};
        std::sort(x, x + 2);
        std::sort(y, y + 2);
        constexpr int n = 4000;
        double sum = 0; // of strips
        for (int i = 0; i < n; ++i) {
            const double at = x[0] + (x[1] - x[0]) * (i + 0.5) / n, s = std::sqrt(std::max(0.0, 1 - at * at));
            sum += std::max(0.0, std::min(y[1], s) - std::max(y[0], -s)) * (x[1] - x[0]) / n;
        }
        EXPECT_NEAR(disc_in_rectangle(1, x[0], x[1], y[0], y[1]), sum, 1e-5) << trial;
    }
}

TEST(BallInBox, OfOneFaceIsACap)
{
    for (const double h : {1e-6, 0.01, 0.5, 1.0, 1.3, 1.99}) {
        for (int axis = 0; axis < 3; ++axis) {
            Bounds box{Vec3::Constant(-2), Vec3::Constant(2)};
            box.min[axis] = 1 - h;
            EXPECT_NEAR(ball_in_box(Vec3::Zero(), 1, box), cap(h), 1e-8 * ball) << h << " along " << axis;
        }
    }
}

TEST(BallInBox, OfItsPartsIsTheBall)
{
    Random random(2);
    for (int trial = 0; trial < 500; ++trial) {
        const Vec3 centre = random.vector(3);
        const double radius = random.uniform(0.1, 2);
        Vec3 cut = centre + random.vector(1.1 * radius);
        if (trial % 5 == 0)
            cut[trial % 3] = centre[trial % 3] + radius; // just touching
        if (trial % 7 == 0)
            cut[0] = centre[0]; // through the centre
        double sum = 0;
        for (int part = 0; part < 8; ++part) {
            Bounds box;
            for (int axis = 0; axis < 3; ++axis) {
                box.min[axis] = part >> axis & 1 ? cut[axis] : -20;
                box.max[axis] = part >> axis & 1 ? 20 : cut[axis];
            }
            const double volume = ball_in_box(centre, radius, box);
            EXPECT_GE(volume, -1e-8 * ball * std::pow(radius, 3));
            sum += volume;
        }
        EXPECT_NEAR(sum, ball * std::pow(radius, 3), 1e-8 * ball * std::pow(radius, 3)) << trial;
    }
}

TEST(BallInBox, DoesNotDependOnTheOrderOfAxes)
{
    // the slices are along z alone, so an error of theirs would differ from axis to axis
    Random random(3);
    for (int trial = 0; trial < 500; ++trial) {
        const Vec3 a = random.vector(1.2), b = random.vector(1.2);
        const Bounds box{a.cwiseMin(b), a.cwiseMax(b)};
        const Bounds turned{Vec3(box.min[1], box.min[2], box.min[0]), Vec3(box.max[1], box.max[2], box.max[0])};
        EXPECT_NEAR(ball_in_box(Vec3::Zero(), 1, box), ball_in_box(Vec3::Zero(), 1, turned), 1e-8 * ball) << trial;
    }
}

TEST(BallInBox, IsTheBoxInsideAndNothingOutside)
{
    EXPECT_NEAR(ball_in_box(Vec3::Zero(), 1, {Vec3(-0.1, 0, -0.2), Vec3(0.3, 0.4, 0.5)}), 0.4 * 0.4 * 0.7, 1e-14);
    EXPECT_EQ(ball_in_box(Vec3::Zero(), 1, {Vec3(0.9, 0.9, 0.9), Vec3(2, 2, 2)}), 0);
    EXPECT_EQ(ball_in_box(Vec3::Zero(), 1, {Vec3(1, 0, 0), Vec3(2, 2, 2)}), 0);
}

} // namespace
} // namespace stickslip::ball_in_box_test
