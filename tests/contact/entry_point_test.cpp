#include "stickslip/contact/relax/entry_point.h"

#include "support/solids.h"

namespace stickslip::entry_point_test {
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

/// A rim of a box or a cylinder: `patch` in reach of it, and the point at `overshoot` beyond it and `depth` below the
/// patch, at a place of the rim chosen by the angle (round a cylinder) or along z (of a box).
struct Rim {
    std::string name;
    LevelSet solid;
    double size; // smallest
    int patch;
    double half, half_beyond; // how far the patch and its neighbour are from the centre
    bool onto_end; // patch is at +y, its neighbour beside; or the other way about

    Vec3 point(double overshoot, double depth, double share) const
    {
        const double a = half_beyond + overshoot, b = half - depth;
        const double r = onto_end ? a : b, y = onto_end ? b : a;
        if (std::holds_alternative<Box>(solid))
            return {r, y, 0.3 * share * std::get<Box>(solid).size.z()};
        return {r * std::cos(3 * share), y, r * std::sin(3 * share)};
    }
};

std::vector<Rim> rims()
{
    return {{"top of a box", Box{{1, 1, 1}}, 1, top, 0.5, 0.5, true},
        {"side of a box", Box{{1, 1, 1}}, 1, right, 0.5, 0.5, false},
        {"top of a board", Box{{2, 0.03, 1}}, 0.03, top, 0.015, 1, true},
        {"side of a board", Box{{2, 0.03, 1}}, 0.03, right, 1, 0.015, false},
        {"end of a cylinder", Cylinder{0.5, 1}, 1, 2, 0.5, 0.5, true},
        {"side of a cylinder", Cylinder{0.5, 1}, 1, 0, 0.5, 0.5, false},
        {"end of a disc", Cylinder{1.5, 0.04}, 0.04, 2, 0.02, 1.5, true},
        {"side of a rod", Cylinder{0.01, 2}, 0.02, 0, 0.01, 1, false}};
}

/// Depths in sizes of the solid on both sides of where the width of a rim begins to grow.
constexpr double rim_depths[] = {1e-6, 1e-4, 2e-4, 6e-4, 9.9e-4, 1.01e-3, 2e-3, 0.01, 0.1, 0.3};

TEST(FindEntry, OfANodeFlushWithARimIsTheFaceItStandsOn)
{
    Random random(8);
    const double last_bit = std::nextafter(0.5, 1) - 0.5;
    for (const Rim& rim : rims())
        for (const double overshoot : {0.0, 1e-17, last_bit, 1e-12, 9e-7})
            for (const double depth : {1e-9, 1e-6, 1e-3, 0.1}) {
                const double share = random.uniform(-1, 1), o = overshoot * rim.size;
                const Vec3 above = rim.point(o, -0.1, share), U = rim.point(o, depth * rim.size, share);
                const auto entry = find_entry(rim.solid, above, U);
                ASSERT_TRUE(entry) << rim.name << " " << overshoot << " " << depth;
                EXPECT_EQ(entry->patch, rim.patch) << rim.name;
                EXPECT_CLOSE_ALL(entry->X, rim.point(o, 0, share), 1e-15) << rim.name;
                EXPECT_GT(rim_weight(rim.solid, entry->patch, U).weight, 1 - 1e-3) << rim.name;
            }
}

TEST(FindEntry, BeyondARimPassesByUnlessItCameThroughTheFace)
{
    Random random(9);
    int through = 0;
    for (const Rim& rim : rims())
        for (const double overshoot : {1.1e-6, 1e-5, 9e-4, 1.1e-3, 0.05})
            for (const double depth : {1e-9, 1e-6, 1e-3, 0.1, 0.3}) {
                const double share = random.uniform(-1, 1), o = overshoot * rim.size, d = depth * rim.size;
                const Vec3 U = rim.point(o, d, share);
                EXPECT_FALSE(find_entry(rim.solid, rim.point(o, -0.1, share), U)) << rim.name << " " << overshoot;
                EXPECT_FALSE(find_entry(rim.solid, rim.point(0.1, -0.1, share), U)) << rim.name << " from outside";
                if (depth > 1e-6) { // less deep is on the face, and comes in by it
                    EXPECT_FALSE(find_entry(rim.solid, rim.point(-1e-3 * rim.size, d, share), U))
                        << rim.name << " inside";
                }
                // through the face and out over the rim: felt as far as a contact that slides there is
                const double begin = -0.2 * rim.size, t = 0.1 / (0.1 + d);
                const auto entry = find_entry(rim.solid, rim.point(begin, -0.1, share), U);
                const bool in_face = begin + t * (o - begin) <= 0;
                const bool carries = in_face && rim_weight(rim.solid, rim.patch, U).weight > 0;
                EXPECT_EQ(entry.has_value(), carries) << rim.name << " overshoot " << overshoot << " depth " << depth;
                through += carries;
            }
    EXPECT_GT(through, 20);
}

TEST(FindEntry, OfAFacePointIsByTheFaceThatFacesIt)
{
    const LevelSet box = Box{{1, 1, 1}};
    const Vec3 up(0, 1, 0); // the point lies on a floor, the box slides over it with its lower face
    const Vec3 before(0.51, -0.5 + 1e-6, 0), after(0.45, -0.5 + 1e-6, 0);
    ASSERT_TRUE(find_entry(box, before, after)) << "by the side that passes it";
    const auto below = find_entry(box, before, after, {up, true}); // flush with the lower face, it slides in under it
    ASSERT_TRUE(below);
    EXPECT_NEAR_ALL(below->X, Vec3(0.5, -0.5, 0), 1e-15);
    const Vec3 deep(0, 1e-4, 0); // deeper, where nothing has pressed it in
    EXPECT_FALSE(find_entry(box, before + deep, after + deep, {up, true}));
    const auto next = find_entry(box, after, Vec3(0.4, -0.5 + 1e-6, 0), {up, true});
    ASSERT_TRUE(next);
    EXPECT_NEAR_ALL(next->X, Vec3(0.45, -0.5, 0), 1e-15);
    // a floor that leans against the edge is met by both faces of it
    const Vec3 leaning = Vec3(-1, 1, 0).normalized();
    EXPECT_EQ(find_entry(box, Vec3(0.4, -0.51, 0), Vec3(0.4, -0.49, 0), {leaning, true})->X.y(), -0.5);
    EXPECT_EQ(find_entry(box, Vec3(0.51, -0.4, 0), Vec3(0.49, -0.4, 0), {leaning, true})->X.x(), 0.5);
    // where only one surface can be met nothing is asked
    EXPECT_TRUE(find_entry(Plane{}, Vec3(0, 0.1, 0), Vec3(0, -0.1, 0), {up, true}));
}

// An edge that lies in the rim of a table, flush with its top and its end, goes along one more than into the other.
TEST(FindEntry, OfAnEdgeFlushWithARimIsByTheFaceThatItLooksAt)
{
    const LevelSet table = Box{{1, 1, 1}};
    const auto patch = [&](const Vec3& looks_to, double in, double down) {
        const Vec3 old(0.5, 0.5, 0.1), way(-in, -down, 0);
        const auto entry = find_entry(table, old, old + way, {.n = looks_to.normalized(), .way = way});
        if (!entry)
            return -1;
        EXPECT_FALSE(entry->rim) << "what is flush is felt as a whole";
        return entry->patch;
    };
    constexpr int upper = 3, end = 1;
    const Vec3 across(0, -1, -1), upright(-1, 0, -1), both(-1, -1, 0);
    for (const double other : {1e-12, 1e-9, 1e-6, 1e-3}) {
        EXPECT_EQ(patch(across, 1e-2, other), upper);
        EXPECT_EQ(patch(upright, other, 1e-2), end);
        EXPECT_EQ(patch(both, 1e-2, other), upper) << "it goes in under that one";
        EXPECT_EQ(patch(both, other, 1e-2), end);
    }
    EXPECT_EQ(patch(Vec3::UnitY(), 1e-2, 1e-3), end) << "it looks at neither";
}

// Its solid is grown by half its width.
TEST(FindEntry, OfAMaterialPointEndsBesideTheFaceOfTheSolidItself)
{
    constexpr double h = 0.05, step = 1e-7;
    const Box own{{1, 0.8, 1.2}}, grown{own.size + Vec3::Constant(2 * h)};
    Random random(3);
    const auto weight = [&](const Vec3& U_old, const Vec3& U, double half_width) {
        const auto entry = find_entry(grown, U_old, U, {.half_width = half_width});
        return entry && entry->rim ? entry->rim->weight : 0;
    };
    int whole = 0, part = 0, none = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3 U_old = Vec3(0.7, random.uniform(0.2, 0.44), random.uniform(0.4, 0.64));
        const Vec3 U = Vec3(random.uniform(0.45, 0.549), U_old.y() + random.uniform(-0.005, 0.005), U_old.z());
        const auto entry = find_entry(grown, U_old, U, {.half_width = h}), without = find_entry(grown, U_old, U, {});
        ASSERT_TRUE(without && without->rim);
        const double o = std::max({0.0, U.y() - 0.4, U.z() - 0.6});
        const double share = std::clamp((h - o) / h, 0.0, 1.0);
        EXPECT_NEAR(weight(U_old, U, h), share * without->rim->weight, 1e-12);
        ++(share == 1 ? whole : share > 0 ? part : none);
        if (!entry || share < 1e-3 || std::abs(U.x() - 0.5) < 1e-5 || std::abs(U.y() - 0.4 - U.z() + 0.6) < 1e-5)
            continue;
        EXPECT_EQ(entry->patch, without->patch);
        for (int c = 0; c < 3; ++c) {
            const Vec3 d = step * Vec3::Unit(c);
            const double slope = (weight(U_old, U + d, h) - weight(U_old, U - d, h)) / (2 * step);
            EXPECT_NEAR(entry->rim->dweight_dU[c], slope, 1e-5 * (1 + std::abs(slope)) / std::min(1.0, 20 * share));
        }
    }
    EXPECT_GT(whole, 100);
    EXPECT_GT(part, 300);
    EXPECT_EQ(none, 0); // the grown solid ends there
}

