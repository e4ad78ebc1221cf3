#include "stickslip/solver/block_matrix.h"

#include "stickslip/solver/vector_ops.h"

#include "support/block_matrices.h"
#include "support/threads.h"

namespace stickslip::block_matrix_test {
namespace {

TEST(BlockPattern, HoldsAllPairsOfEachGroupAndEveryDiagonal)
{
    const BlockPattern p = make_pattern(6, {{0, 3}, {3, 1, 4}, {1, 1}});
    EXPECT_EQ(p.rows(), 6u);
    const bool expected[6][6] = {{1, 0, 0, 1, 0, 0}, {0, 1, 0, 1, 1, 0}, {0, 0, 1, 0, 0, 0}, {1, 1, 0, 1, 1, 0},
        {0, 1, 0, 1, 1, 0}, {0, 0, 0, 0, 0, 1}};
    std::size_t count = 0;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            EXPECT_EQ(p.find(i, j) >= 0, expected[i][j]) << i << " " << j;
            count += expected[i][j];
        }
    EXPECT_EQ(p.blocks(), count);
}

TEST(BlockPattern, KnowsTransposedAndDiagonalBlocksAndKeepsColumnsAscending)
{
    Random random(1);
    const BlockPattern p = random_pattern(40, 60, random);
    for (int i = 0; i < 40; ++i) {
        EXPECT_EQ(p.column[p.diagonal[i]], i);
        for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k) {
            EXPECT_EQ(p.transposed[k], p.find(p.column[k], i));
            EXPECT_EQ(p.transposed[p.transposed[k]], k);
            EXPECT_EQ(p.find(i, p.column[k]), k);
            if (k > p.row_begin[i]) {
                EXPECT_LT(p.column[k - 1], p.column[k]);
            }
        }
    }
    EXPECT_EQ(make_pattern(0, {}).rows(), 0u);
}

TEST(BlockMatrix, ProductsAgreeWithTheDenseMatrix)
{
    Random random(2);
    for (const int rows : {1, 7, 50}) {
        const BlockMatrix A = random_matrix(rows, 2 * rows, 0, random);
        const BlockVector x = random.vectors(rows), y = random.vectors(rows);
        BlockVector Ax, Aty;
        A.multiply(x, Ax);
        A.multiply_transpose(y, Aty);
        EXPECT_NEAR_ALL(Ax, as_blocks(dense(A) * detail::as_dense(x)), 1e-14);
        EXPECT_NEAR_ALL(Aty, as_blocks(dense(A).transpose() * detail::as_dense(y)), 1e-14);
        EXPECT_NEAR(dot_all(y, Ax), dot_all(Aty, x), 1e-13 * norm_all(y) * norm_all(Ax));
    }
}

TEST(BlockMatrix, ProductsGiveTheSameBitsForAnyNumberOfThreads)
{
    Random random(3);
    const BlockMatrix A = random_matrix(2000, 4000, 0, random);
    const BlockVector x = random.vectors(2000);
    BlockVector one, two, one_t, two_t;
    {
        const ThreadLimit limit(1);
        A.multiply(x, one);
        A.multiply_transpose(x, one_t);
    }
    {
        const ThreadLimit limit(2);
        A.multiply(x, two);
        A.multiply_transpose(x, two_t);
    }
    EXPECT_TRUE(same_bits(one, two));
    EXPECT_TRUE(same_bits(one_t, two_t));
}

TEST(VectorOps, DoWhatTheirNamesSay)
{
    Random random(4);
    const BlockVector a = random.vectors(10000), b = random.vectors(10000);
    EXPECT_NEAR(dot(a, b), dot_all(a, b), 1e-10);
    EXPECT_NEAR(norm(a), norm_all(a), 1e-10);
    BlockVector y = a;
    add_scaled(y, 2, b);
    EXPECT_EQ(y[9999], a[9999] + 2 * b[9999]);
    assign_scaled(y, -3, b);
    EXPECT_EQ(y[0], -3 * b[0]);
    set_zero(y, 5);
    EXPECT_EQ(y.size(), 5u);
    EXPECT_EQ(norm(y), 0);
    EXPECT_EQ(norm(BlockVector{}), 0);
}

} // namespace
} // namespace stickslip::block_matrix_test
