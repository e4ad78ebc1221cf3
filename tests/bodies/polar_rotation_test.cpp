#include "stickslip/bodies/polar_rotation.h"

#include "stickslip/math/rotation.h"
#include "stickslip/math/small_matrix.h"
#include "support/numeric.h"

#include <Eigen/LU>

namespace stickslip::polar_rotation_test {
namespace {

// The singular values decide where the iteration cannot: all signs of the last one, folds and points.
const Vec3 stretches[] = {{1, 1, 1}, {1.3, 1, 0.7}, {100, 1, 0.01}, {3, 3, 0.1}, {1, 1, 0.0085}, {1, 1, 0.0084},
    {1, 1, 1e-6}, {1, 1, 1e-12}, {1, 1, 0}, {1, 0.9, -1e-12}, {1, 0.9, -0.5}, {1e-9, 1e-9, 1e-9}, {1e9, 2e9, 1e9}};

TEST(PolarRotation, IsThatOfTheSingularValuesFromBothWays)
{
    Random random(1);
    for (const Vec3& stretch : stretches)
        for (int trial = 0; trial < 20; ++trial) {
            const Mat3 F = random.rotation() * stretch.asDiagonal() * random.rotation();
            const PolarRotation<double> polar = polar_rotation(matrix3(F)), exact = polar_rotation_by_svd(matrix3(F));
            const Mat3 R = mat3(polar.R);
            const double flatness = (stretch[1] + stretch[2]) / stretch.maxCoeff();
            EXPECT_CLOSE_ALL(R.transpose() * R, Mat3::Identity(), 1e-13);
            EXPECT_NEAR_ALL(R, mat3(exact.R), 1e-14 / std::abs(flatness));
            EXPECT_NEAR_ALL(mat3(polar.M), mat3(exact.M), 1e-12 / std::abs(flatness));
        }
}

TEST(PolarRotation, TurnsByMTimesTheVectorOfTheChange)
{
    Random random(2);
    for (const Vec3& stretch : {Vec3(1.3, 1, 0.7), Vec3(1, 0.5, 0.001), Vec3(1, 0.9, -0.5)}) {
        const Mat3 F = random.rotation() * stretch.asDiagonal() * random.rotation(), dF = random.matrix(1);
        const auto R = [&](double t) { return mat3(polar_rotation(matrix3(F + t * dF)).R); };
        const PolarRotation<double> polar = polar_rotation(matrix3(F));
        const Mat3 A = dF * R(0).transpose(), twice = A - A.transpose();
        const Mat3 dR = skew(mat3(polar.M) * Vec3(twice(2, 1), twice(0, 2), twice(1, 0))) * R(0);
        const double step = 1e-5;
        EXPECT_NEAR_ALL((R(step) - R(-step)) / (2 * step), dR, 1e-8);
    }
}

TEST(PolarRotation, OfFourLanesHasTheBitsOfEach)
{
    Random random(3);
    for (int trial = 0; trial < 50; ++trial) {
        std::array<Mat3, 4> F;
        for (Mat3& f : F)
            f = random.rotation() * stretches[(5 * trial + &f - F.data()) % std::size(stretches)].asDiagonal()
                * random.rotation();
        const PolarRotation<Lanes> four = polar_rotation(matrix3(F[0], F[1], F[2], F[3]));
        for (int l = 0; l < lanes; ++l) {
            const PolarRotation<double> one = polar_rotation(matrix3(F[l]));
            EXPECT_EQ(lane(four.R, l), mat3(one.R));
            EXPECT_EQ(lane(four.M, l), mat3(one.M));
        }
    }
}

} // namespace
} // namespace stickslip::polar_rotation_test
