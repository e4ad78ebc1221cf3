#include "stickslip/solver/gmres.h"
#include "stickslip/solver/preconditioners/make_preconditioner.h"

#include "support/block_matrices.h"
#include "support/threads.h"

#include <Eigen/LU>

namespace stickslip::gmres_test {
namespace {

constexpr PreconditionerKind kinds[] = {
    PreconditionerKind::block_jacobi, PreconditionerKind::block_ssor, PreconditionerKind::lu};

struct Solved {
    GmresReport report;
    BlockVector x;
    double residual; // |b - A x| / |b|
};

Solved solve(const BlockMatrix& A, const BlockVector& b, double tolerance, const GmresOptions& options = {},
    PreconditionerKind kind = PreconditionerKind::block_jacobi)
{
    const auto P = make_preconditioner(kind, A.pattern.rows());
    P->update(A);
    Solved s;
    s.report = gmres(A, *P, b, tolerance, options, s.x);
    BlockVector Ax;
    A.multiply(s.x, Ax);
    s.residual = (detail::as_dense(b) - detail::as_dense(Ax)).norm() / norm_all(b);
    return s;
}

TEST(Gmres, SolvesNonsymmetricSystems)
{
    Random random(1);
    for (const PreconditionerKind kind : kinds)
        for (const int rows : {1, 10, 60}) {
            const BlockMatrix A = random_matrix(rows, 2 * rows, 8, random);
            const BlockVector b = random.vectors(rows);
            const Solved s = solve(A, b, 1e-12, {}, kind);
            EXPECT_TRUE(s.report.converged);
            const Eigen::VectorXd exact = dense(A).partialPivLu().solve(detail::as_dense(b));
            EXPECT_NEAR_ALL(s.x, as_blocks(exact), 1e-10) << static_cast<int>(kind) << " " << rows;
        }
}

TEST(Gmres, ToleranceHoldsForTheTrueResidual)
{
    Random random(2);
    for (const PreconditionerKind kind : kinds)
        for (const double tolerance : {0.5, 1e-2, 1e-5, 1e-10}) {
            const BlockMatrix A = random_matrix(40, 60, 7, random);
            const Solved s = solve(A, random.vectors(40), tolerance, {}, kind);
            ASSERT_TRUE(s.report.converged);
            EXPECT_LE(s.residual, tolerance * (1 + 1e-6));
            EXPECT_NEAR(s.report.relative_residual, s.residual, 1e-13);
        }
}

TEST(Gmres, LooserTolerancesTakeFewerIterations)
{
    Random random(3);
    const BlockMatrix A = random_matrix(60, 90, 8, random);
    const BlockVector b = random.vectors(60);
    EXPECT_LT(solve(A, b, 1e-2).report.iterations, solve(A, b, 1e-10).report.iterations);
}

TEST(Gmres, ConvergesWithRestarts)
{
    Random random(4);
    const BlockMatrix A = random_matrix(60, 90, 9, random);
    const BlockVector b = random.vectors(60);
    const Solved whole = solve(A, b, 1e-9), restarted = solve(A, b, 1e-9, {.restart = 6, .max_iterations = 1000});
    EXPECT_TRUE(restarted.report.converged);
    EXPECT_GT(restarted.report.iterations, 6) << "the test means nothing if the first cycle does it";
    EXPECT_GE(restarted.report.iterations, whole.report.iterations);
    EXPECT_NEAR_ALL(restarted.x, whole.x, 1e-7);
}

TEST(Gmres, GivesZeroForAZeroRightHandSide)
{
    Random random(5);
    const BlockMatrix A = random_matrix(10, 10, 5, random);
    const auto P = make_preconditioner(PreconditionerKind::block_jacobi, 10);
    P->update(A);
    BlockVector x = random.vectors(10); // whatever stood there
    const GmresReport report = gmres(A, *P, BlockVector(10, Vec3::Zero()), 1e-8, {}, x);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(norm_all(x), 0);
}

TEST(Gmres, StopsAtTheIterationLimitAndSaysSo)
{
    Random random(6);
    const BlockMatrix A = random_matrix(60, 120, 6, random);
    const BlockVector b = random.vectors(60);
    for (const GmresOptions& options : {GmresOptions{60, 5}, GmresOptions{4, 5}}) {
        const Solved s = solve(A, b, 1e-12, options);
        EXPECT_FALSE(s.report.converged);
        EXPECT_LE(s.report.iterations, 5);
        EXPECT_NEAR(s.report.relative_residual, s.residual, 1e-13);
        EXPECT_LT(s.residual, 1) << "better than nothing";
    }
}

TEST(Gmres, ReportsNoConvergenceForSingularMatricesAndStaysFinite)
{
    Random random(7);
    Eigen::MatrixXd rank_one = Eigen::MatrixXd::Ones(12, 12), half = Eigen::MatrixXd::Zero(12, 12), nilpotent = half;
    half.topLeftCorner(6, 6) = 2 * Eigen::MatrixXd::Identity(6, 6) + Eigen::MatrixXd::Ones(6, 6);
    for (int i = 0; i + 3 < 12; ++i)
        nilpotent(i, i + 3) = 1;
    Eigen::MatrixXd deficient = dense(random_matrix(4, 8, 4, random));
    deficient.row(11) = deficient.row(0) + deficient.row(5);
    const std::pair<const char*, Eigen::MatrixXd> matrices[] = {{"rank one", rank_one}, {"half empty", half},
        {"nilpotent", nilpotent}, {"one row too many", deficient}, {"zero", Eigen::MatrixXd::Zero(12, 12)}};
    for (const PreconditionerKind kind : {PreconditionerKind::block_jacobi, PreconditionerKind::block_ssor})
        for (const auto& [name, D] : matrices) {
            const Solved s = solve(full_matrix(D), random.vectors(4), 1e-8, {}, kind);
            EXPECT_FALSE(s.report.converged) << name;
            EXPECT_TRUE(std::isfinite(s.residual)) << name;
            EXPECT_LE(s.residual, 1 + 1e-9)
                << "the best iterate is no worse than zero: " << name << ", kind " << static_cast<int>(kind);
            EXPECT_LE(s.report.iterations, 100);
        }
}

TEST(Gmres, SolvesASingularSystemThatHasASolution)
{
    Random random(8);
    const BlockMatrix A = full_matrix([] {
        Eigen::MatrixXd D = Eigen::MatrixXd::Zero(12, 12);
        D.topLeftCorner(6, 6) = 2 * Eigen::MatrixXd::Identity(6, 6) + Eigen::MatrixXd::Ones(6, 6);
        return D;
    }());
    BlockVector b = random.vectors(4);
    b[2] = b[3] = Vec3::Zero();
    const Solved s = solve(A, b, 1e-10);
    EXPECT_TRUE(s.report.converged);
    EXPECT_LE(s.residual, 1e-10);
}

TEST(Gmres, GivesTheSameBitsForAnyNumberOfThreads)
{
    Random random(9);
    const BlockMatrix A = random_matrix(5000, 6000, 8, random);
    const BlockVector b = random.vectors(5000);
    std::vector<BlockVector> x;
    for (const std::size_t threads : {1, 2}) {
        const ThreadLimit limit(threads);
        x.push_back(solve(A, b, 1e-6, {}, PreconditionerKind::block_ssor).x);
    }
    EXPECT_TRUE(same_bits(x[0], x[1]));
}

} // namespace
} // namespace stickslip::gmres_test
