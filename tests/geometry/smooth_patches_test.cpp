#include "stickslip/geometry/patches/smooth_patches.h"

#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/geometry/patches/rigid_patches.h"

#include "support/extruded.h"
#include "support/numeric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace stickslip::smooth_patches_test {
namespace {

TEST(SmoothPatches, AreTheFacesOfABoxAndTheWholeOfABall)
{
    const TriMesh box = triangulate(Box{Vec3(1, 2, 3)}, 0.5);
    const SmoothPatches faces(box);
    EXPECT_EQ(*std::max_element(faces.patch.begin(), faces.patch.end()), 5);
    for (std::size_t f = 0; f < faces.facets.size(); ++f)
        for (int k = 0; k < 3; ++k) {
            const Vec3 n = faces.normals[faces.normal_of[f][k]];
            const Vec3 own = (box.vertices[faces.facets[f][1]] - box.vertices[faces.facets[f][0]])
                                 .cross(box.vertices[faces.facets[f][2]] - box.vertices[faces.facets[f][0]])
                                 .normalized();
            EXPECT_NEAR_ALL(n, own, 1e-14);
        }
    const TriMesh ball = triangulate(Sphere{0.3}, 0.05);
    const SmoothPatches round(ball);
    EXPECT_EQ(*std::max_element(round.patch.begin(), round.patch.end()), 0);
    for (std::size_t f = 0; f < round.facets.size(); ++f)
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR_ALL(
                round.normals[round.normal_of[f][k]], ball.vertices[round.facets[f][k]].normalized(), 1e-12);
}

TEST(SmoothPatches, PartWhereTheSurfaceFolds)
{
    // two squares that share an edge, the second turned up by an angle
    TriMesh mesh{{{0, 0, 0}, {1, 0, 0}, {1, 0, -1}, {0, 0, -1}, {2, 0, 0}, {2, 0, -1}},
        {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}}};
    SmoothPatches patches(mesh);
    for (const double degrees : {0.0, 30.0, 39.0, 41.0, 120.0, 20.0}) {
        const double a = degrees * std::numbers::pi / 180;
        std::vector<Vec3> x = mesh.vertices;
        for (const int v : {4, 5})
            x[v] = Vec3(1 + std::cos(a), std::sin(a), x[v].z());
        patches.update(x);
        const std::set<int> numbers(patches.patch.begin(), patches.patch.end());
        EXPECT_EQ(numbers.size(), degrees < 40 ? 1u : 2u) << degrees;
        const auto rim = patches.nearest_rim(0, Vec3(0.9, 0.1, -0.5));
        if (degrees < 40)
            EXPECT_GT(rim.distance, 0.45) << degrees;
        else
            EXPECT_NEAR(rim.distance, std::hypot(0.1, 0.1), 1e-12) << degrees;
    }
}

TEST(SmoothPatches, OfWhatKeepsItsShapePartFrom25DegreesOn)
{
    constexpr double degree = std::numbers::pi / 180;
    for (const double degrees : {24.0, 26.0, 39.0, 41.0})
        for (const int up : {1, -1}) { // two squares that look up, the second turned up or down
            const double x = 1 + std::cos(degrees * degree), y = up * std::sin(degrees * degree);
            const TriMesh mesh{{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 0, 1}, {x, y, 0}, {x, y, 1}},
                {{0, 1, 3}, {0, 3, 2}, {2, 3, 5}, {2, 5, 4}}};
            ASSERT_GT(SmoothPatches(mesh).unit_normal(0).y(), 0);
            EXPECT_EQ(SmoothPatches(mesh, 25 * degree).patch.back(), degrees < 25 ? 0 : 1) << degrees << " " << up;
            EXPECT_EQ(SmoothPatches(mesh).patch.back(), degrees < 40 ? 0 : 1) << degrees << " " << up;
        }
}

/// A ball with random dents, which are no creases.
TriMesh bumpy_ball(unsigned seed)
{
    Random random(seed);
    TriMesh mesh = triangulate(Sphere{0.3}, 0.05);
    for (Vec3& v : mesh.vertices)
        v *= random.uniform(0.985, 1.015);
    return mesh;
}

int count(const SmoothPatches& patches)
{
    return 1 + *std::max_element(patches.patch.begin(), patches.patch.end());
}

// A strip of 1 m and of three rows whose profile rises by these slopes one after another.
TriMesh folded(const std::vector<double>& slopes)
{
    TriMesh mesh;
    Vec3 at = Vec3::Zero();
    for (std::size_t i = 0; i <= slopes.size(); ++i) {
        for (int z = 0; z <= 3; ++z)
            mesh.vertices.push_back(at + z / 3.0 * Vec3::UnitZ());
        if (i < slopes.size())
            at += Vec3(std::cos(slopes[i]), std::sin(slopes[i]), 0);
    }
    for (int i = 0; i < static_cast<int>(slopes.size()); ++i)
        for (int z = 0; z < 3; ++z) {
            const int a = 4 * i + z, b = a + 4;
            mesh.triangles.push_back({a, a + 1, b + 1});
            mesh.triangles.push_back({a, b + 1, b});
        }
    return mesh;
}

