#include "stickslip/solver/multigrid/gauss_seidel.h"

#include "stickslip/solver/vector_ops.h"

#include "support/block_matrices.h"
#include "support/threads.h"

namespace stickslip::gauss_seidel_test {
namespace {

/// Nonsymmetric, and without anything in the diagonal block of row 3.
BlockMatrix matrix_with_an_empty_diagonal(int rows, Random& random)
{
    BlockMatrix A = random_matrix(rows, 2 * rows, 4, random);
    A.value[A.pattern.diagonal[3]].setZero();
    return A;
}

BlockVector times(const BlockMatrix& A, const BlockVector& x)
{
    BlockVector Ax;
    A.multiply(x, Ax);
    return Ax;
}

TEST(GaussSeidel, ProductsAfterASweepAreThoseOfTheMatrix)
{
    Random random(1);
    for (const int rows : {4, 60}) {
        const BlockMatrix A = matrix_with_an_empty_diagonal(rows, random);
        const BlockVector r = random.vectors(rows);
        GaussSeidel<3> sweeps;
        sweeps.update(view(A));
        BlockVector t, s, z, Az;
        sweeps.forward(r, t);
        sweeps.residual_after_forward(t, s);
        BlockVector residual = r;
        add_scaled(residual, -1, times(A, t));
        EXPECT_NEAR_ALL(s, residual, 1e-12) << rows << " rows";
        sweeps.backward(t, z);
        sweeps.multiply_after_backward(t, z, Az);
        EXPECT_NEAR_ALL(Az, times(A, z), 1e-12) << rows << " rows";
        z = random.vectors(rows);
        const BlockVector before = z;
        sweeps.relax_backward(r, z);
        sweeps.multiply_after_relaxing(r, before, z, Az);
        EXPECT_NEAR_ALL(Az, times(A, z), 1e-12) << rows << " rows";
    }
}

TEST(GaussSeidel, SweepsGiveTheSameBitsForAnyNumberOfThreads)
{
    Random random(2);
    const BlockMatrix A = definite_matrix(3000, 3000, random);
    const BlockVector r = random.vectors(3000);
    std::vector<BlockVector> z, Az;
    for (const std::size_t threads : {1, 2}) {
        const ThreadLimit limit(threads);
        GaussSeidel<3> sweeps;
        sweeps.update(view(A));
        sweeps.forward(r, z.emplace_back());
        const BlockVector before = z.back();
        sweeps.relax_backward(r, z.back());
        sweeps.multiply_after_relaxing(r, before, z.back(), Az.emplace_back());
    }
    EXPECT_TRUE(same_bits(z[0], z[1]));
    EXPECT_TRUE(same_bits(Az[0], Az[1]));
}

} // namespace
} // namespace stickslip::gauss_seidel_test
