#include "stickslip/solver/vector_ops.h"

#include "support/numeric.h"
#include "support/threads.h"

namespace stickslip::vector_ops_test {
namespace {

TEST(VectorOps, SumsAndScalesVectorsOfAnyLength)
{
    Random random(1);
    for (const int size : {0, 1, 2, 5, 6, 17, 4096, 4097, 9000}) {
        const BlockVector a = random.vectors(size), b = random.vectors(size);
        long double sum = 0;
        for (int i = 0; i < size; ++i)
            for (int c = 0; c < 3; ++c)
                sum += static_cast<long double>(a[i][c]) * b[i][c];
        EXPECT_NEAR(dot(a, b), static_cast<double>(sum), 1e-15 * (1 + size)) << size;
        BlockVector y = a, scaled;
        add_scaled(y, -2, b);
        assign_scaled(scaled, 3, b);
        for (int i = 0; i < size; ++i) {
            EXPECT_EQ(y[i], Vec3(a[i] - 2 * b[i])) << size << ", " << i;
            EXPECT_EQ(scaled[i], Vec3(3 * b[i])) << size << ", " << i;
        }
    }
}

TEST(VectorOps, SumsGiveTheSameBitsForAnyNumberOfThreads)
{
    Random random(2);
    const BlockVector a = random.vectors(20000), b = random.vectors(20000);
    std::vector<double> sums;
    for (const std::size_t threads : {1, 2}) {
        const ThreadLimit limit(threads);
        sums.push_back(dot(a, b));
    }
    EXPECT_EQ(sums[0], sums[1]);
}

} // namespace
} // namespace stickslip::vector_ops_test
