#include "stickslip/math/parallel.h"

#include "support/numeric.h"
#include "support/threads.h"

namespace stickslip::parallel_test {
namespace {

TEST(ParallelFor, CallsEachIndexOnce)
{
    for (const std::size_t count : {0, 1, 255, 256, 257, 1000, 12345})
        for (const std::size_t grain : {1, 7, 256, 100000}) {
            std::vector<int> calls(count, 0);
            parallel_for(
                count, [&](std::size_t i) { ++calls[i]; }, grain);
            EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), static_cast<std::ptrdiff_t>(count))
                << count << " " << grain;
        }
}

TEST(OrderedSum, IsRightForEverySizeNearABlock)
{
    for (const std::size_t block : {1, 8, 1024})
        for (const std::size_t count :
            {std::size_t(0), std::size_t(1), block - 1, block, block + 1, 2 * block, 3 * block + 1}) {
            const auto sum = ordered_sum(
                count, 0LL, [](std::size_t i) { return static_cast<long long>(i) + 1; }, block);
            EXPECT_EQ(sum, static_cast<long long>(count * (count + 1) / 2)) << count << " in blocks of " << block;
        }
}

TEST(OrderedSum, AddsBlocksInOrder)
{
    // 1e16 swallows a single 1 but not the sum of a block of them
    const std::vector<double> terms{1e16, 0, 1, 1, -1e16, 0};
    EXPECT_EQ(ordered_sum(
                  terms.size(), 0.0, [&](std::size_t i) { return terms[i]; }, 2),
        2);
    EXPECT_EQ(ordered_sum(
                  terms.size(), 0.0, [&](std::size_t i) { return terms[i]; }, 1),
        0);
}

TEST(OrderedSum, GivesTheSameBitsForAnyNumberOfThreads)
{
    Random random(1);
    std::vector<double> terms;
    for (int i = 0; i < 200001; ++i)
        terms.push_back(random.uniform(-1, 1) * std::exp(random.uniform(-20, 20)));
    const auto sum = [&] { return ordered_sum(terms.size(), 0.0, [&](std::size_t i) { return terms[i]; }); };
    std::vector<double> sums;
    for (const std::size_t threads : {1, 2, 4})
        for (int repeat = 0; repeat < 5; ++repeat) {
            const ThreadLimit limit(threads);
            sums.push_back(sum());
        }
    for (const double s : sums)
        EXPECT_EQ(s, sums.front());
}

TEST(OrderedSum, AddsVectorsFromAGivenZero)
{
    const Vec3 zero = Vec3::Zero();
    EXPECT_CLOSE_ALL(ordered_sum(3000, zero, [](std::size_t i) { return Vec3(1, 2, static_cast<double>(i)); }),
        Vec3(3000, 6000, 2999.0 * 1500), 0);
}

} // namespace
} // namespace stickslip::parallel_test
