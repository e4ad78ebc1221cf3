#include "stickslip/solver/multigrid/sparse_product.h"

#include "support/numeric.h"
#include "support/threads.h"

namespace stickslip::sparse_product_test {
namespace {

/// Every block of some three columns a row.
template <int R, int C>
BlockRows<R, C> random_rows(int rows, int columns, Random& random)
{
    BlockRows<R, C> A;
    A.columns = columns;
    for (int i = 0; i < rows; ++i) {
        for (int j = static_cast<int>(random.uniform(0, 3)); j < columns;
             j += 1 + static_cast<int>(random.uniform(0, columns / 2.0)))
            A.add(j, Block<R, C>::NullaryExpr([&] { return random.uniform(-1, 1); }));
        A.end_row();
    }
    return A;
}

template <int R, int C>
Eigen::MatrixXd dense(const BlockRows<R, C>& A)
{
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(R * A.rows(), C * A.columns);
    for (int i = 0; i < A.rows(); ++i)
        for (int k = A.begin[i]; k < A.begin[i + 1]; ++k)
            D.block<R, C>(R * i, C * A.column[k]) = A.value[k];
    return D;
}

template <int R, int M, int C>
void expect_the_dense_product()
{
    Random random(R + 10 * M);
    for (const int rows : {1, 5, 300}) {
        const BlockRows<R, M> A = random_rows<R, M>(rows, 40, random);
        const BlockRows<M, C> B = random_rows<M, C>(40, 25, random);
        const BlockRows<R, C> AB = product(A.view(), B);
        EXPECT_NEAR_ALL(dense(AB), Eigen::MatrixXd(dense(A) * dense(B)), 1e-13) << R << " " << M << " " << rows;
        for (int i = 0; i < rows; ++i)
            EXPECT_TRUE(std::is_sorted(
                AB.column.begin() + AB.begin[i], AB.column.begin() + AB.begin[i + 1], std::less_equal<>()))
                << "columns ascend, each once";
    }
}

TEST(SparseProduct, IsThatOfDenseMatrices)
{
    expect_the_dense_product<3, 3, 6>();
    expect_the_dense_product<6, 3, 6>();
    expect_the_dense_product<6, 6, 6>();
}

TEST(SparseProduct, GivesTheSameBitsForAnyNumberOfThreads)
{
    Random random(4);
    const BlockRows<3, 3> A = random_rows<3, 3>(2000, 500, random);
    const BlockRows<3, 6> B = random_rows<3, 6>(500, 100, random);
    std::vector<Eigen::MatrixXd> AB;
    for (const std::size_t threads : {1, 2}) {
        const ThreadLimit limit(threads);
        AB.push_back(dense(product(A.view(), B)));
    }
    EXPECT_EQ(AB[0], AB[1]);
}

} // namespace
} // namespace stickslip::sparse_product_test
