#include "stickslip/math/large_pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

namespace stickslip::large_pages_test {
namespace {

TEST(LargePages, LargeArraysBeginWithOneAndSmallOnesHoldTheirNumbers)
{
    constexpr std::size_t page = std::size_t(1) << 21;
    for (const std::size_t size : {std::size_t(3), page, 3 * page / sizeof(int)}) {
        LargeVector<int> numbers(size);
        std::iota(numbers.begin(), numbers.end(), 1);
        LargeVector<int> copy = numbers;
        copy.push_back(7);
        EXPECT_EQ(copy[size - 1], static_cast<int>(size));
        EXPECT_EQ(copy.back(), 7);
        if (size * sizeof(int) >= 2 * page) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(numbers.data()) % page, 0u) << size;
        }
    }
}

} // namespace
} // namespace stickslip::large_pages_test
