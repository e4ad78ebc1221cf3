#include "stickslip/math/symmetric_eigen.h"

#include "support/numeric.h"

namespace stickslip::symmetric_eigen_test {
namespace {

TEST(SymmetricEigen, RebuildsTheMatrixFromARotationAndItsValues)
{
    Random random(1);
    for (const Vec3& values : {Vec3(3, 2, 1), Vec3(1, 1, 1), Vec3(1, 1, -1), Vec3(1, 1 + 1e-12, 2), Vec3(1e6, 1, 1e-6),
             Vec3(0, 0, 0), Vec3(-1e-300, 1, 1e-300), Vec3(0, 5, 0)})
        for (int trial = 0; trial < 30; ++trial) {
            const Mat3 R = trial == 0 ? Mat3(Mat3::Identity()) : random.rotation();
            const Mat3 half = R * values.asDiagonal() * R.transpose(), S = 0.5 * (half + half.transpose());
            const SymmetricEigen<double> eigen = symmetric_eigen(matrix3(S));
            Mat3 V;
            V << vec3(eigen.V[0]), vec3(eigen.V[1]), vec3(eigen.V[2]);
            const Vec3 found(eigen.values[0], eigen.values[1], eigen.values[2]);
            EXPECT_CLOSE_ALL(V.transpose() * V, Mat3::Identity(), 4e-15);
            EXPECT_GT(V.determinant(), 0);
            const double scale = std::max(S.norm(), 1e-300);
            EXPECT_CLOSE_ALL((V * found.asDiagonal() * V.transpose()) / scale, S / scale, 1e-14);
        }
}

TEST(SymmetricEigen, OfFourLanesHasTheBitsOfEach)
{
    Random random(2);
    std::array<Mat3, 4> S;
    for (Mat3& s : S) {
        s = random.matrix();
        s = (s + s.transpose()).eval();
    }
    const SymmetricEigen<Lanes> four = symmetric_eigen(matrix3(S[0], S[1], S[2], S[3]));
    for (int l = 0; l < lanes; ++l) {
        const SymmetricEigen<double> one = symmetric_eigen(matrix3(S[l]));
        for (int k = 0; k < 3; ++k) {
            EXPECT_EQ(four.values[k][l], one.values[k]);
            EXPECT_EQ(lane(four.V[k], l), vec3(one.V[k]));
        }
    }
}

} // namespace
} // namespace stickslip::symmetric_eigen_test
