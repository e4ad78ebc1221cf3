#include "stickslip/geometry/solids/separating_axes.h"

#include "geometry/closed_meshes.h"
#include "stickslip/geometry/mesh/surface_shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace stickslip {
namespace {

Frame at(const Vec3& x, double degrees = 0, const Vec3& axis = Vec3::UnitZ())
{
    return {x, Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis).toRotationMatrix()};
}

AxisOverlap overlap(const LevelSet& a, const Frame& of_a, const LevelSet& b, const Frame& of_b, double enough = -10,
    SeparatingAxis axis = {})
{
    return least_overlap(
        *flat_faced(a), *flat_faced(b), {of_a.to_local(of_b.x), of_a.R.transpose() * of_b.R}, enough, axis);
}

TEST(SeparatingAxes, OfBoxesSideBySideAreTheirFaces)
{
    const Box box{Vec3(1, 2, 3)};
    for (const auto& [x, depth] : {std::pair(Vec3(0.9, 0, 0), 0.1), {Vec3(0.5, 1.8, 0), 0.2}, {Vec3(0, 0, -2.9), 0.1},
             {Vec3(1.5, 0, 0), -0.5}, {Vec3(0, 0, 0), 1.0}})
        EXPECT_NEAR(overlap(box, at(Vec3(3, 2, 1), 30), box, at(Vec3(3, 2, 1) + at(Vec3(0, 0, 0), 30).R * x, 30)).depth,
            depth, 1e-14);
}

TEST(SeparatingAxes, SeeEdgesThatCross)
{
    const Box cube{Vec3::Ones()};
    for (const double height : {1.2, 1.4, 1.42}) {
        const AxisOverlap found = overlap(cube, at(Vec3(0, 0, 0), 45), cube, at(Vec3(0, height, 0), 45, Vec3::UnitX()));
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
        const double depth = overlap(box, a, box, b).depth;
        EXPECT_NEAR(overlap(polyhedron, a, box, b).depth, depth, 1e-12);
        EXPECT_NEAR(overlap(box, b, polyhedron, a).depth, depth, 1e-12);
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
        const AxisOverlap least = overlap(box, a, box, b);
        for (const SeparatingAxis axis : {SeparatingAxis{2, -1}, {-1, 5}, {1, 2}, least.axis}) {
            const AxisOverlap found = overlap(box, a, box, b, 0.1, axis);
            if (least.depth > 0.1)
                EXPECT_EQ(found.depth, least.depth);
            else
                EXPECT_LE(found.depth, 0.1);
        }
    }
}

TEST(SeparatingAxes, AreOfFlatFacesAlone)
{
    EXPECT_FALSE(flat_faced(Sphere{1}));
    EXPECT_FALSE(flat_faced(RoundedBox{Vec3::Ones(), 0.1}));
    EXPECT_FALSE(flat_faced(Plane{Vec3::UnitY()}));
}

} // namespace
} // namespace stickslip
