#include "stickslip/math/rotation.h"

#include "support/numeric.h"

#include <Eigen/LU>
#include <Eigen/SVD>

#include <numbers>

namespace stickslip::rotation_test {
namespace {

constexpr double pi = std::numbers::pi;

/// Every place where a formula changes or loses digits, from both sides.
const std::vector<double>& angles()
{
    static const std::vector<double> all{0, 1e-300, 1e-12, 1e-8 * (1 - 1e-9), 1e-8 * (1 + 1e-9), 1e-6,
        1e-4 * (1 - 1e-9), 1e-4 * (1 + 1e-9), 0.05 * (1 - 1e-9), 0.05 * (1 + 1e-9), 0.3, 1, 2, pi - 1e-6, pi, pi + 1e-6,
        5, 2 * pi - 1e-6, 2 * pi - 1e-12, 20};
    return all;
}

/// The left Jacobian is the mean of exp(s theta) over s in [0, 1]: Gauss's rule with five points on each of 64
/// intervals.
Mat3 mean_rotation(const Vec3& theta)
{
    constexpr double place[] = {0, 0.5384693101056831, 0.9061798459386640};
    constexpr double weight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    constexpr int intervals = 64;
    Mat3 sum = Mat3::Zero();
    for (int k = 0; k < intervals; ++k)
        for (int p = -2; p <= 2; ++p) {
            const double s = (k + 0.5 + std::copysign(0.5 * place[std::abs(p)], p)) / intervals;
            const double angle = s * theta.norm();
            const Mat3 R =
                angle > 0 ? Eigen::AngleAxisd(angle, theta.normalized()).toRotationMatrix() : Mat3(Mat3::Identity());
            sum += 0.5 * weight[std::abs(p)] / intervals * R;
        }
    return sum;
}

TEST(RotationExp, AgreesWithAxisAndAngle)
{
    Random random(1);
    for (const double angle : angles()) {
        const Vec3 axis = random.unit();
        EXPECT_CLOSE_ALL(
            rotation_exp(angle * axis), Eigen::AngleAxisd(angle, axis).toRotationMatrix(), 8e-16 * (1 + angle))
            << angle;
    }
}

TEST(RotationExp, IsOrthonormalToRoundOff)
{
    Random random(2);
    for (const double angle : angles()) {
        const Mat3 R = rotation_exp(angle * random.unit());
        EXPECT_CLOSE_ALL(R.transpose() * R, Mat3::Identity(), 2e-15) << angle;
        EXPECT_NEAR(R.determinant(), 1, 2e-15) << angle;
    }
}

TEST(RotationExp, OfMinusThetaIsItsTranspose)
{
    Random random(3);
    for (const double angle : angles()) {
        const Vec3 theta = angle * random.unit();
        EXPECT_CLOSE_ALL(rotation_exp(-theta), rotation_exp(theta).transpose(), 1e-15) << angle;
    }
}

TEST(RotationExp, TurnsByTheRightHandRule)
{
    EXPECT_CLOSE_ALL(rotation_exp(pi / 2 * Vec3::UnitZ()) * Vec3::UnitX(), Vec3::UnitY(), 1e-15);
    EXPECT_CLOSE_ALL(rotation_exp(pi / 2 * Vec3::UnitX()) * Vec3::UnitY(), Vec3::UnitZ(), 1e-15);
}

TEST(RotationExp, KeepsTheLastDigitsOfASmallAngle)
{
    const Mat3 R = rotation_exp({0, 0, 1e-12});
    EXPECT_EQ(R(1, 0), 1e-12);
    EXPECT_EQ(R(0, 1), -1e-12);
}

TEST(LeftJacobian, IsTheDerivativeOfTheExponential)
{
    Random random(4);
    for (const double angle : angles())
        for (int trial = 0; trial < 5; ++trial) {
            const Vec3 theta = angle * random.unit();
            const Mat3 R = rotation_exp(theta), J = left_jacobian(theta);
            Eigen::Matrix<double, 9, 3> expected;
            for (int i = 0; i < 3; ++i)
                expected.col(i) = (skew(J.col(i)) * R).reshaped();
            EXPECT_CLOSE_ALL(expected, difference([](const Vec3& t) { return rotation_exp(t); }, theta, 1e-3), 2e-11)
                << angle;
        }
}

TEST(LeftJacobian, IsTheMeanOfTheRotationsOnTheWayToRoundOff)
{
    Random random(5);
    for (const double angle : angles()) {
        const Vec3 theta = angle * random.unit();
        EXPECT_CLOSE_ALL(left_jacobian(theta), mean_rotation(theta), 4e-15 * (1 + angle)) << angle;
    }
}

TEST(LeftJacobian, LeavesTheAxisAndIsSingularAtAFullTurn)
{
    Random random(6);
    const Vec3 axis = random.unit();
    for (const double angle : angles())
        EXPECT_CLOSE_ALL(left_jacobian(angle * axis) * axis, axis, 1e-15 * (2 + angle)) << angle;
    EXPECT_NEAR(left_jacobian(2 * pi * axis).determinant(), 0, 1e-14);
    EXPECT_GT(left_jacobian(pi * axis).determinant(), 0.1);
}

TEST(Skew, IsTheCrossProduct)
{
    Random random(7);
    const Vec3 a = random.vector(), b = random.vector();
    EXPECT_CLOSE_ALL(skew(a) * b, a.cross(b), 1e-16);
    EXPECT_CLOSE_ALL(skew(a).transpose(), -skew(a), 0);
}

} // namespace
} // namespace stickslip::rotation_test
