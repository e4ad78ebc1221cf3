// Which edges of a surface are sharp, and where they go on.
#include "stickslip/bodies/deformable.h"
#include "stickslip/contact/edges/surface_edges.h"
#include "stickslip/geometry/mesh/both_sides.h"
#include "stickslip/geometry/queries/triangulated_surface.h"

#include "support/boxes.h"
#include "support/extruded.h"

#include <numbers>

namespace stickslip::surface_edges_test {
namespace {

TEST(SurfaceEdges, OfACubeAreItsTwelve)
{
    const DeformableSet set = [] {
        DeformableSet s;
        add_deformable(s, "cube", cube_mesh(0.3, 3), make_material(ElasticModel::neo_hookean, 1000, 1e5, 0.3, 0));
        finish(s);
        return s;
    }();
    const SmoothPatches patches({set.rest, set.triangles});
    const std::vector<SurfaceEdge> edges = convex_creases(patches, false);
    ASSERT_EQ(edges.size(), 36u); // three each
    int ends = 0;
    for (const SurfaceEdge& e : edges) {
        EXPECT_NEAR((set.rest[e.ends[1]] - set.rest[e.ends[0]]).norm(), 0.1, 1e-12);
        EXPECT_DOUBLE_EQ(e.sharpness, 1);
        const Vec3& out = set.rest[e.ends[0]]; // from the centre
        for (const Vec3& g : e.g)
            EXPECT_NEAR(out.dot(g), 0.15, 1e-12);
        ends += !e.goes_on(0) + !e.goes_on(1);
    }
    EXPECT_EQ(ends, 24);
    const auto box = convex_features(Box{Vec3(0.1, 0.2, 0.3)});
    EXPECT_EQ(convex_creases(*box).size(), 12u);
}

TEST(SurfaceEdges, FadeWhereTheFoldIsBlunt)
{
    const auto sharpness = [](double fold, bool keeps_shape, double SurfaceEdge::*kind) {
        const double y = 0.1 * std::tan(0.5 * fold);
        const SmoothPatches patches(extruded({{0, y}, {-0.1, 0}, {0.1, 0}}, 0.3));
        for (const SurfaceEdge& e : convex_creases(patches, keeps_shape)) {
            const Vec3 at = 0.5 * (patches.x[e.ends[0]] + patches.x[e.ends[1]]);
            if (std::abs(at.x()) < 1e-9 && std::abs(at.z()) < 1e-9)
                return e.*kind;
        }
        return 0.0;
    };
    constexpr double degree = std::numbers::pi / 180;
    const auto alone = &SurfaceEdge::sharpness, against_sharp = &SurfaceEdge::against_sharp,
               against_long = &SurfaceEdge::against_long;
    EXPECT_EQ(sharpness(39 * degree, false, alone), 0);
    EXPECT_LT(sharpness(41 * degree, false, alone), 0.01);
    EXPECT_NEAR(sharpness(50 * degree, false, alone), 0.5, 1e-9);
    EXPECT_EQ(sharpness(61 * degree, false, alone), 1);
    EXPECT_EQ(sharpness(39 * degree, false, against_long), 0);
    EXPECT_EQ(sharpness(14 * degree, true, against_sharp), 0);
    EXPECT_NEAR(sharpness(18.5 * degree, true, against_sharp), 0.5, 1e-9);
    EXPECT_EQ(sharpness(23 * degree, true, against_sharp), 1);
    EXPECT_EQ(sharpness(0.9 * degree, true, against_long), 0);
    EXPECT_NEAR(sharpness(2 * degree, true, against_long), 0.5, 1e-9);
    EXPECT_EQ(sharpness(3.1 * degree, true, against_long), 1);
}

// Of a prism with sixteen sides; the sides meet at 22.5 degrees.
TEST(SurfaceEdges, OfARimGoOnPastBlunterOnes)
{
    Corners section;
    for (int i = 0; i < 16; ++i)
        section.push_back({0.1 * std::cos(i * std::numbers::pi / 8), 0.1 * std::sin(i * std::numbers::pi / 8)});
    const SmoothPatches patches(extruded(section, 0.3));
    EXPECT_EQ(convex_creases(patches, false).size(), 32u);
    int of_rims = 0, of_sides = 0;
    for (const SurfaceEdge& e : convex_creases(patches, true)) {
        const bool is_of_side = std::abs((patches.x[e.ends[1]] - patches.x[e.ends[0]]).z()) > 0.1;
        EXPECT_EQ(e.sharpness, !is_of_side);
        EXPECT_EQ(e.against_sharp, 1);
        for (const int end : {0, 1})
            EXPECT_EQ(e.goes_on(end), !is_of_side);
        ++(is_of_side ? of_sides : of_rims);
    }
    EXPECT_EQ(of_rims, 32);
    EXPECT_EQ(of_sides, 16);
}

/// A sheet that goes up at x < 0 and, beyond a fold at x = 0 and one at x = 1, on by these slopes.
SmoothPatches folded_sheet(double first, double second, double third)
{
    TriMesh mesh;
    const double heights[] = {-first, 0, second, second + third};
    for (int i = 0; i < 4; ++i)
        for (const double z : {0.0, 1.0})
            mesh.vertices.emplace_back(i - 1, heights[i], z);
    for (int i = 0; i < 6; i += 2)
        for (const Triangle& t : {Triangle{i, i + 1, i + 3}, Triangle{i, i + 3, i + 2}})
            mesh.triangles.push_back(t);
    return SmoothPatches(both_sides(TriangulatedSurface(mesh, EdgeRule::smooth).topology));
}

TEST(SurfaceEdges, OfASheetAreItsRimsAndItsFoldsOnTheSideFromWhichTheyAreConvex)
{
    const SmoothPatches sides = folded_sheet(0.5, -0.5, 0.5); // a ridge and a valley
    const std::vector<SurfaceEdge> edges = folds_and_rims(sides);
    int rims = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const SurfaceEdge& e = edges[i];
        EXPECT_TRUE(i == 0 || edges[i - 1].number < e.number);
        EXPECT_EQ(e.sharpness, 1);
        if (e.g[0] == e.g[1]) {
            ++rims;
            const Vec3 &a = sides.x[e.ends[0]], &b = sides.x[e.ends[1]];
            EXPECT_NEAR(e.g[0].norm(), 1, 1e-12);
            EXPECT_NEAR(e.g[0].dot(b - a), 0, 1e-12);
            EXPECT_GT(e.g[0].dot(0.5 * (a + b) - Vec3(0.5, 0, 0.5)), 0.4) << "out of the sheet";
            continue;
        }
        const double x = sides.x[e.ends[0]].x();
        for (const Vec3& g : e.g) // away from the facets: up at the ridge, down at the valley
            EXPECT_GT((x < 0.5 ? 1 : -1) * g.y(), 0.4);
    }
    EXPECT_EQ(rims, 8);
    EXPECT_EQ(edges.size(), 10u);
}

TEST(SurfaceEdges, OfASheetFadeBelowThreeDegrees)
{
    constexpr double degree = std::numbers::pi / 180;
    const auto folds = [&](double fold) {
        double sharpness = 0;
        for (const SurfaceEdge& e : folds_and_rims(folded_sheet(0, -std::tan(fold), -std::tan(fold))))
            if (e.g[0] != e.g[1])
                sharpness = e.sharpness;
        return sharpness;
    };
    EXPECT_EQ(folds(0.9 * degree), 0);
    EXPECT_NEAR(folds(2 * degree), 0.5, 1e-9);
    EXPECT_NEAR(folds(3.1 * degree), 1, 1e-12);
}

} // namespace
} // namespace stickslip::surface_edges_test
