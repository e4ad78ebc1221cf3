#include "stickslip/geometry/queries/contact_memory.h"

#include "geometry/closed_meshes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace stickslip::contact_memory_test {
namespace {

Vec3 tilted(double angle)
{
    return {std::sin(angle), 0, std::cos(angle)};
}

std::vector<int> match(const std::vector<ContactName>& old, const std::vector<ContactName>& now)
{
    std::vector<int> successors(old.size(), -7);
    match_contacts(old, now, std::cos(0.26), successors);
    return successors;
}

TEST(ContactMemory, SameFacetComesFirstThenThePatchThenTheSmallerTurn)
{
    const ContactName old{tilted(0), 3, 0};
    EXPECT_EQ(match({old}, {{tilted(0.01), 4, 0}, {tilted(0.1), 3, 0}}), std::vector{1});
    EXPECT_EQ(match({old}, {{tilted(0.01), 7, 1}, {tilted(0.1), 4, 0}}), std::vector{1});
    EXPECT_EQ(match({old}, {{tilted(0.2), 4, 0}, {tilted(-0.1), 5, 0}, {tilted(0.15), 6, 0}}), std::vector{1});
    EXPECT_EQ(match({old}, {{tilted(0.01), 7, 1}}), std::vector{0}); // round a sharp edge
}

TEST(ContactMemory, NothingContinuesAcrossALargeTurn)
{
    const ContactName old{tilted(0), 3, 0};
    EXPECT_EQ(match({old}, {{tilted(0.27), 4, 0}}), std::vector{-1});
    EXPECT_EQ(match({old}, {{tilted(0.25), 4, 0}}), std::vector{0});
    EXPECT_EQ(match({old}, {{tilted(1.5), 3, 0}}), std::vector{0}); // its own facet: up to a right angle
    EXPECT_EQ(match({old}, {{tilted(3.1), 3, 0}}), std::vector{-1}); // came through
    EXPECT_EQ(match({old}, {}), std::vector{-1});
    EXPECT_TRUE(match({}, {old}).empty());
}

TEST(ContactMemory, MergingNamesOneHeirTwiceAndSplittingOnlyTheNearer)
{
    const ContactName left{tilted(-0.1), 1, 0}, right{tilted(0.1), 2, 0}, middle{tilted(0.02), 3, 0};
    EXPECT_EQ(match({left, right}, {middle}), (std::vector{0, 0}));
    EXPECT_EQ(match({middle}, {left, right}), std::vector{1});
    EXPECT_EQ(match({left, right}, {right, left}), (std::vector{1, 0}));
}

TEST(ContactMemory, TurnIsTheSmallestRotation)
{
    RandomPoints random(1);
    for (int trial = 0; trial < 2000; ++trial) {
        const Vec3 a = random.direction();
        const Vec3 b = trial % 2 ? random.direction() : Vec3((a + 1e-6 * random.direction()).normalized());
        const Vec3 F = 3 * a.cross(random.direction());
        const Vec3 turned = turn_tangential(F, a, b);
        const Vec3 rotated = Quat::FromTwoVectors(a, b) * F; // Eigen's own smallest rotation
        const double round_off = 1e-14 / (1 + a.dot(b)); // nearly opposite normals hardly tell the axis
        EXPECT_NEAR((turned - rotated).norm(), 0, round_off);
        EXPECT_NEAR(turned.dot(b), 0, round_off);
        EXPECT_NEAR(turned.norm(), F.norm(), round_off);
        EXPECT_NEAR((turn_tangential(turned, b, a) - F).norm(), 0, round_off);
    }
}

TEST(ContactMemory, TurnRemovesTheNormalPartAndStandsOppositeNormals)
{
    const Vec3 a = Vec3::UnitZ();
    EXPECT_EQ(turn_tangential({1, 2, 5}, a, a), Vec3(1, 2, 0));
    EXPECT_EQ(turn_tangential({1, 2, 0}, a, -a), Vec3(1, 2, 0));
    for (const double off : {1e-9, 1e-7, 1e-5, 1e-3}) {
        const Vec3 turned = turn_tangential({1, 2, 0}, a, Vec3(off, 0, -1).normalized());
        EXPECT_NEAR(turned.norm(), std::sqrt(5.0), 1e-5);
    }
}

TEST(ContactMemory, CapShortensOnlyWhatIsLonger)
{
    EXPECT_EQ(cap({3, 4, 0}, 5), Vec3(3, 4, 0));
    EXPECT_NEAR((cap({3, 4, 0}, 1) - Vec3(0.6, 0.8, 0)).norm(), 0, 1e-15);
    EXPECT_EQ(cap({3, 4, 0}, 0), Vec3::Zero());
    EXPECT_EQ(cap(Vec3::Zero(), 0), Vec3::Zero());
}

TEST(ContactMemory, FrictionSurvivesARollThroughADrumFacetByFacet)
{
    // A force handed from facet to facet round a polygon of 100 sides keeps its length and stays tangential.
    Vec3 F(0.6, 0.8, 0); // along the wall and along the axis y
    Vec3 n = tilted(0);
    for (int i = 1; i <= 100; ++i) {
        const Vec3 next = tilted(2 * std::numbers::pi * i / 100);
        F = turn_tangential(F, n, next);
        n = next;
    }
    EXPECT_NEAR((F - Vec3(0.6, 0.8, 0)).norm(), 0, 1e-13);
}

} // namespace
} // namespace stickslip::contact_memory_test
