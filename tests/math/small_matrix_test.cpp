#include "stickslip/math/rotation_svd.h"

#include "support/numeric.h"

#include <Eigen/LU>

namespace stickslip::small_matrix_test {
namespace {

void expect_rotation(const Mat3& R)
{
    EXPECT_CLOSE_ALL(R.transpose() * R, Mat3::Identity(), 4e-15);
    EXPECT_GT(R.determinant(), 0);
}

void expect_rotation_svd(const Mat3& F)
{
    const RotationSvd svd = rotation_svd(F);
    expect_rotation(svd.U);
    expect_rotation(svd.V);
    const double scale = std::max(F.norm(), 1e-300);
    EXPECT_CLOSE_ALL((svd.U * svd.sigma.asDiagonal() * svd.V.transpose()) / scale, F / scale, 4e-15);
    EXPECT_GE(svd.sigma[0], svd.sigma[1]);
    EXPECT_GE(svd.sigma[1], std::abs(svd.sigma[2]));
    const double det = F.determinant();
    if (std::abs(det) > 1e-12 * scale * scale * scale) {
        EXPECT_EQ(svd.sigma[2] < 0, det < 0);
    }
}

TEST(RotationSvd, RebuildsRandomMatricesAndReflections)
{
    Random random(1);
    int reflections = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const Mat3 F = random.matrix(2);
        reflections += F.determinant() < 0;
        expect_rotation_svd(F);
    }
    EXPECT_GT(reflections, 50);
}

TEST(RotationSvd, HandlesEqualNearlyEqualAndZeroSingularValues)
{
    Random random(2);
    const double gaps[] = {0, 1e-16, 1e-12, 1e-6, 1};
    for (const double gap : gaps)
        for (const double sign : {-1.0, 1.0})
            for (const Vec3& sigma :
                {Vec3(1, 1, sign * (1 - gap)), Vec3(1 + gap, 1, 0), Vec3(1, gap, sign * gap), Vec3(gap, 0, 0)})
                expect_rotation_svd(random.rotation() * sigma.asDiagonal() * random.rotation().transpose());
    expect_rotation_svd(Mat3::Identity());
    expect_rotation_svd(-Mat3::Identity());
    expect_rotation_svd(Mat3::Zero());
    expect_rotation_svd(Vec3(-1, 1, 1).asDiagonal());
}

TEST(RotationSvd, OfFourSideBySideHasTheBitsOfEach)
{
    Random random(7);
    for (int trial = 0; trial < 100; ++trial) {
        std::array<Mat3, 4> F{random.matrix(2), Mat3::Identity(), Mat3::Zero(),
            random.rotation() * Vec3(1, 1, trial % 2).asDiagonal() * random.rotation()};
        std::array<RotationSvd, 4> svds;
        rotation_svds({&F[0], &F[1], &F[2], &F[3]}, {&svds[0], &svds[1], &svds[2], &svds[3]});
        for (int l = 0; l < 4; ++l) {
            const RotationSvd one = rotation_svd(F[l]);
            EXPECT_EQ(svds[l].U, one.U);
            EXPECT_EQ(svds[l].V, one.V);
            EXPECT_EQ(svds[l].sigma, one.sigma);
        }
    }
}

TEST(RotationSvd, GivesTheRotationPartOfAPureRotation)
{
    Random random(3);
    for (int trial = 0; trial < 50; ++trial) {
        const Mat3 R = random.rotation();
        const RotationSvd svd = rotation_svd(R);
        EXPECT_CLOSE_ALL(svd.U * svd.V.transpose(), R, 2e-15);
    }
}

TEST(Cofactor, TimesTheMatrixIsTheDeterminant)
{
    Random random(4);
    for (int trial = 0; trial < 100; ++trial) {
        const Mat3 F = random.matrix(2);
        EXPECT_CLOSE_ALL(F * cofactor(F).transpose(), F.determinant() * Mat3::Identity(), 1e-14);
        EXPECT_NEAR_ALL(cofactor(F), F.determinant() * F.inverse().transpose(), 1e-11);
    }
    EXPECT_CLOSE_ALL(cofactor(Vec3(2, 3, 0).asDiagonal()), Mat3(Vec3(0, 0, 6).asDiagonal()), 0);
}

TEST(Cofactor, IsTheGradientOfTheDeterminant)
{
    Random random(5);
    for (int trial = 0; trial < 50; ++trial) {
        const Mat3 F = random.matrix(2);
        const auto det = [](const Vec9& f) { return unvec(f).determinant(); };
        EXPECT_CLOSE_ALL(vec(cofactor(F)).transpose(), difference(det, vec(F), 1e-2), 1e-12);
    }
}

TEST(CofactorDerivative, MatchesDifferencesIsSymmetricAndLinear)
{
    Random random(6);
    for (int trial = 0; trial < 50; ++trial) {
        const Mat3 F = random.matrix(2), G = random.matrix(2);
        const Mat9 D = cofactor_derivative(F);
        EXPECT_CLOSE_ALL(D, difference([](const Vec9& f) { return vec(cofactor(unvec(f))); }, vec(F), 1e-2), 1e-12);
        EXPECT_CLOSE_ALL(D, D.transpose(), 0);
        EXPECT_CLOSE_ALL(cofactor_derivative(F + 2 * G), D + 2 * cofactor_derivative(G), 1e-14);
    }
}

TEST(Vec, StacksColumnsAndUnvecUndoesIt)
{
    Mat3 A;
    A << 1, 4, 7, 2, 5, 8, 3, 6, 9;
    Vec9 expected;
    expected << 1, 2, 3, 4, 5, 6, 7, 8, 9;
    EXPECT_CLOSE_ALL(vec(A), expected, 0);
    EXPECT_CLOSE_ALL(unvec(vec(A)), A, 0);
}

} // namespace
} // namespace stickslip::small_matrix_test
