#include "stickslip/solver/multigrid/multigrid.h"
#include "stickslip/solver/preconditioners/make_preconditioner.h"
#include "stickslip/solver/preconditioners/sparse_lu.h"
#include "stickslip/solver/preconditioners/ssor_then.h"
#include "stickslip/solver/preconditioners/symmetric_cholesky.h"

#include "support/block_matrices.h"
#include "support/threads.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace stickslip::preconditioner_test {
namespace {

constexpr PreconditionerKind kinds[] = {
    PreconditionerKind::block_jacobi, PreconditionerKind::block_ssor, PreconditionerKind::cholesky};

BlockVector applied(PreconditionerKind kind, const BlockMatrix& A, const BlockVector& r)
{
    const auto P = make_preconditioner(kind, A.pattern.rows());
    P->update(A);
    BlockVector z;
    P->apply(r, z);
    return z;
}

Eigen::VectorXd solved(const BlockMatrix& A, const BlockVector& r)
{
    return dense(A).partialPivLu().solve(detail::as_dense(r));
}

TEST(Preconditioner, EveryKindIsExactForASymmetricBlockDiagonalMatrix)
{
    Random random(1);
    const BlockMatrix A = definite_matrix(20, 0, random);
    const BlockVector r = random.vectors(20);
    for (const PreconditionerKind kind : kinds)
        EXPECT_NEAR_ALL(applied(kind, A, r), as_blocks(solved(A, r)), 1e-13) << static_cast<int>(kind);
}

TEST(Preconditioner, JacobiAndSsorAreExactForANonsymmetricBlockDiagonalMatrix)
{
    Random random(2);
    const BlockMatrix A = block_diagonal(20, random);
    const BlockVector r = random.vectors(20);
    for (const PreconditionerKind kind : {PreconditionerKind::block_jacobi, PreconditionerKind::block_ssor})
        EXPECT_NEAR_ALL(applied(kind, A, r), as_blocks(solved(A, r)), 1e-12);
}

TEST(Preconditioner, CholeskyIsExactForASymmetricDefiniteMatrix)
{
    Random random(3);
    for (const int rows : {1, 5, 60}) {
        const BlockMatrix A = definite_matrix(rows, 2 * rows, random);
        const BlockVector r = random.vectors(rows);
        EXPECT_NEAR_ALL(applied(PreconditionerKind::cholesky, A, r), as_blocks(solved(A, r)), 1e-12);
    }
}

TEST(Preconditioner, CholeskySolvesWithTheSymmetricPart)
{
    Random random(4);
    const BlockMatrix A = random_matrix(30, 40, 20, random);
    const BlockVector r = random.vectors(30);
    EXPECT_NEAR_ALL(applied(PreconditionerKind::cholesky, A, r), as_blocks(solved(symmetric_part(A), r)), 1e-12);
}

TEST(Preconditioner, EveryKindIsSymmetricAndDefiniteForADefiniteMatrix)
{
    Random random(5);
    const BlockMatrix A = definite_matrix(12, 20, random);
    for (const PreconditionerKind kind : kinds) {
        Eigen::MatrixXd P(36, 36);
        for (int i = 0; i < 36; ++i)
            P.col(i) = detail::as_dense(applied(kind, A, as_blocks(Eigen::VectorXd::Unit(36, i))));
        EXPECT_NEAR_ALL(P, P.transpose(), 1e-13) << static_cast<int>(kind);
        EXPECT_EQ(Eigen::LLT<Eigen::MatrixXd>(P).info(), Eigen::Success) << static_cast<int>(kind);
    }
}

TEST(Preconditioner, EachIsBetterThanTheOneBefore)
{
    Random random(6);
    const BlockMatrix A = definite_matrix(40, 60, random);
    const BlockVector r = random.vectors(40);
    double last = infinity;
    for (const PreconditionerKind kind : kinds) {
        const double error = (detail::as_dense(applied(kind, A, r)) - solved(A, r)).norm();
        EXPECT_LT(error, last) << static_cast<int>(kind);
        last = error;
    }
}

struct NamedMatrix {
    const char* name;
    BlockMatrix A;
};

std::vector<NamedMatrix> indefinite_matrices()
{
    Random random(7);
    return {{"indefinite", symmetric_part(random_matrix(20, 40, 0, random))},
        {"negative definite", symmetric_part(random_matrix(20, 40, -30, random))},
        {"nonsymmetric", random_matrix(20, 40, 0, random)}};
}

/// Some pivot is exactly zero.
std::vector<NamedMatrix> matrices_without_a_pivot()
{
    Eigen::MatrixXd saddle = Eigen::MatrixXd::Zero(12, 12), part = saddle; // saddle: regular, its first pivot is zero
    saddle.topRightCorner(6, 6).setIdentity();
    saddle.bottomLeftCorner(6, 6).setIdentity();
    part.topLeftCorner(6, 6) = 2 * Eigen::MatrixXd::Identity(6, 6) + Eigen::MatrixXd::Ones(6, 6);
    return {{"zero", full_matrix(Eigen::MatrixXd::Zero(12, 12))},
        {"rank one", full_matrix(Eigen::MatrixXd::Ones(12, 12))}, {"saddle", full_matrix(saddle)},
        {"half empty", full_matrix(part)}};
}

void expect_finite(PreconditionerKind kind, const std::vector<NamedMatrix>& matrices)
{
    Random random(8);
    for (const auto& [name, A] : matrices)
        for (const Vec3& z : applied(kind, A, random.vectors(A.pattern.rows())))
            EXPECT_TRUE(z.allFinite()) << "kind " << static_cast<int>(kind) << ", " << name;
}

TEST(Preconditioner, StaysFiniteForIndefiniteMatrices)
{
    for (const PreconditionerKind kind : kinds)
        expect_finite(kind, indefinite_matrices());
}

TEST(Preconditioner, JacobiAndSsorStayFiniteForSingularMatrices)
{
    for (const PreconditionerKind kind : {PreconditionerKind::block_jacobi, PreconditionerKind::block_ssor})
        expect_finite(kind, matrices_without_a_pivot());
}

TEST(Preconditioner, CholeskyStaysFiniteWhereAPivotIsZero)
{
    expect_finite(PreconditionerKind::cholesky, matrices_without_a_pivot());
}

TEST(Preconditioner, CholeskyLeavesUnknownsWithAZeroPivotAloneAndSolvesTheOthers)
{
    // rows 0 and 2 held, row 1 without any stiffness
    Random random(9);
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(9, 9);
    D.topLeftCorner(3, 3) = 4 * Mat3::Identity();
    D.bottomRightCorner(3, 3) = 5 * Mat3::Identity();
    D.block<3, 3>(0, 6) = D.block<3, 3>(6, 0) = Mat3::Identity();
    const BlockMatrix A = full_matrix(D);
    const BlockVector r = random.vectors(3), z = applied(PreconditionerKind::cholesky, A, r);
    EXPECT_CLOSE_ALL(4 * z[0] + z[2], r[0], 1e-14);
    EXPECT_CLOSE_ALL(5 * z[2] + z[0], r[2], 1e-14);
    EXPECT_CLOSE_ALL(z[1], r[1], 1e-14);
}

TEST(Preconditioner, CholeskyIsDefiniteForAnIndefiniteMatrix)
{
    Random random(10);
    const BlockMatrix A = symmetric_part(random_matrix(8, 12, 0, random));
    Eigen::MatrixXd P(24, 24);
    for (int i = 0; i < 24; ++i)
        P.col(i) = detail::as_dense(applied(PreconditionerKind::cholesky, A, as_blocks(Eigen::VectorXd::Unit(24, i))));
    EXPECT_NEAR_ALL(P, P.transpose(), 1e-9);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (P + P.transpose())).eigenvalues().minCoeff(), 0);
}

