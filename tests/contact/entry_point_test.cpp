#include "stickslip/contact/entry_point.h"

#include "support/solids.h"

namespace stickslip {
namespace {

constexpr int top = 3, right = 1; // patches of a box: +y, +x

/// Straight way through a clear place of the surface.
struct Way {
    int patch;
    Vec3 old, now;
};

Way way_into(const LevelSet& solid, double above, double depth, Random& random)
{
    const SurfacePoint at = surface_point(solid, random);
    const Vec3 along = random.uniform(0, 0.08) * tangent(at.n, random);
    return {at.patch, at.X + above * at.n + along, at.X - depth * at.n};
}

TEST(FindEntry, LiesOnTheSurfaceAndItsDerivativesMatchDifferences)
{
    Random random(1);
    for (const auto& [name, solid] : solids())
        for (int trial = 0; trial < 60; ++trial) {
            const Way way = way_into(solid, random.uniform(0.03, 0.1), random.uniform(0.01, 0.05), random);
            const auto entry = find_entry(solid, way.old, way.now);
            ASSERT_TRUE(entry) << name;
            EXPECT_EQ(entry->patch, way.patch) << name;
            EXPECT_NEAR(signed_distance(solid, entry->X), 0, 1e-15) << name;
            EXPECT_GE(entry->remaining, 0);
            EXPECT_LE(entry->remaining, 1);
            EXPECT_CLOSE_ALL(entry->X, way.now + entry->remaining * (way.old - way.now), 1e-14) << name;
            const auto X = [&](const Vec3& u) { return find_entry(solid, way.old, u)->X; };
            const auto remaining = [&](const Vec3& u) { return find_entry(solid, way.old, u)->remaining; };
            EXPECT_CLOSE_ALL(entry->dX_dU, difference(X, way.now, 3e-4), 1e-8) << name;
            EXPECT_NEAR_ALL(entry->dremaining_dU.transpose(), difference(remaining, way.now, 1e-4), 1e-7) << name;
        }
}

TEST(FindEntry, FindsAGlancingEntry)
{
    const LevelSet plane = Plane{Vec3::UnitY()};
    for (const double depth : {1e-12, 1e-9, 1e-6}) {
        const auto entry = find_entry(plane, Vec3(0, 1e-6, 0), Vec3(1, -depth, 0));
        ASSERT_TRUE(entry);
        EXPECT_NEAR(entry->X.x(), 1e-6 / (1e-6 + depth), 1e-9);
        EXPECT_NEAR(entry->X.y(), 0, 1e-22);
    }
}

TEST(FindEntry, StartedOnTheSurfaceEntersThere)
{
    Random random(2);
    for (const auto& [name, solid] : solids())
        for (int trial = 0; trial < 30; ++trial) {
            const SurfacePoint at = surface_point(solid, random);
            const auto entry = find_entry(solid, at.X, at.X - 0.02 * at.n + 0.02 * tangent(at.n, random));
            ASSERT_TRUE(entry) << name;
            EXPECT_CLOSE_ALL(entry->X, at.X, 1e-14) << name;
            EXPECT_NEAR(entry->remaining, 1, 1e-13) << name;
            EXPECT_CLOSE_ALL(entry->dX_dU, Mat3::Zero(), 1e-12) << name;
        }
}

TEST(FindEntry, StartedInsideEntersAtTheClosestPoint)
{
    Random random(3);
    for (const auto& [name, solid] : solids())
        for (const double depth : {1e-12, 1e-6, 0.05})
            for (int trial = 0; trial < 10; ++trial) {
                const Way way = way_into(solid, -depth, depth + 0.01, random);
                const SurfacePoint at = surface_point(solid, random);
                const auto entry = find_entry(solid, at.X - depth * at.n, at.X - (depth + 0.01) * at.n);
                ASSERT_TRUE(entry) << name;
                EXPECT_EQ(entry->patch, at.patch) << name;
                EXPECT_CLOSE_ALL(entry->X, at.X, 1e-14) << name;
                EXPECT_EQ(entry->remaining, 1);
                EXPECT_EQ(entry->dX_dU, Mat3::Zero());
                EXPECT_EQ(entry->dremaining_dU, Vec3::Zero());
                EXPECT_TRUE(find_entry(solid, way.old, way.now)) << name;
            }
}

TEST(FindEntry, FindsNothingForAPointThatStaysOutsideOrWentThrough)
{
    Random random(4);
    for (const auto& [name, solid] : solids())
        for (int trial = 0; trial < 20; ++trial) {
            const SurfacePoint at = surface_point(solid, random);
            EXPECT_FALSE(find_entry(solid, at.X + 0.05 * at.n, at.X + 0.01 * at.n)) << name;
            EXPECT_FALSE(find_entry(solid, at.X - 0.05 * at.n, at.X + 0.01 * at.n)) << name;
        }
    EXPECT_FALSE(find_entry(Box{{1, 0.1, 1}}, Vec3(0, 0.2, 0), Vec3(0, -0.2, 0)));
    EXPECT_FALSE(find_entry(Plane{}, Vec3(0, 1, 0), Vec3(0, 0, 0))) << "touching is not inside";
}

TEST(FindEntry, OverARimTakesTheLastFaceCrossed)
{
    const LevelSet box = Box{{1, 1, 1}};
    const auto over_top = find_entry(box, Vec3(0.6, 0.7, 0), Vec3(0.4, 0.4, 0)); // x = 0.5 at t = 1/2, y = 0.5 at 2/3
    ASSERT_TRUE(over_top);
    EXPECT_EQ(over_top->patch, top);
    EXPECT_CLOSE_ALL(over_top->X, Vec3(0.6 - 0.2 * 2 / 3, 0.5, 0), 1e-15);
    EXPECT_NEAR(over_top->remaining, 1.0 / 3, 1e-15);
    const auto over_side = find_entry(box, Vec3(0.7, 0.6, 0), Vec3(0.4, 0.4, 0));
    ASSERT_TRUE(over_side);
    EXPECT_EQ(over_side->patch, right);
    EXPECT_CLOSE_ALL(over_side->X, Vec3(0.5, 0.6 - 0.2 * 2 / 3, 0), 1e-15);
    const auto corner = find_entry(box, Vec3(0.6, 0.7, 0.8), Vec3(0.4, 0.4, 0.4)); // x at 1/2, y at 2/3, z at 3/4
    ASSERT_TRUE(corner);
    EXPECT_EQ(corner->patch, 5);
    EXPECT_CLOSE_ALL(corner->X, Vec3(0.45, 0.475, 0.5), 1e-15);
    const LevelSet cylinder = Cylinder{0.5, 1};
    EXPECT_EQ(find_entry(cylinder, Vec3(0.6, 0.7, 0), Vec3(0.4, 0.4, 0))->patch, 2);
    EXPECT_EQ(find_entry(cylinder, Vec3(0.8, 0.6, 0), Vec3(0.4, 0.4, 0))->patch, 0);
}

TEST(FindEntry, DerivativesMatchDifferencesOverRims)
{
    Random random(5);
    const NamedSolid cases[] = {{"box", Box{{1, 1, 1}}}, {"cylinder", Cylinder{0.5, 1}}};
    for (const auto& [name, solid] : cases)
        for (int trial = 0; trial < 50; ++trial) {
            const Vec3 old = Vec3(0.65, 0.65, 0) + random.vector(0.1), now = Vec3(0.42, 0.42, 0) + random.vector(0.03);
            const auto entry = find_entry(solid, old, now);
            ASSERT_TRUE(entry) << name;
            EXPECT_NEAR(signed_distance(solid, entry->X), 0, 1e-15) << name;
            const auto at = [&](const Vec3& u) { return find_entry(solid, old, u); };
            bool same = true;
            for (int i = 0; i < 3; ++i)
                for (const double h : {-2e-4, 2e-4})
                    same = same && at(now + h * Vec3::Unit(i))->patch == entry->patch;
            if (!same)
                continue;
            EXPECT_CLOSE_ALL(entry->dX_dU, difference([&](const Vec3& u) { return at(u)->X; }, now, 1e-4), 1e-9)
                << name;
        }
}

TEST(FindEntry, OfANodeFlushWithARimIsTheFaceItStandsOn)
{
    const LevelSet box = Box{{1, 1, 1}};
    const double flush = std::nextafter(0.5, 1) - 0.5;
    for (const double overshoot : {0.0, flush, 1e-12, 1e-6})
        for (const double depth : {1e-9, 1e-6, 1e-3, 0.1}) {
            if (overshoot >= depth)
                continue;
            const double x = 0.5 + overshoot;
            const auto entry = find_entry(box, Vec3(x, 0.6, 0), Vec3(x, 0.5 - depth, 0));
            ASSERT_TRUE(entry) << overshoot << " " << depth;
            EXPECT_EQ(entry->patch, top);
            EXPECT_CLOSE_ALL(entry->X, Vec3(x, 0.5, 0), 1e-15);
        }
    EXPECT_FALSE(find_entry(box, Vec3(0.502, 0.6, 0), Vec3(0.502, 0.4, 0))) << "beyond the widest rim";
}

TEST(RimWeight, GradientMatchesDifferences)
{
    Random random(6);
    const NamedSolid cases[] = {{"box", Box{{1, 1, 1}}}, {"cylinder", Cylinder{0.5, 1}}};
    for (const auto& [name, solid] : cases)
        for (const double depth : {2e-4, 6e-4, 2e-3, 0.1})
            for (const double share : {0.1, 0.5, 0.9})
                for (const bool over_side : {true, false}) {
                    const double width = std::min(depth, 1e-3), a = 0.5 + share * width, b = 0.5 - depth;
                    const double angle = name == "box" ? 0 : random.uniform(-3, 3);
                    const double r = over_side ? a : b, y = over_side ? b : a;
                    const Vec3 U(r * std::cos(angle), y, r * std::sin(angle));
                    const int patch = over_side ? (name == "box" ? top : 2) : (name == "box" ? right : 0);
                    const RimWeight rim = rim_weight(solid, patch, U);
                    EXPECT_NEAR(rim.weight, 1 - share, 1e-10) << name;
                    const auto weight = [&](const Vec3& u) { return rim_weight(solid, patch, u).weight; };
                    EXPECT_NEAR_ALL(rim.dweight_dU.transpose(), difference(weight, U, 1e-7), 1e-7)
                        << name << " depth " << depth;
                }
}

TEST(RimWeight, IsContinuousFromOneToZero)
{
    const LevelSet box = Box{{1, 1, 1}};
    const auto weight = [&](double overshoot, double depth) {
        return rim_weight(box, top, Vec3(0.5 + overshoot, 0.5 - depth, 0)).weight;
    };
    for (const double depth : {1e-6, 1e-4, 1e-3, 0.3}) {
        const double width = std::min(depth, 1e-3);
        EXPECT_EQ(weight(-0.1, depth), 1);
        EXPECT_EQ(weight(0, depth), 1);
        EXPECT_NEAR(weight(1e-9 * width, depth), 1, 1e-6);
        EXPECT_NEAR(weight((1 - 1e-6) * width, depth), 0, 1e-5);
        EXPECT_EQ(weight((1 + 1e-6) * width, depth), 0);
    }
    EXPECT_NEAR(
        weight(5e-4, 1e-3 * (1 - 1e-9)), weight(5e-4, 1e-3 * (1 + 1e-9)), 1e-8); // where the width stops growing
}

TEST(RimWeight, IsAShareOneInsideAndZeroAbove)
{
    Random random(7);
    for (const auto& [name, solid] : solids())
        for (int trial = 0; trial < 500; ++trial) {
            const Vec3 U = random.vector(0.9);
            const int patch = static_cast<int>(random.uniform(0, patch_count(solid)));
            const RimWeight rim = rim_weight(solid, patch, U);
            EXPECT_GE(rim.weight, 0);
            EXPECT_LE(rim.weight, 1);
            EXPECT_TRUE(rim.dweight_dU.allFinite());
            if (signed_distance(solid, U) < 0) {
                EXPECT_EQ(rim.weight, 1) << name;
            }
            if (patch_distance(solid, patch, U) >= 0) {
                EXPECT_EQ(rim.weight, 0) << name;
            }
        }
}

} // namespace
} // namespace stickslip