// The way of a point that cuts a corner: in through the face `inside` from its rim, out to `out` beyond it.
struct CutCorner {
    Vec3 old, now;
};
CutCorner cut_corner(const Rim& rim, double inside, double out, double depth, double share)
{
    const double steep = 0.05 * rim.size, way = (inside + out) / depth;
    return {rim.point(-inside - way * steep, -steep, share), rim.point(out, depth, share)};
}

TEST(FindEntry, OverACornerIsFeltLessTheShorterTheWayInside)
{
    for (const Rim& rim : rims()) {
        const double depth = 0.02 * rim.size, out = 0.2 * depth;
        double last = 1;
        for (const double inside : {1.0, 0.5, 0.3, 0.25, 0.22, 0.201, 0.2 + 1e-6}) {
            const CutCorner way = cut_corner(rim, inside * depth, out, depth, 0);
            const auto entry = find_entry(rim.solid, way.old, way.now);
            ASSERT_TRUE(entry) << rim.name << " " << inside;
            const double flush = 2e-6 * rim.size;
            EXPECT_NEAR(entry->rim->weight, std::min(0.8, 1 - out / (inside * depth + flush)), 1e-9) << rim.name;
            EXPECT_LE(entry->rim->weight, last);
            last = entry->rim->weight;
        }
        EXPECT_LT(last, 1e-3) << "no jump to none";
        for (const double inside : {0.19, 0.1, 1e-3, -1e-3}) {
            const CutCorner way = cut_corner(rim, inside * depth, out, depth, 0);
            EXPECT_FALSE(find_entry(rim.solid, way.old, way.now)) << rim.name << " " << inside;
        }
    }
}