TEST(Preconditioner, UpdateTakesNewValuesAndNewPatterns)
{
    Random random(11);
    const BlockVector r = random.vectors(30);
    for (const PreconditionerKind kind : kinds) {
        const auto P = make_preconditioner(kind, 30);
        BlockMatrix A; // the same object throughout, as a system keeps it
        for (int change = 0; change < 6; ++change) {
            if (change % 2 == 0)
                A = definite_matrix(30, 20 + 10 * change, random);
            else
                for (Mat3& block : A.value)
                    block *= 1.5;
            P->update(A);
            BlockVector z;
            P->apply(r, z);
            EXPECT_TRUE(same_bits(z, applied(kind, A, r))) << static_cast<int>(kind) << " change " << change;
        }
    }
}

TEST(Preconditioner, UpdateSeesANewPatternWithAsManyBlocks)
{
    Random random(12);
    const BlockVector r = random.vectors(4);
    const auto chain = [&](const std::vector<std::vector<int>>& groups) {
        BlockMatrix A{make_pattern(4, groups), {}};
        for (std::size_t k = 0; k < A.pattern.blocks(); ++k)
            A.value.push_back(random.matrix(0.2));
        for (int i = 0; i < 4; ++i)
            A.value[A.pattern.diagonal[i]] += 3 * Mat3::Identity();
        return symmetric_part(A);
    };
    for (const PreconditionerKind kind : kinds) {
        const auto P = make_preconditioner(kind, 4);
        BlockMatrix A = chain({{0, 1}, {1, 2}, {2, 3}});
        P->update(A);
        A = chain({{0, 2}, {2, 1}, {1, 3}});
        P->update(A);
        BlockVector z;
        P->apply(r, z);
        EXPECT_TRUE(same_bits(z, applied(kind, A, r))) << static_cast<int>(kind);
    }
}

