#include "stickslip/geometry/mesh/polygon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace stickslip::polygon_test {
namespace {

std::vector<Triangle> cut(const std::vector<Vec3>& vertices, const std::vector<int>& corners)
{
    std::vector<Triangle> triangles;
    add_polygon(corners, vertices, triangles);
    return triangles;
}

Vec3 area_vector(const std::vector<Vec3>& x, const Triangle& t)
{
    return 0.5 * (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]);
}

/// Shoelace formula.
Vec3 area_vector(const std::vector<Vec3>& x, const std::vector<int>& corners)
{
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < corners.size(); ++i)
        sum += 0.5 * x[corners[i]].cross(x[corners[(i + 1) % corners.size()]]);
    return sum;
}

/// Triangles that wind as the polygon does and have its area together cover it once.
void expect_covered(const std::vector<Vec3>& x, const std::vector<int>& corners)
{
    const std::vector<Triangle> triangles = cut(x, corners);
    ASSERT_EQ(triangles.size(), corners.size() - 2);
    const Vec3 whole = area_vector(x, corners);
    Vec3 sum = Vec3::Zero();
    for (const Triangle& t : triangles) {
        EXPECT_GT(area_vector(x, t).dot(whole), 0);
        sum += area_vector(x, t);
    }
    EXPECT_LT((sum - whole).norm(), 1e-12 * whole.norm());
}

TEST(AddPolygon, AConvexOneIsAFanAboutItsFirstCorner)
{
    const std::vector<Vec3> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0, 0}};
    EXPECT_EQ(cut(square, {1, 2, 3, 0}), (std::vector<Triangle>{{1, 2, 3}, {1, 3, 0}}));
    EXPECT_EQ(cut(square, {1, 2, 3}), (std::vector<Triangle>{{1, 2, 3}}));
    // a corner in the middle of a side
    EXPECT_EQ(cut(square, {0, 4, 1, 2, 3}), (std::vector<Triangle>{{0, 4, 1}, {0, 1, 2}, {0, 2, 3}}));
}

// A fan about the first corner laid a lid over the notch from one corner on, and none from the next.
TEST(AddPolygon, ADartIsCutAtItsNotchFromAnyCorner)
{
    const std::vector<Vec3> dart = {{0, 0, 1}, {2, 1, 1}, {0, 2, 1}, {0.5, 1, 1}};
    for (int first = 0; first < 4; ++first) {
        std::vector<int> corners;
        for (int i = 0; i < 4; ++i)
            corners.push_back((first + i) % 4);
        expect_covered(dart, corners);
        std::reverse(corners.begin(), corners.end());
        expect_covered(dart, corners);
    }
}

TEST(AddPolygon, StarsCombsAndAFrameCutOpenAreCoveredOnce)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> radius(0.2, 1), turn(-1, 1);
    for (int round = 0; round < 200; ++round) {
        const int n = 4 + round % 30;
        const Mat3 R = Quat(turn(random), turn(random), turn(random), 1.5).normalized().toRotationMatrix();
        const Vec3 far(1e3 * turn(random), 1e3 * turn(random), 0);
        std::vector<Vec3> star;
        std::vector<int> corners(n);
        std::iota(corners.begin(), corners.end(), 0);
        for (int i = 0; i < n; ++i) {
            const double angle = 2 * std::numbers::pi * i / n, r = radius(random);
            star.push_back(far + R * Vec3(r * std::cos(angle), r * std::sin(angle), 0));
        }
        std::rotate(corners.begin(), corners.begin() + round % n, corners.end());
        const std::vector<Triangle> triangles = cut(star, corners);
        double sum = 0;
        const Vec3 normal = R.col(2);
        for (const Triangle& t : triangles) {
            EXPECT_GT(area_vector(star, t).dot(normal), -1e-12);
            sum += area_vector(star, t).dot(normal);
        }
        std::vector<Vec3> near = star;
        for (Vec3& x : near)
            x -= far;
        EXPECT_NEAR(sum, area_vector(near, corners).dot(normal), 1e-9) << round;
    }
    std::vector<Vec3> comb = {{0, 0, 0}, {9, 0, 0}};
    for (int tooth = 8; tooth >= 0; tooth -= 2)
        for (const Vec3& x : {Vec3(tooth + 1, 5, 0), Vec3(tooth, 5, 0), Vec3(tooth, 1, 0), Vec3(tooth - 1, 1, 0)})
            comb.push_back(x);
    comb.resize(comb.size() - 2);
    std::vector<int> corners(comb.size());
    std::iota(corners.begin(), corners.end(), 0);
    expect_covered(comb, corners);
    // a square hole, reached by a bridge whose ends come twice
    const std::vector<Vec3> frame = {
        {0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {1, 1, 0}, {1, 2, 0}, {2, 2, 0}, {2, 1, 0}};
    expect_covered(frame, {0, 1, 2, 3, 0, 4, 5, 6, 7, 4});
}

TEST(AddPolygon, OneThatCrossesItselfStillGivesItsTriangles)
{
    const std::vector<Vec3> bow = {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}};
    EXPECT_EQ(cut(bow, {0, 1, 2, 3}).size(), 2u);
    const std::vector<Vec3> line = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    EXPECT_EQ(cut(line, {0, 2, 1, 3}).size(), 2u);
}

} // namespace
} // namespace stickslip::polygon_test
