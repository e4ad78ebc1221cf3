#include "stickslip/geometry/queries/point_triangle.h"

#include "geometry/closed_meshes.h"

#include <gtest/gtest.h>

namespace stickslip::point_triangle_test {
namespace {

struct Corners {
    Vec3 a, b, c;
};

/// Least distance over a fine barycentric lattice: an upper bound, off by at most lattice width / distance.
double sampled_distance(const Vec3& x, const Corners& t, int n)
{
    double best = infinity;
    for (int i = 0; i <= n; ++i) {
        for (int j = 0; i + j <= n; ++j) {
            const double u = double(i) / n, v = double(j) / n;
            best = std::min(best, (t.a + u * (t.b - t.a) + v * (t.c - t.a) - x).norm());
        }
    }
    return best;
}

void expect_consistent(const TrianglePoint& p, const Corners& t)
{
    EXPECT_NEAR((p.weights[0] * t.a + p.weights[1] * t.b + p.weights[2] * t.c - p.point).norm(), 0, 1e-13);
    EXPECT_NEAR(p.weights.sum(), 1, 1e-14);
    EXPECT_GE(p.weights.minCoeff(), 0);
    const int zeros = static_cast<int>((p.weights.array() == 0).count());
    EXPECT_EQ(zeros, p.feature == TriangleFeature::face ? 0 : p.feature == TriangleFeature::edge ? 1 : 2);
    if (p.feature == TriangleFeature::edge) {
        EXPECT_EQ(p.weights[(p.index + 2) % 3], 0);
    }
    if (p.feature == TriangleFeature::vertex) {
        EXPECT_EQ(p.weights[p.index], 1);
    }
}

TEST(PointTriangle, FindsTheNearestPointOfALattice)
{
    RandomPoints random(1);
    for (int trial = 0; trial < 300; ++trial) {
        const Corners t{random.in_cube(1), random.in_cube(1), random.in_cube(1)};
        const Vec3 x = random.in_cube(2);
        const TrianglePoint p = closest_point_on_triangle(x, t.a, t.b, t.c);
        expect_consistent(p, t);
        const double sampled = sampled_distance(x, t, 60);
        EXPECT_LE((p.point - x).norm(), sampled + 1e-14);
        EXPECT_GE((p.point - x).norm(), sampled - 0.06); // lattice width
    }
}

TEST(PointTriangle, NoPointOfTheTriangleLiesBehindTheNearest)
{
    // Necessary and sufficient: (x - p) . (q - p) <= 0 for the corners q.
    RandomPoints random(2);
    for (int trial = 0; trial < 20000; ++trial) {
        const Corners t{random.in_cube(1), random.in_cube(1), random.in_cube(1)};
        const Vec3 x = random.in_cube(2);
        const Vec3 p = closest_point_on_triangle(x, t.a, t.b, t.c).point;
        for (const Vec3& q : {t.a, t.b, t.c})
            EXPECT_LE((x - p).dot(q - p), 1e-12);
    }
}

TEST(PointTriangle, NamesTheFeatureNextToEachBoundary)
{
    const Corners t{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    const auto feature = [&](double x, double y) { return closest_point_on_triangle({x, y, 0.5}, t.a, t.b, t.c); };
    for (const double e : {1e-12, 1e-6, 0.2}) {
        EXPECT_EQ(feature(0.3, e).feature, TriangleFeature::face);
        EXPECT_EQ(feature(0.3, -e).feature, TriangleFeature::edge);
        EXPECT_EQ(feature(0.3, -e).index, 0);
        EXPECT_EQ(feature(0.5 + e, 0.5 + e).feature, TriangleFeature::edge);
        EXPECT_EQ(feature(0.5 + e, 0.5 + e).index, 1);
        EXPECT_EQ(feature(-e, 0.3).index, 2);
        EXPECT_EQ(feature(-e, -e).feature, TriangleFeature::vertex);
        EXPECT_EQ(feature(1 + 2 * e, e).feature, TriangleFeature::vertex);
        EXPECT_EQ(feature(1 + 2 * e, e).index, 1);
        EXPECT_EQ(feature(e, 1 + 2 * e).index, 2);
    }
}

TEST(PointTriangle, PointsOnTheTriangleAreTheirOwnNearest)
{
    const Corners t{Vec3(0.1, 0.2, 0.3), Vec3(1, -0.5, 0.4), Vec3(0.2, 1, -0.7)};
    for (const Vec3& w : {Vec3(1, 0, 0), Vec3(0, 0.5, 0.5), Vec3(0.25, 0, 0.75), Vec3(0.2, 0.3, 0.5)}) {
        const Vec3 x = w[0] * t.a + w[1] * t.b + w[2] * t.c;
        EXPECT_NEAR((closest_point_on_triangle(x, t.a, t.b, t.c).point - x).norm(), 0, 1e-15);
    }
}

TEST(PointTriangle, TriangleWithoutAreaCountsAsItsEdges)
{
    const Vec3 a(0, 0, 0), b(1, 0, 0), c(3, 0, 0);
    RandomPoints random(3);
    for (int trial = 0; trial < 1000; ++trial) {
        const Vec3 x = random.in_cube(4);
        const Vec3 expected(std::clamp(x.x(), 0.0, 3.0), 0, 0);
        for (const Corners& t : {Corners{a, b, c}, Corners{c, a, b}, Corners{b, c, a}, Corners{a, c, c}})
            EXPECT_NEAR((closest_point_on_triangle(x, t.a, t.b, t.c).point - expected).norm(), 0, 1e-14);
        EXPECT_EQ(closest_point_on_triangle(x, b, b, b).point, b);
    }
}

} // namespace
} // namespace stickslip::point_triangle_test