TEST(Preconditioner, GivesTheSameBitsForAnyNumberOfThreads)
{
    Random random(13);
    const BlockMatrix A = definite_matrix(3000, 3000, random);
    const BlockVector r = random.vectors(3000);
    for (const PreconditionerKind kind : kinds) {
        std::vector<BlockVector> z;
        for (const std::size_t threads : {1, 2}) {
            const ThreadLimit limit(threads);
            z.push_back(applied(kind, A, r));
        }
        EXPECT_TRUE(same_bits(z[0], z[1])) << static_cast<int>(kind);
    }
}

TEST(Preconditioner, AutomaticIsCholeskyForASmallMatrix)
{
    Random random(14);
    const BlockMatrix A = definite_matrix(20, 30, random);
    const BlockVector r = random.vectors(20);
    EXPECT_TRUE(same_bits(applied(PreconditionerKind::automatic, A, r), applied(PreconditionerKind::cholesky, A, r)));
}

TEST(SsorThen, IsSsorUntilStrengthenedAndAgainAfterARestart)
{
    Random random(12);
    const int rows = 640;
    const BlockMatrix A = definite_matrix(rows, 2 * rows, random);
    const BlockVector r = random.vectors(rows);
    const BlockVector by_ssor = applied(PreconditionerKind::block_ssor, A, r),
                      by_cholesky = applied(PreconditionerKind::cholesky, A, r);
    SsorThen<SymmetricCholesky> P([](std::size_t blocks) { return static_cast<int>(blocks / 8); });
    const auto expect_to_be = [&](const BlockVector& expected) {
        BlockVector z, other, Az, product;
        P.apply(r, z);
        EXPECT_EQ(z, expected);
        P.apply_and_multiply(A, r, other, Az);
        A.multiply(z, product);
        EXPECT_NEAR_ALL(other, z, 1e-12);
        EXPECT_NEAR_ALL(Az, product, 1e-10);
    };
    P.update(A);
    EXPECT_EQ(P.patience(), rows / 8);
    expect_to_be(by_ssor);
    EXPECT_TRUE(P.strengthen(A));
    EXPECT_GT(P.patience(), 100000);
    expect_to_be(by_cholesky);
    EXPECT_FALSE(P.strengthen(A)) << "there is nothing stronger";
    P.update(A);
    expect_to_be(by_cholesky);
    P.restart();
    P.update(A);
    expect_to_be(by_ssor);
}

TEST(Preconditioner, AutomaticFactorsWhatIsSmallOrMostlyContactAndSweepsWhatIsLarge)
{
    const auto is = [](const auto* type, std::size_t blocks, bool contact) {
        const auto P = make_preconditioner(PreconditionerKind::automatic, blocks, contact);
        return dynamic_cast<decltype(type)>(P.get()) != nullptr;
    };
    const SymmetricCholesky* cholesky = nullptr;
    const SsorThen<SymmetricCholesky>* both = nullptr;
    const SsorThen<Multigrid>* levels = nullptr;
    const BlockSsor* ssor = nullptr;
    const SparseLu* lu = nullptr;
    EXPECT_TRUE(is(cholesky, 400, false));
    EXPECT_TRUE(is(both, 401, false));
    EXPECT_TRUE(is(both, 4000, false));
    EXPECT_TRUE(is(levels, 4001, false));
    EXPECT_TRUE(is(lu, 400, true));
    EXPECT_TRUE(is(lu, 4000, true));
    EXPECT_TRUE(is(ssor, 4001, true));
}

} // namespace
} // namespace stickslip::preconditioner_test
