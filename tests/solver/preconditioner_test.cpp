#include "stickslip/solver/gmres.h"
#include "stickslip/solver/preconditioners/escalation.h"
#include "stickslip/solver/preconditioners/make_preconditioner.h"

#include "support/block_matrices.h"
#include "support/threads.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <limits>

namespace stickslip::preconditioner_test {
namespace {

constexpr PreconditionerKind kinds[] = {
    PreconditionerKind::block_jacobi, PreconditionerKind::block_ssor, PreconditionerKind::lu};

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

TEST(Preconditioner, EveryKindIsExactForANonsymmetricBlockDiagonalMatrix)
{
    Random random(2);
    const BlockMatrix A = block_diagonal(20, random);
    const BlockVector r = random.vectors(20);
    for (const PreconditionerKind kind : kinds)
        EXPECT_NEAR_ALL(applied(kind, A, r), as_blocks(solved(A, r)), 1e-12) << static_cast<int>(kind);
}

/// Rows of a grid of blocks, each coupled to its neighbours along the three axes.
BlockMatrix grid_matrix(int side, Random& random)
{
    const auto row = [&](int x, int y, int z) { return (z * side + y) * side + x; };
    std::vector<std::vector<int>> pairs;
    for (int z = 0; z < side; ++z)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x)
                for (const auto& [dx, dy, dz] : {std::array{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
                    if (x + dx < side && y + dy < side && z + dz < side)
                        pairs.push_back({row(x, y, z), row(x + dx, y + dy, z + dz)});
    BlockMatrix A{make_pattern(static_cast<std::size_t>(side) * side * side, pairs), {}};
    for (std::size_t k = 0; k < A.pattern.blocks(); ++k)
        A.value.push_back(random.matrix());
    return A;
}

TEST(Preconditioner, LuIsExactForNonsymmetricMatrices)
{
    Random random(3);
    std::vector<BlockMatrix> matrices;
    for (const int rows : {1, 2, 5, 60, 150})
        for (const int groups : {0, rows, 4 * rows})
            matrices.push_back(random_matrix(rows, groups, 6, random));
    for (const int side : {2, 4, 7})
        matrices.push_back(grid_matrix(side, random));
    for (const BlockMatrix& A : matrices) {
        const BlockVector r = random.vectors(A.pattern.rows());
        const Eigen::VectorXd x = solved(A, r);
        EXPECT_NEAR_ALL(applied(PreconditionerKind::lu, A, r), as_blocks(x), 1e-9 * (1 + x.norm()))
            << A.pattern.rows() << " rows, " << A.pattern.blocks() << " blocks";
    }
}

// A body's two blocks of rows are pivots of one group: what the first lacks the second one has.
TEST(Preconditioner, LuExchangesRowsOfAGroup)
{
    Eigen::MatrixXd saddle = Eigen::MatrixXd::Zero(6, 6);
    saddle.topRightCorner(3, 3).setIdentity();
    saddle.bottomLeftCorner(3, 3) = 2 * Mat3::Identity();
    const BlockMatrix A = full_matrix(saddle);
    const BlockVector r{Vec3(1, 2, 3), Vec3(4, 5, 6)};
    EXPECT_NEAR_ALL(applied(PreconditionerKind::lu, A, r), (BlockVector{Vec3(2, 2.5, 3), Vec3(1, 2, 3)}), 1e-15);
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

TEST(Preconditioner, StaysFiniteForSingularMatrices)
{
    for (const PreconditionerKind kind : kinds)
        expect_finite(kind, matrices_without_a_pivot());
}

TEST(Preconditioner, LuOfAMatrixThatIsNotFiniteLeavesAVectorAsItIs)
{
    Random random(15);
    const BlockVector r = random.vectors(20);
    for (const double wrong : {nan, infinity}) {
        BlockMatrix A = definite_matrix(20, 30, random);
        A.value[A.pattern.blocks() / 2](1, 2) = wrong;
        EXPECT_EQ(applied(PreconditionerKind::lu, A, r), r);
    }
}

TEST(Preconditioner, LuSolvesBesideUnknownsWithoutAnyStiffness)
{
    // rows 0 and 2 held, row 1 without any stiffness
    Random random(9);
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(9, 9);
    D.topLeftCorner(3, 3) = 4 * Mat3::Identity();
    D.bottomRightCorner(3, 3) = 5 * Mat3::Identity();
    D.block<3, 3>(0, 6) = D.block<3, 3>(6, 0) = Mat3::Identity();
    const BlockMatrix A = full_matrix(D);
    const BlockVector r = random.vectors(3), z = applied(PreconditionerKind::lu, A, r);
    EXPECT_CLOSE_ALL(4 * z[0] + z[2], r[0], 1e-14);
    EXPECT_CLOSE_ALL(5 * z[2] + z[0], r[2], 1e-14);
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

TEST(Preconditioner, AutomaticIsLuForASmallMatrix)
{
    Random random(14);
    const BlockMatrix A = definite_matrix(20, 30, random);
    const BlockVector r = random.vectors(20);
    EXPECT_TRUE(same_bits(applied(PreconditionerKind::automatic, A, r), applied(PreconditionerKind::lu, A, r)));
}

TEST(Escalation, TakesTheNextWhenStrengthenedAndTheFirstAfterARestart)
{
    Random random(12);
    const int rows = 640;
    const BlockMatrix A = definite_matrix(rows, 2 * rows, random);
    const BlockVector r = random.vectors(rows);
    std::vector<Stage> stages;
    stages.push_back({make_preconditioner(PreconditionerKind::block_jacobi, rows), [](std::size_t) { return 0; }});
    stages.push_back({make_preconditioner(PreconditionerKind::block_ssor, rows),
        [](std::size_t blocks) { return static_cast<int>(blocks / 8); }});
    stages.push_back({make_preconditioner(PreconditionerKind::lu, rows)});
    Escalation P(std::move(stages));
    const auto expect_to_be = [&](PreconditionerKind kind, int patience) {
        const BlockVector expected = applied(kind, A, r);
        BlockVector z, other, Az, product;
        P.apply(r, z);
        EXPECT_EQ(z, expected);
        P.apply_and_multiply(A, r, other, Az);
        A.multiply(z, product);
        EXPECT_NEAR_ALL(other, z, 1e-12);
        EXPECT_NEAR_ALL(Az, product, 1e-10);
        EXPECT_EQ(P.patience(), patience);
    };
    constexpr int endless = std::numeric_limits<int>::max();
    P.update(A);
    expect_to_be(PreconditionerKind::block_jacobi, 1);
    EXPECT_TRUE(P.strengthen(A));
    expect_to_be(PreconditionerKind::block_ssor, rows / 8);
    EXPECT_TRUE(P.strengthen(A));
    expect_to_be(PreconditionerKind::lu, endless);
    EXPECT_FALSE(P.strengthen(A)) << "there is nothing stronger";
    P.update(A);
    expect_to_be(PreconditionerKind::lu, endless);
    P.restart();
    P.update(A);
    expect_to_be(PreconditionerKind::block_jacobi, 1);
}

TEST(Escalation, LetsItsLastStageRenewWhatItKeeps)
{
    Random random(14);
    const int rows = 640;
    const BlockMatrix A = definite_matrix(rows, 2 * rows, random);
    std::vector<Stage> stages;
    stages.push_back({make_preconditioner(PreconditionerKind::block_jacobi, rows), [](std::size_t) { return 0; }});
    stages.push_back({make_preconditioner(PreconditionerKind::multigrid, rows)});
    Escalation P(std::move(stages));
    constexpr int endless = std::numeric_limits<int>::max();
    P.update(A);
    EXPECT_TRUE(P.strengthen(A));
    EXPECT_EQ(P.patience(), endless) << "levels of this matrix";
    P.update(A);
    EXPECT_LT(P.patience(), endless) << "levels of the matrix before";
    EXPECT_TRUE(P.strengthen(A));
    EXPECT_EQ(P.patience(), endless) << "levels of this matrix again";
    EXPECT_FALSE(P.strengthen(A)) << "there is nothing stronger";
}

// Else what a step costs, and its last digits, hang on the steps before it, and a run that is resumed has other bits.
TEST(Escalation, KeepsNothingOfAnyStageAfterARestart)
{
    Random random(15);
    const int rows = 640;
    const BlockMatrix before = definite_matrix(rows, 2 * rows, random), A = definite_matrix(rows, 2 * rows, random);
    const BlockVector r = random.vectors(rows);
    const auto first_then_levels = [&] {
        std::vector<Stage> stages;
        stages.push_back({make_preconditioner(PreconditionerKind::block_jacobi, rows), [](std::size_t) { return 0; }});
        stages.push_back({make_preconditioner(PreconditionerKind::multigrid, rows)});
        return Escalation(std::move(stages));
    };
    const auto strengthened = [&](Escalation& P) {
        P.update(A);
        EXPECT_TRUE(P.strengthen(A));
        BlockVector z;
        P.apply(r, z);
        return z;
    };
    Escalation used = first_then_levels(), fresh = first_then_levels();
    used.update(before);
    EXPECT_TRUE(used.strengthen(before));
    used.restart();
    EXPECT_TRUE(same_bits(strengthened(used), strengthened(fresh)));
    EXPECT_EQ(used.patience(), fresh.patience());
}

TEST(Preconditioner, AutomaticFactorsWhatIsSmallOrMostlyContactAndSweepsWhatIsLarge)
{
    Random random(13);
    const BlockVector r = random.vectors(4100);
    const auto first = [&](std::size_t blocks, bool mostly_contact) {
        const BlockMatrix A = random_matrix(static_cast<int>(blocks), static_cast<int>(blocks), 60, random);
        const BlockVector b(r.begin(), r.begin() + static_cast<std::ptrdiff_t>(blocks));
        const auto P = make_preconditioner(PreconditionerKind::automatic, blocks, mostly_contact);
        P->update(A);
        BlockVector z;
        P->apply(b, z);
        for (const PreconditionerKind kind : {PreconditionerKind::block_ssor, PreconditionerKind::lu})
            if (applied(kind, A, b) == z)
                return kind;
        return PreconditionerKind::automatic;
    };
    EXPECT_EQ(first(400, false), PreconditionerKind::lu);
    EXPECT_EQ(first(401, false), PreconditionerKind::block_ssor);
    EXPECT_EQ(first(4001, false), PreconditionerKind::block_ssor);
    EXPECT_EQ(first(400, true), PreconditionerKind::lu);
    EXPECT_EQ(first(4001, true), PreconditionerKind::block_ssor);
}

/// A long chain of springs, held a little everywhere, that slides on something stiff at its end, mu = 0.3:
/// k n n^T + mu k t n^T.
BlockMatrix chain_that_slides(int rows)
{
    constexpr double held = 1e-4, k = 1e6;
    std::vector<std::vector<int>> links;
    for (int i = 0; i + 1 < rows; ++i)
        links.push_back({i, i + 1});
    BlockMatrix A{make_pattern(rows, links), {}};
    A.value.assign(A.pattern.blocks(), -Mat3::Identity());
    for (int i = 0; i < rows; ++i)
        A.value[A.pattern.diagonal[i]] = (2 + held) * Mat3::Identity();
    A.value[A.pattern.diagonal[0]] += k * (Vec3::UnitZ() + 0.3 * Vec3::UnitX()) * Vec3::UnitZ().transpose();
    return A;
}

TEST(Preconditioner, AutomaticGoesOnToLuWhereSsorDoesNotServe)
{
    Random random(14);
    const int rows = 500;
    const BlockMatrix A = chain_that_slides(rows);
    const BlockVector b = random.vectors(rows);
    const auto iterations = [&](PreconditionerKind kind, bool& solved) {
        const auto P = make_preconditioner(kind, rows);
        P->update(A);
        BlockVector x;
        int sum = 0;
        do {
            GmresOptions options;
            options.max_iterations = std::min(options.max_iterations, P->patience());
            const GmresReport report = gmres(A, *P, b, 1e-6, options, x);
            sum += report.iterations;
            solved = report.converged;
        } while (!solved && P->strengthen(A));
        return sum;
    };
    bool solved = false;
    EXPECT_GT(iterations(PreconditionerKind::block_ssor, solved), 100);
    EXPECT_LT(iterations(PreconditionerKind::automatic, solved), rows / 8 + 3);
    EXPECT_TRUE(solved);
}

} // namespace
} // namespace stickslip::preconditioner_test