TEST(FindEntry, WeightOfACutCornerHasTheRightGradient)
{
    for (const Rim& rim : rims())
        for (const double inside : {0.7, 0.4, 0.25}) {
            const double depth = 0.02 * rim.size;
            const CutCorner way = cut_corner(rim, inside * depth, 0.2 * depth, depth, 0.1);
            const auto entry = find_entry(rim.solid, way.old, way.now);
            ASSERT_TRUE(entry) << rim.name;
            const auto weight = [&](const Vec3& u) { return find_entry(rim.solid, way.old, u)->rim->weight; };
            const auto expected = difference(weight, way.now, 1e-6 * depth);
            EXPECT_NEAR_ALL(entry->rim->dweight_dU.transpose(), expected, 1e-6 * expected.norm())
                << rim.name << " " << inside;
        }
}

TEST(RimWidth, IsTheDepthButAtLeastAThousandthOfTheSmallestSize)
{
    for (const Rim& rim : rims()) {
        for (const double depth : rim_depths)
            EXPECT_NEAR(rim_width(rim.solid, depth * rim.size), std::max(depth, 1e-3) * rim.size, 1e-16) << rim.name;
        EXPECT_NEAR(rim_width(rim.solid, 0), 1e-3 * rim.size, 1e-17) << rim.name;
    }
    for (const auto& [name, solid] : solids())
        if (patch_count(solid) == 1) {
            EXPECT_EQ(rim_width(solid, 0.1), 0) << name;
        }
}

