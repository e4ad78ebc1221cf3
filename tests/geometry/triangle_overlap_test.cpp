#include "stickslip/geometry/queries/triangle_overlap.h"

#include "support/numeric.h"

#include <cmath>
#include <numbers>

namespace stickslip::triangle_overlap_test {
namespace {

const TriangleCorners floor_triangle = {Vec3(-9, 0, -9), Vec3(9, 0, -9), Vec3(0, 0, 9)};

TriangleCorners moved(TriangleCorners t, const Vec3& by, const Mat3& R = Mat3::Identity())
{
    for (Vec3& x : t)
        x = R * x + by;
    return t;
}

TEST(TriangleOverlap, IsHowFarATipSticksThrough)
{
    const TriangleCorners needle = {Vec3(0, -0.3, 0), Vec3(0.2, 2, 0.1), Vec3(-0.2, 2, 0)};
    EXPECT_NEAR(triangle_overlap(needle, floor_triangle), 0.3, 1e-15);
    EXPECT_NEAR(triangle_overlap(floor_triangle, needle), 0.3, 1e-15);
    for (const double tip : {1e-3, 1e-9, 1e-12})
        EXPECT_NEAR(triangle_overlap(moved(needle, Vec3(0, 0.3 - tip, 0)), floor_triangle), tip, 1e-15);
    EXPECT_EQ(triangle_overlap(moved(needle, Vec3(0, 0.3 + 1e-12, 0)), floor_triangle), 0);
}

TEST(TriangleOverlap, IsHowFarEdgesHaveCrossed)
{
    // Two tents, the ridge of one across that of the other; each triangle is a side of one.
    const TriangleCorners below = {Vec3(-5, 0, 0), Vec3(5, 0, 0), Vec3(0, -5, 0)};
    for (const double d : {0.5, 1e-6}) {
        const TriangleCorners above = {Vec3(0, -d, -5), Vec3(0, -d, 5), Vec3(0, 5, 0)};
        EXPECT_NEAR(triangle_overlap(below, above), d, 1e-15);
    }
}

TEST(TriangleOverlap, IsNoneOfWhatTouchesOrLiesInOnePlane)
{
    const TriangleCorners t = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    for (const TriangleCorners& other : {
             TriangleCorners{Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)}, // an edge, flat
             TriangleCorners{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.3, -0.2, 1)}, // an edge, folded
             TriangleCorners{Vec3(0, 0, 0), Vec3(-1, -1, 0.5), Vec3(-1, 0, -1)}, // a corner
             TriangleCorners{Vec3(0.2, 0.2, 0), Vec3(0.2, 0.2, 1), Vec3(0.5, 0.2, 1)}, // a corner on the face
             TriangleCorners{Vec3(0.1, 0.1, 0), Vec3(0.9, 0.2, 0), Vec3(0.3, 0.8, 0)}, // on each other
             t, // the same
             TriangleCorners{Vec3(0.1, 0.1, 1e-3), Vec3(0.9, 0.2, 1e-3), Vec3(0.3, 0.8, 1e-3)}, // above
         }) {
        EXPECT_EQ(triangle_overlap(t, other), 0);
        EXPECT_EQ(triangle_overlap(other, t), 0);
    }
}

// No way shorter than it parts the two; the same seen from anywhere, in either order.
TEST(TriangleOverlap, IsTheShortestWayThatPartsThem)
{
    Random random(5);
    int cut = 0;
    for (int i = 0; i < 2000; ++i) {
        TriangleCorners a, b;
        for (int k = 0; k < 3; ++k)
            std::tie(a[k], b[k]) = std::pair(random.vector(), random.vector());
        const double depth = triangle_overlap(a, b);
        const Mat3 R = random.rotation();
        const Vec3 by = random.vector(10);
        EXPECT_NEAR(triangle_overlap(moved(b, by, R), moved(a, by, R)), depth, 1e-13);
        if (!(depth > 1e-6))
            continue;
        ++cut;
        double best = infinity;
        for (int k = 0; k < 200; ++k) {
            const Vec3 way = random.unit();
            EXPECT_GT(triangle_overlap(a, moved(b, 0.999 * depth * way)), 0);
            double low = 0, high = 4; // how far that way parts them
            while (high - low > 1e-3) {
                const double middle = 0.5 * (low + high);
                (triangle_overlap(a, moved(b, middle * way)) > 0 ? low : high) = middle;
            }
            best = std::min(best, high);
        }
        EXPECT_LT(best, 1.5 * depth + 2e-3); // some of the ways come near it
    }
    EXPECT_GT(cut, 200);
}

// An edge turns through the direction of another, and triangles lose their width.
TEST(TriangleOverlap, IsContinuousWhereEdgesAreNearlyParallelAndTrianglesThin)
{
    const auto turned = [](double angle, double width) {
        const Mat3 R = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
        return moved({Vec3(-2, -0.1, 0), Vec3(2, -0.1, 0), Vec3(0, -0.1 + width, 0)}, Vec3::Zero(), R);
    };
    const TriangleCorners wall = {Vec3(-5, 0, 0), Vec3(5, 0, 0), Vec3(0, -5, 1)}; // its upper edge along x
    for (const double width : {1.0, 1e-3, 1e-9}) {
        double last = triangle_overlap(wall, turned(-0.01, width));
        for (double angle = -0.01; angle < 0.01; angle += 2e-6) {
            const double now = triangle_overlap(wall, turned(angle, width));
            EXPECT_LT(std::abs(now - last), 2e-5) << angle << " " << width;
            EXPECT_LT(now, 0.11);
            last = now;
        }
    }
    for (const double tilt : {1e-3, 1e-7, 1e-12, 0.0}) { // planes nearly the same
        const TriangleCorners flat = moved({Vec3(-1, 0, -1), Vec3(1, 0, -1), Vec3(0, 0, 1)}, Vec3(0.1, 0, 0.2),
            Eigen::AngleAxisd(tilt, Vec3::UnitX()).toRotationMatrix());
        EXPECT_LE(triangle_overlap(floor_triangle, flat), 1.01 * tilt);
    }
}

TEST(TriangleOverlap, OfATriangleWithoutAreaIsThatOfASegmentOrAPoint)
{
    EXPECT_NEAR(triangle_overlap(floor_triangle, {Vec3(0, -0.2, 0), Vec3(0, 1, 0), Vec3(0, 0.5, 0)}), 0.2, 1e-15);
    EXPECT_EQ(triangle_overlap(floor_triangle, {Vec3(0, 0.2, 0), Vec3(0, 1, 0), Vec3(0, 0.5, 0)}), 0);
    EXPECT_EQ(triangle_overlap(floor_triangle, {Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0)}), 0);
    const TriangleCorners point = {Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0)};
    EXPECT_EQ(triangle_overlap(point, point), 0);
}

} // namespace
} // namespace stickslip::triangle_overlap_test
