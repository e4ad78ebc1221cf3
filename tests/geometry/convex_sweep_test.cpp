#include "stickslip/geometry/queries/convex_sweep.h"

#include <gtest/gtest.h>

#include <random>

namespace stickslip::convex_sweep_test {
namespace {

const Vec3 down = -Vec3::UnitY();

ConvexPiece ball(const Vec3& centre, double radius)
{
    return {.points = {centre}, .arcs = {}, .margin = radius};
}

ConvexPiece box(const Vec3& centre, const Vec3& size, const Mat3& R = Mat3::Identity())
{
    ConvexPiece piece;
    for (int k = 0; k < 8; ++k)
        piece.points.push_back(
            centre + R * (0.5 * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1).cwiseProduct(size)));
    return piece;
}

ConvexPiece cylinder(double radius, double height, const Mat3& R)
{
    ConvexPiece piece;
    for (const double y : {-0.5, 0.5})
        piece.arcs.push_back({R * Vec3(0, y * height, 0), R.col(2), R.col(0), radius});
    return piece;
}

Mat3 turned(double angle, const Vec3& axis)
{
    return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

TEST(ConvexSweep, BallsMeetWhereTheirCentresAreTheirRadiiApart)
{
    for (const double beside : {0.0, 1e-9, 0.1, 0.7, 1.2, 1.4, 1.49}) {
        const double expected = 5 - std::sqrt(2.25 - beside * beside);
        EXPECT_NEAR(travel_to_contact(ball({beside, 5, 0}, 0.5), ball({0, 0, 0}, 1), down), expected, 1e-8) << beside;
    }
    EXPECT_EQ(travel_to_contact(ball({1.51, 5, 0}, 0.5), ball({0, 0, 0}, 1), down), infinity);
}

TEST(ConvexSweep, GoesBackFromInsideAndFromBehind)
{
    EXPECT_NEAR(travel_to_contact(ball({0, 0.3, 0}, 0.5), ball({0, 0, 0}, 1), down), -1.2, 1e-9);
    EXPECT_NEAR(travel_to_contact(ball({0, -7, 0}, 0.5), ball({0, 0, 0}, 1), down), -8.5, 1e-9);
}

TEST(ConvexSweep, BoxesMeetByFaceEdgeAndVertex)
{
    const ConvexPiece floor = box({0, -0.5, 0}, {10, 1, 10});
    EXPECT_NEAR(travel_to_contact(box({0.3, 2, 0.1}, {1, 1, 1}), floor, down), 1.5, 1e-9);
    const Mat3 on_edge = turned(std::numbers::pi / 4, Vec3::UnitZ());
    EXPECT_NEAR(travel_to_contact(box({0, 2, 0}, {1, 1, 1}, on_edge), floor, down), 2 - std::sqrt(0.5), 1e-9);
    const Mat3 upright = Quat::FromTwoVectors(Vec3(1, 1, 1), Vec3::UnitY()).toRotationMatrix();
    EXPECT_NEAR(travel_to_contact(box({0, 2, 0}, {1, 1, 1}, upright), floor, down), 2 - std::sqrt(0.75), 1e-9);
    const ConvexPiece ridge = box({0, 0, 0}, {1, 1, 9}, on_edge); // crossed by another
    const Mat3 across = turned(std::numbers::pi / 4, Vec3::UnitX());
    EXPECT_NEAR(travel_to_contact(box({0, 3, 0}, {9, 1, 1}, across), ridge, down), 3 - std::sqrt(2), 1e-9);
}

TEST(ConvexSweep, PassesByFacesThatOnlyGraze)
{
    const ConvexPiece fixed = box({0, 0, 0}, {1, 1, 1});
    EXPECT_EQ(travel_to_contact(box({1 + 1e-7, 5, 0}, {1, 1, 1}), fixed, down), infinity);
    EXPECT_NEAR(travel_to_contact(box({1 - 1e-7, 5, 0}, {1, 1, 1}), fixed, down), 4, 1e-9);
}

TEST(ConvexSweep, CylindersMeetByRimSideAndEnd)
{
    const ConvexPiece floor = box({0, -0.5, 0}, {10, 1, 10});
    for (const double degrees : {0.0, 1e-6, 3.0, 45.0, 89.0, 90.0}) {
        const double angle = degrees * std::numbers::pi / 180;
        const double low = 0.3 * std::sin(angle) + 0.5 * std::cos(angle); // of its centre over its lowest point
        const ConvexPiece tilted = cylinder(0.3, 1, turned(angle, Vec3::UnitZ()));
        EXPECT_NEAR(travel_to_contact(tilted, floor, down), -low, 1e-9) << degrees;
    }
}

/// The answer is the same in any frame and from either body, and no support plane separates the bodies there.
TEST(ConvexSweep, IsTheSameFromBothSidesInAnyFrame)
{
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto vector = [&] { return Vec3(unit(random), unit(random), unit(random)); };
    int met = 0;
    for (int i = 0; i < 300; ++i) {
        ConvexPiece a = box(vector(), Vec3(1, 0.4, 0.7), turned(3 * unit(random), vector()));
        a.margin = i % 3 == 0 ? 0.1 : 0;
        const ConvexPiece b = i % 2 ? cylinder(0.6, 0.3, turned(3 * unit(random), vector())) : ball(vector(), 0.8);
        const Vec3 direction = vector().normalized();
        const double there = travel_to_contact(a, b, direction), back = travel_to_contact(b, a, -direction);
        if (there == infinity || back == infinity) {
            EXPECT_EQ(there, back) << i;
            continue;
        }
        ++met;
        EXPECT_NEAR(there, back, 2e-8) << i;
        const Mat3 R = turned(2, vector());
        const auto moved = [&](ConvexPiece piece) {
            for (Vec3& x : piece.points)
                x = R * x;
            for (Arc& arc : piece.arcs)
                arc = {R * arc.centre, R * arc.u, R * arc.w, arc.radius, arc.half_angle};
            return piece;
        };
        EXPECT_NEAR(travel_to_contact(moved(a), moved(b), R * direction), there, 2e-8) << i;
    }
    EXPECT_GT(met, 100);
}

TEST(ConvexSweep, TakesTheShortestTravelOfManyPieces)
{
    std::vector<ConvexPiece> steps; // going down along x
    for (double k = 0; k < 40; ++k)
        steps.push_back(box({k, -0.1 * k, 0}, {1, 1, 1}));
    const std::vector<ConvexPiece> pair = {ball({20.2, 8, 0}, 0.1), ball({30.2, 7.3, 0}, 0.1)};
    EXPECT_NEAR(travel_to_contact(pair, steps, down), 7.9 - (0.5 - 2), 1e-9);
    EXPECT_EQ(travel_to_contact({ball({0, 9, 3}, 0.1)}, steps, down), infinity);
}

} // namespace
} // namespace stickslip::convex_sweep_test
