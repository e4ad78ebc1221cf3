#include "stickslip/world/contact_islands.h"

#include <gtest/gtest.h>

namespace stickslip {
namespace {

using Islands = std::vector<std::vector<int>>;

TEST(SeparateIslands, JoinsWhatMeetsDirectlyOrThroughOthers)
{
    const std::vector<CandidatePair> pairs = {{0, 3}, {2, 5}, {5, 4}};
    EXPECT_EQ(separate_islands(pairs, 0, 6), (Islands{{0, 3}, {1}, {2, 4, 5}}));
}

// Obstacles do not move, whoever they meet; bodies are counted from the first rigid one.
TEST(SeparateIslands, AreNotJoinedByObstacles)
{
    constexpr int first_rigid = 2, count = 3, floor = first_rigid + count;
    const std::vector<CandidatePair> pairs = {{2, floor}, {3, floor}, {4, floor}};
    EXPECT_EQ(separate_islands(pairs, first_rigid, count), (Islands{{0}, {1}, {2}}));
}

TEST(SeparateIslands, OfNoPairsAreSingleBodies)
{
    EXPECT_EQ(separate_islands({}, 0, 3), (Islands{{0}, {1}, {2}}));
    EXPECT_EQ(separate_islands({}, 0, 0), Islands{});
}

} // namespace
} // namespace stickslip
