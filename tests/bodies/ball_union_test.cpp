#include "stickslip/bodies/ball_union.h"

#include "stickslip/math/rotation.h"

#include "support/numeric.h"

#include <numbers>

namespace stickslip::ball_union_test {
namespace {

constexpr double pi = std::numbers::pi;

double ball(double r)
{
    return 4 * pi / 3 * r * r * r;
}

TEST(BallUnion, OfOneBallIsTheBall)
{
    const std::vector<RoundPoint> one = {{Vec3(1, -2, 3), 0.5}};
    const MassProperties m = mass_properties(one);
    EXPECT_NEAR(m.volume, ball(0.5), 1e-13);
    EXPECT_CLOSE_ALL(m.centre, one[0].centre, 1e-13);
    EXPECT_CLOSE_ALL(m.inertia, (0.4 * 0.25 * ball(0.5) * Mat3::Identity()).eval(), 1e-13);
}

TEST(BallUnion, OfTwoBallsIsBothLessTheirLens)
{
    const double r = 1, s = 0.7, d = 1.2;
    const double lens =
        pi * std::pow(r + s - d, 2) * (d * d + 2 * d * s - 3 * s * s + 2 * d * r + 6 * r * s - 3 * r * r) / (12 * d);
    Random random(1);
    for (int trial = 0; trial < 10; ++trial) {
        const Vec3 u = trial == 0 ? Vec3(Vec3::UnitZ())
            : trial == 1          ? Vec3(Vec3::UnitX())
                                  : random.vector(1).normalized();
        const Vec3 at = random.vector(3);
        const std::vector<RoundPoint> two = {{at, r}, {at + d * u, s}};
        EXPECT_NEAR(mass_properties(two).volume, ball(r) + ball(s) - lens, 1e-11);
    }
}

TEST(BallUnion, OfBallsApartAddsThemUp)
{
    const std::vector<RoundPoint> two = {{Vec3(-1, 0, 0.2), 0.5}, {Vec3(1, 0.3, 0), 0.8}};
    const MassProperties m = mass_properties(two);
    const double a = ball(0.5), b = ball(0.8);
    EXPECT_NEAR(m.volume, a + b, 1e-12);
    const Vec3 centre = (a * two[0].centre + b * two[1].centre) / (a + b), d = two[1].centre - two[0].centre;
    EXPECT_CLOSE_ALL(m.centre, centre, 1e-12);
    const Mat3 inertia = (0.4 * a * 0.25 + 0.4 * b * 0.64) * Mat3::Identity()
        + a * b / (a + b) * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
    EXPECT_CLOSE_ALL(m.inertia, inertia, 1e-11);
}

TEST(BallUnion, WhatIsHiddenDoesNotCount)
{
    const std::vector<RoundPoint> nested = {
        {Vec3::Zero(), 1}, {Vec3(0.2, 0.1, 0), 0.3}, {Vec3::Zero(), 1}, {Vec3(0, 0, 0.5), 0.5}};
    const MassProperties m = mass_properties(nested);
    EXPECT_NEAR(m.volume, ball(1), 1e-12);
    EXPECT_CLOSE_ALL(m.centre, Vec3(0, 0, 0), 1e-12);
}

TEST(BallUnion, TurnsWithTheBalls)
{
    Random random(2);
    std::vector<RoundPoint> cluster;
    for (int i = 0; i < 6; ++i)
        cluster.push_back({random.vector(0.8), random.uniform(0.4, 0.9)});
    const MassProperties m = mass_properties(cluster);
    for (int trial = 0; trial < 5; ++trial) {
        const Mat3 R = rotation_exp(random.vector(3));
        std::vector<RoundPoint> turned = cluster;
        for (RoundPoint& b : turned)
            b.centre = R * b.centre;
        const MassProperties t = mass_properties(turned);
        EXPECT_NEAR(t.volume, m.volume, 1e-6 * m.volume);
        EXPECT_CLOSE_ALL(t.centre, (R * m.centre).eval(), 1e-6);
        EXPECT_CLOSE_ALL(t.inertia, (R * m.inertia * R.transpose()).eval(), 2e-6 * m.inertia.norm());
    }
}

} // namespace
} // namespace stickslip::ball_union_test
