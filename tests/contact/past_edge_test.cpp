#include "stickslip/contact/relax/entry_point.h"

#include "support/solids.h"

namespace stickslip::past_edge_test {
namespace {

constexpr int top = 3, right = 1, front = 5; // patches of a box: +y, +x, +z
const LevelSet box = Box{Vec3::Constant(1)};
constexpr double passed = 1e-3; // [m]
const std::vector<LevelPatch> at_edge{{top, passed}, {right, passed}},
    at_corner{{top, passed}, {right, passed}, {front, passed}};

Vec3 under(double y, double x, double z = 0.5)
{
    return {0.5 - x, 0.5 - y, 0.5 - z};
}

double force(const std::vector<LevelPatch>& level, const Vec3& U)
{
    const auto weight = weight_past_edge(box, level, U);
    return weight ? weight->weight * (0.5 - U.y()) : 0;
}

TEST(PastEdge, IsPassedWhereAPointIsNotDeepUnderAllPatches)
{
    EXPECT_EQ(force(at_edge, under(0.1, 0.9e-3)), 0);
    EXPECT_EQ(force(at_edge, under(0.9e-3, 0.1)), 0);
    EXPECT_EQ(force(at_edge, under(0.1, -0.1)), 0);
    EXPECT_EQ(force(at_corner, under(0.1, 0.1, 0.9e-3)), 0);
    EXPECT_GT(force(at_corner, under(0.1, 0.1, 2e-3)), 0);
}

TEST(PastEdge, TheForceGrowsFromNothingAndNoFasterThanTheContactIsStiff)
{
    constexpr double step = 1e-6;
    for (const auto& level : {at_edge, at_corner})
        for (const Vec3& way : {Vec3(1, 1, 1), Vec3(0.02, 1, 1), Vec3(1, 0.02, 1), Vec3(1, 1, 0.02)}) {
            double last = 0;
            for (double depth = 0; depth < 0.03; depth += step) {
                const double now = force(level, under(way.x() * depth, way.y() * depth, way.z() * depth));
                EXPECT_LE(std::abs(now - last), 2 * step) << depth;
                last = now;
            }
        }
    EXPECT_NEAR(force(at_edge, under(0.02, 0.1)), 0.02 - passed, 1e-15) << "far from the edge by the whole depth";
}

TEST(PastEdge, GradientMatchesDifferences)
{
    Random random(1);
    int compared = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const auto& level = trial % 2 ? at_edge : at_corner;
        const Vec3 U = under(random.uniform(0, 0.01), random.uniform(0, 0.01), random.uniform(-0.005, 0.01));
        const auto weight = weight_past_edge(box, level, U);
        if (!weight)
            continue;
        constexpr double h = 1e-7;
        Vec3 slope;
        bool is_smooth = true; // no kink between
        for (int i = 0; i < 3; ++i) {
            const auto plus = weight_past_edge(box, level, U + h * Vec3::Unit(i));
            const auto minus = weight_past_edge(box, level, U - h * Vec3::Unit(i));
            is_smooth = is_smooth && plus && minus && (plus->dweight_dU - minus->dweight_dU).norm() < 1;
            if (is_smooth)
                slope[i] = (plus->weight - minus->weight) / (2 * h);
        }
        if (!is_smooth)
            continue;
        ++compared;
        EXPECT_LT((weight->dweight_dU - slope).norm(), 1e-4 * std::max(1.0, slope.norm())) << U.transpose();
    }
    EXPECT_GT(compared, 100);
}

TEST(FindEntry, OfABodyBesideTheSolidIsPastTheEdge)
{
    PointSurface point;
    point.before = at_edge;
    EXPECT_FALSE(find_entry(box, under(0, 0), under(0.1, 0.9e-3), point));
    const Vec3 U = under(0.03, 0.02);
    const auto entry = find_entry(box, under(0, 0), U, point);
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->patch, top);
    EXPECT_CLOSE_ALL(entry->X, Vec3(U.x(), 0.5, U.z()), 1e-15);
    ASSERT_TRUE(entry->rim);
    EXPECT_EQ(entry->rim->weight, weight_past_edge(box, at_edge, U)->weight);
}

TEST(FindEntry, OfWhatIsLevelWithThePatchItsBodyStandsBeforeIsByThatOneOrNotAtAll)
{
    const std::vector<LevelPatch> level{{top, passed}};
    PointSurface point;
    point.before = level;
    for (const double depth : {-1e-7, 0.0, 1e-7, 0.9e-3}) {
        const auto inside = find_entry(box, under(depth, 1e-5), under(2e-3, 2e-2), point);
        ASSERT_TRUE(inside) << depth;
        EXPECT_EQ(inside->patch, top) << depth;
        EXPECT_CLOSE_ALL(inside->X, Vec3(0.5 - 1e-5, 0.5, 0), 1e-12) << depth;
        EXPECT_EQ(inside->remaining, 1) << depth;
        EXPECT_FALSE(find_entry(box, under(depth, 0), under(-1e-6, 1e-2), point)) << depth;
    }
    EXPECT_FALSE(find_entry(box, under(0.9e-3, -1e-2), under(0.9e-3, 1e-2), point)) << "from beyond the rim";
    EXPECT_EQ(find_entry(box, under(1.1e-3, -1e-2), under(1.1e-3, 1e-2), point)->patch, right) << "too deep";
}

} // namespace
} // namespace stickslip::past_edge_test