TEST(SmoothPatches, EndWhereAFlatPartOfWhatKeepsItsShapeDoes)
{
    constexpr double degree = std::numbers::pi / 180;
    for (const double fold : {2.0, 10.0, 39.0, -2.0, -10.0, -39.0}) {
        const double a = fold * degree;
        SCOPED_TRACE(fold);
        EXPECT_EQ(count(rigid_patches(folded({0, a}))), 2);
        EXPECT_EQ(count(rigid_patches(folded({0, 0, a, a}))), 2);
        EXPECT_EQ(count(rigid_patches(folded({0, a, 0}))), 3);
        EXPECT_EQ(count(SmoothPatches(folded({0, a}))), 1);
    }
    EXPECT_EQ(count(rigid_patches(folded({0, 0.9 * degree}))), 1);
}

TEST(SmoothPatches, OfWhatIsRoundAreWholeWhetherItBendsOrNot)
{
    // strips of coarser tori fold by more than 25 degrees, and of many others one is level all round
    for (const auto& [round, resolution] :
        {std::pair(Primitive(Sphere{0.5}), 0.1), {Sphere{0.5}, 0.2}, {Torus{0.5, 0.2}, 0.05}})
        EXPECT_EQ(count(rigid_patches(triangulate(round, resolution))), 1) << resolution;
    const auto patches_of_arc = [](double turn) {
        return count(rigid_patches(folded({0, turn, 2 * turn, 3 * turn, 4 * turn})));
    };
    constexpr double degree = std::numbers::pi / 180;
    for (const double up : {1.0, -1.0}) {
        EXPECT_EQ(patches_of_arc(up * 10 * degree), 1);
        EXPECT_EQ(patches_of_arc(up * 24 * degree), 1);
        EXPECT_EQ(patches_of_arc(up * 26 * degree), 5);
    }
}

/// An arc of as many strips as given, 10 degrees a strip, with level parts of this length before it and after it.
TriMesh arc_between(int strips, double length)
{
    Corners section = {{-length, 0}};
    Vec3 at = Vec3::Zero();
    for (int i = 0; i <= strips; ++i) {
        section.push_back({at.x(), at.y()});
        const double turn = (i + 0.5) * 10 * std::numbers::pi / 180;
        at += Vec3(std::cos(turn), std::sin(turn), 0);
    }
    const double last = strips * 10 * std::numbers::pi / 180;
    const auto& [x, y] = section.back();
    section.push_back({x + length * std::cos(last), y + length * std::sin(last)});
    section.push_back({section.back()[0], section.back()[1] + 20}); // walls and a roof: closed, and concave here
    section.push_back({-length, section.back()[1]});
    for (auto& corner : section)
        corner[1] = -corner[1];
    std::reverse(section.begin(), section.end());
    return extruded(section, 3);
}

TEST(SmoothPatches, EndWhereWhatIsLevelIsWideBesideStripsOfAnArc)
{
    const int others = count(SmoothPatches(arc_between(5, 1))); // roof, walls and ends
    EXPECT_EQ(count(rigid_patches(arc_between(5, 1))), others);
    EXPECT_EQ(count(rigid_patches(arc_between(5, 2.9))), others);
    EXPECT_EQ(count(rigid_patches(arc_between(5, 3.2))), others + 2);
}

int facets_with_focus_within(const SmoothPatches& patches, double depth)
{
    int count = 0;
    for (std::size_t f = 0; f < patches.facets.size(); ++f)
        for (int k = 0; k < 3; ++k)
            if (!patches.is_before_focus(static_cast<int>(f), patches.x, Vec3::Unit(k), depth)) {
                ++count;
                break;
            }
    return count;
}

TEST(SmoothPatches, NormalsDoNotMeetWithinTheDepthAskedFor)
{
    int drawn = 0;
    for (unsigned seed = 1; seed <= 10; ++seed) {
        SmoothPatches patches(bumpy_ball(seed));
        const std::vector<Vec3> before = patches.normals;
        const double depth = 3 * patches.edge_length;
        drawn += facets_with_focus_within(patches, depth);
        patches.update(patches.x, depth);
        EXPECT_EQ(facets_with_focus_within(patches, depth), 0) << "seed " << seed;
        for (const Vec3& n : patches.normals)
            EXPECT_NEAR(n.norm(), 1, 1e-14);
        patches.update(patches.x, 1e-4);
        EXPECT_EQ(patches.normals, before) << "where they meet farther away they stay";
    }
    EXPECT_GT(drawn, 3);
}

TEST(SmoothPatches, FocusOfABallIsItsCentre)
{
    const TriMesh ball = triangulate(Sphere{0.3}, 0.1);
    const SmoothPatches patches(ball);
    for (std::size_t f = 0; f < patches.facets.size(); ++f) {
        const int facet = static_cast<int>(f);
        EXPECT_TRUE(patches.is_before_focus(facet, patches.x, Vec3::Constant(1.0 / 3), 0.3 * (1 - 1e-3)));
        for (const double d : {0.3 * (1 + 1e-3), 0.31, 0.6, 5.0})
            EXPECT_FALSE(patches.is_before_focus(facet, patches.x, Vec3::Constant(1.0 / 3), d)) << d;
    }
}

} // namespace
} // namespace stickslip::smooth_patches_test
