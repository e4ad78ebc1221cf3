#include "stickslip/geometry/solids/separating_axes.h"

#include "geometry/closed_meshes.h"
#include "stickslip/geometry/mesh/surface_shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace stickslip::separating_axes_test {
namespace {

Frame at(const Vec3& x, double degrees = 0, const Vec3& axis = Vec3::UnitZ())
{
    return {x, Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis).toRotationMatrix()};
}

AxisOverlap overlap_of(const LevelSet& a, const Frame& of_a, const LevelSet& b, const Frame& of_b, double enough = -10,
    SeparatingAxis axis = {})
{
    return least_overlap(
        *convex_features(a), *convex_features(b), {of_a.to_local(of_b.x), of_a.R.transpose() * of_b.R}, enough, axis);
}

TEST(SeparatingAxes, OfBoxesSideBySideAreTheirFaces)
{
    const Box box{Vec3(1, 2, 3)};
    for (const auto& [x, depth] : {std::pair(Vec3(0.9, 0, 0), 0.1), {Vec3(0.5, 1.8, 0), 0.2}, {Vec3(0, 0, -2.9), 0.1},
             {Vec3(1.5, 0, 0), -0.5}, {Vec3(0, 0, 0), 1.0}})
        EXPECT_NEAR(
            overlap_of(box, at(Vec3(3, 2, 1), 30), box, at(Vec3(3, 2, 1) + at(Vec3(0, 0, 0), 30).R * x, 30)).depth,
            depth, 1e-14);
}

TEST(SeparatingAxes, SeeEdgesThatCross)
{
    const Box cube{Vec3::Ones()};
    for (const double height : {1.2, 1.4, 1.42}) {
        const AxisOverlap found =
            overlap_of(cube, at(Vec3(0, 0, 0), 45), cube, at(Vec3(0, height, 0), 45, Vec3::UnitX()));
        EXPECT_NEAR(found.depth, std::numbers::sqrt2 - height, 1e-14);
        EXPECT_TRUE(found.axis.first >= 0 && found.axis.second >= 0);
    }
}

TEST(SeparatingAxes, OfAPolyhedronAreThoseOfTheBoxThatItIs)
{
    const Box box{Vec3(0.3, 1, 0.6)};
    const LevelSet polyhedron = ConvexPolyhedron::from_mesh(triangulate(box, 1));
    RandomPoints random(3);
    int deep = 0;
    for (int i = 0; i < 500; ++i) {
        const Frame a = at(0.4 * random.in_cube(1), random.number(0, 360), random.direction());
        const Frame b = at(0.4 * random.in_cube(1), random.number(0, 360), random.direction());
        const double depth = overlap_of(box, a, box, b).depth;
        EXPECT_NEAR(overlap_of(polyhedron, a, box, b).depth, depth, 1e-12);
        EXPECT_NEAR(overlap_of(box, b, polyhedron, a).depth, depth, 1e-12);
        deep += depth > 0;
    }
    EXPECT_GT(deep, 100);
    EXPECT_LT(deep, 500);
}

TEST(SeparatingAxes, StopAtOneThatIsEnoughWhicheverIsTriedFirst)
{
    const Box box{Vec3(0.3, 1, 0.6)};
    RandomPoints random(4);
    for (int i = 0; i < 300; ++i) {
        const Frame a = at(0.5 * random.in_cube(1), random.number(0, 360), random.direction()), b = at(Vec3::Zero());
        const AxisOverlap least = overlap_of(box, a, box, b);
        for (const SeparatingAxis axis : {SeparatingAxis{2, -1}, {-1, 5}, {1, 2}, least.axis}) {
            const AxisOverlap found = overlap_of(box, a, box, b, 0.1, axis);
            if (least.depth > 0.1)
                EXPECT_EQ(found.depth, least.depth);
            else
                EXPECT_LE(found.depth, 0.1);
        }
    }
}

TEST(SeparatingAxes, LeaveTheLeastWayOut)
{
    const ConvexFeatures a = *convex_features(Box{Vec3(0.4, 0.3, 0.2)}), b = *convex_features(Box{Vec3::Constant(0.2)});
    RandomPoints random(5);
    int deep = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const Frame pose = at(0.25 * random.in_cube(1), random.number(0, 360), random.direction());
        const double depth = overlap(a, b, pose);
        EXPECT_NEAR(overlap(b, a, {-(pose.R.transpose() * pose.x), pose.R.transpose()}), depth, 1e-14);
        if (depth > 0) {
            ++deep;
            EXPECT_GT(overlap(a, b, {pose.x + 0.999 * depth * random.direction(), pose.R}), 0);
        }
    }
    EXPECT_GT(deep, 20);
}

} // namespace
} // namespace stickslip::separating_axes_test