TEST(RimWeight, GradientMatchesDifferences)
{
    Random random(6);
    for (const Rim& rim : rims())
        for (const double relative_depth : rim_depths)
            for (const double share : {0.1, 0.5, 0.9}) {
                const double depth = relative_depth * rim.size, width = std::max(depth, 1e-3 * rim.size);
                const Vec3 U = rim.point(share * width, depth, random.uniform(-1, 1));
                const RimWeight at = rim_weight(rim.solid, rim.patch, U);
                EXPECT_NEAR(at.weight, 1 - share, 1e-10) << rim.name;
                const auto weight = [&](const Vec3& u) { return rim_weight(rim.solid, rim.patch, u).weight; };
                EXPECT_NEAR_ALL(at.dweight_dU.transpose(), difference(weight, U, 1e-7 * rim.size), 1e-7)
                    << rim.name << " depth " << relative_depth;
            }
}

TEST(RimWeight, IsContinuousFromOneToZero)
{
    for (const Rim& rim : rims()) {
        const auto weight = [&](double overshoot, double depth) {
            return rim_weight(rim.solid, rim.patch, rim.point(overshoot, depth, 0)).weight;
        };
        const double s = rim.size;
        for (const double relative_depth : rim_depths) {
            const double depth = relative_depth * s, width = std::max(depth, 1e-3 * s);
            EXPECT_EQ(weight(-0.1 * s, depth), 1) << rim.name;
            EXPECT_EQ(weight(0, depth), 1) << rim.name;
            EXPECT_NEAR(weight(1e-9 * width, depth), 1, 1e-6) << rim.name;
            EXPECT_NEAR(weight((1 - 1e-6) * width, depth), 0, 1e-5) << rim.name;
            EXPECT_EQ(weight((1 + 1e-6) * width, depth), 0) << rim.name;
        }
        // where the width begins to grow
        for (const double overshoot : {1e-4, 5e-4, 9e-4})
            EXPECT_NEAR(
                weight(overshoot * s, 1e-3 * (1 - 1e-9) * s), weight(overshoot * s, 1e-3 * (1 + 1e-9) * s), 1e-8)
                << rim.name;
    }
}

TEST(RimWeight, ChangesNoFasterThanItsWidthAllows)
{
    // |gradient| <= (1 + overshoot/width) / width, across corners and switches of the width, too
    Random random(10);
    for (const Rim& rim : rims()) {
        const double s = rim.size;
        int partial = 0;
        for (int trial = 0; trial < 2000; ++trial) {
            const double depth = s * std::pow(10, random.uniform(-4, -0.6)), width = std::max(depth, 1e-3 * s);
            const double overshoot = random.uniform(-0.1, 1.1) * width;
            const Vec3 a = rim.point(overshoot, depth, random.uniform(-1, 1));
            const Vec3 b = a + 0.01 * depth * random.vector();
            const double difference =
                rim_weight(rim.solid, rim.patch, a).weight - rim_weight(rim.solid, rim.patch, b).weight;
            partial += difference != 0;
            EXPECT_LE(std::abs(difference), 2.1 / width * (a - b).norm()) << rim.name << " depth " << depth;
        }
        EXPECT_GT(partial, 1000) << rim.name;
    }
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
} // namespace stickslip::entry_point_test
