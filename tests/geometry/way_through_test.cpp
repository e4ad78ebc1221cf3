#include "stickslip/geometry/queries/way_through.h"

#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/geometry/mesh/tet_shapes.h"
#include "stickslip/geometry/queries/tet_search.h"

#include <gtest/gtest.h>

#include <random>

namespace stickslip::way_through_test {
namespace {

TEST(WayThrough, ChordOfABallAndAlongEdges)
{
    EXPECT_DOUBLE_EQ(chord(Vec3(2, 2, 2), Vec3(1, -2, 3)), 2);
    EXPECT_DOUBLE_EQ(chord(Vec3(0.01, 3, 4), Vec3(-5, 0, 0)), 0.01);
    EXPECT_DOUBLE_EQ(chord(Vec3(0.01, 3, 4), Vec3(0, 0, 1)), 4);
    EXPECT_EQ(chord(Vec3::Constant(infinity), Vec3(1, 1, 0)), infinity);
}

TEST(WayThrough, ApproachIsThePartAlongTheNormal)
{
    const LevelSet floor = Box{Vec3(2, 1, 2)}; // its face at 0.5
    const auto near = [&](const Vec3& from, const Vec3& way, double reach) {
        return approach(floor, 0.1, from, way, reach);
    };
    EXPECT_TRUE(near(Vec3(0, 1, 0), Vec3(0.3, -0.45, 0), 1).isApprox(Vec3(0, -0.45, 0)));
    EXPECT_EQ(near(Vec3(0, 1, 0), Vec3(0.03, -0.04, 0), 9), Vec3::Zero()); // 0.36 of 0.4 down
    EXPECT_TRUE(near(Vec3(0, 1, 0), Vec3(0.03, -0.04, 0), 11).isApprox(Vec3(0, -0.04, 0)));
    EXPECT_EQ(near(Vec3(0, 0.6, 0), Vec3(0.5, 0, 0), 1), Vec3::Zero()); // along the face
    EXPECT_EQ(near(Vec3(0, 0.55, 0), Vec3(0, 0.5, 0), 1), Vec3::Zero()); // leaves
    EXPECT_EQ(near(Vec3(0, 3, 0), Vec3(5, 0, 0), 100), Vec3::Zero()); // passes by
    const LevelSet ring = Torus{0.5, 0.1};
    EXPECT_EQ(approach(ring, 0.1, Vec3(0, -1, 0), Vec3(0, 2, 0), 1), Vec3::Zero()); // through its hole
    EXPECT_TRUE(approach(ring, 0.1, Vec3(0.5, -1, 0), Vec3(0, 2, 0), 1).isApprox(Vec3(0, 2, 0)));
    EXPECT_TRUE(approach(ring, 0.1, Vec3(0, 0, 0), Vec3(2, 0, 0), 1).isApprox(Vec3(2, 0, 0)));
}

TEST(WayThrough, FromOneFaceToTheOppositeOneHoweverFar)
{
    const LevelSet wall = Box{Vec3(0.01, 2, 2)};
    for (const double far : {0.006, 0.1, 10.0, 1e4})
        EXPECT_TRUE(goes_through(wall, Vec3(-far, 0.3, 0), Vec3(far, -0.3, 0.1))) << far;
}

TEST(WayThrough, NotBesideNotAlongNotOverACornerNotOutAgain)
{
    const LevelSet box = Box{Vec3(1, 1, 1)};
    EXPECT_FALSE(goes_through(box, Vec3(-2, 0.6, 0), Vec3(2, 0.6, 0))); // beside
    EXPECT_FALSE(goes_through(box, Vec3(-2, 0.5 + 1e-9, 0), Vec3(2, 0.5 + 1e-9, 0))); // along
    EXPECT_FALSE(goes_through(box, Vec3(0.2, 0.6, 0), Vec3(0.6, 0.2, 0))); // over an edge
    EXPECT_FALSE(goes_through(box, Vec3(-2, 0, 0), Vec3(0, 0, 0))); // stays inside
    EXPECT_FALSE(goes_through(box, Vec3(0, 0, 0), Vec3(2, 0, 0))); // was inside
    EXPECT_FALSE(goes_through(box, Vec3(-2, 0, 0), Vec3(-1, 0, 0))); // stays before it
    EXPECT_FALSE(goes_through(Plane{}, Vec3(0, 1, 0), Vec3(0, -1, 0))); // has no other side
}

TEST(WayThrough, AHoleIsNoMatter)
{
    const LevelSet ring = Torus{0.5, 0.1};
    EXPECT_FALSE(goes_through(ring, Vec3(0, -1, 0), Vec3(0, 1, 0)));
    EXPECT_TRUE(goes_through(ring, Vec3(0.5, -1, 0), Vec3(0.5, 1, 0)));
    EXPECT_LT(signed_distance(ring, place_within(ring)), -0.025); // not its middle
}

TEST(WayThrough, OfABallWhateverTheWayIffDeepEnough)
{
    const LevelSet ball = Sphere{0.5};
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 200; ++i) {
        const Vec3 way = Vec3(normal(random), normal(random), normal(random)).normalized();
        const Vec3 aside = way.cross(Vec3(normal(random), normal(random), normal(random))).normalized();
        for (const double off : {0.0, 0.2, 0.3}) // normals turn by a right angle at 0.35
            EXPECT_TRUE(goes_through(ball, off * aside - way, off * aside + way)) << off;
        for (const double off : {0.37, 0.49, 0.6})
            EXPECT_FALSE(goes_through(ball, off * aside - way, off * aside + way)) << off;
    }
}

TEST(WayThrough, OfAClosedSurface)
{
    const TriMesh box = triangulate(Box{Vec3(1, 0.2, 1)}, 0.25);
    const ClosedSurface surface{box.triangles, box.vertices};
    EXPECT_TRUE(goes_through(surface, 0.05, Vec3(0.11, 1, 0.07), Vec3(0.13, -1, 0.06)));
    EXPECT_FALSE(goes_through(surface, 0.05, Vec3(0.11, 1, 0.07), Vec3(0.13, 0, 0.06))); // ends inside
    EXPECT_FALSE(goes_through(surface, 0.05, Vec3(0.9, 1, 0.07), Vec3(0.8, -1, 0.06))); // beside
    EXPECT_FALSE(goes_through(surface, 0.05, Vec3(0.45, 0.14, 0.07), Vec3(0.55, 0.04, 0.06))); // over an edge
}

TEST(WayThrough, OfASurfaceOfTwoSidesWhateverItsWinding)
{
    TriMesh mesh = triangulate(Box{Vec3(1, 0.2, 1)}, 0.25);
    for (int turned = 0; turned < 3; ++turned) { // none, some, others
        const TriangulatedSurface plate(mesh, EdgeRule::smooth);
        EXPECT_TRUE(goes_through(plate, Vec3(0.11, 1, 0.07), Vec3(0.13, -1, 0.06))) << turned;
        EXPECT_TRUE(goes_through(plate, Vec3(0.125, 1, 0.125), Vec3(0.125, -1, 0.125))) << turned; // by edges
        EXPECT_TRUE(goes_through(plate, Vec3(0.11, 1, 0.07), Vec3(0.13, 0, 0.06))) << turned; // to the other side
        EXPECT_FALSE(goes_through(plate, Vec3(0.9, 1, 0.07), Vec3(0.8, -1, 0.06))) << turned; // beside
        EXPECT_FALSE(goes_through(plate, Vec3(0.45, 0.14, 0.07), Vec3(0.55, 0.04, 0.06))) << turned; // over an edge
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
            if (t % 3 == 0 || turned == 1)
                std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
    }
}

TEST(TetSearch, HoldsWhatABoxHoldsWhereverItIs)
{
    const TetMesh mesh = tetrahedralize(Box{Vec3(1, 0.5, 0.25)}, 0.125);
    std::vector<Vec3> nodes = mesh.nodes;
    TetSearch search(mesh.tets);
    std::mt19937 random(2);
    std::uniform_real_distribution<double> place(-0.7, 0.7);
    for (const Vec3& shift : {Vec3(0, 0, 0), Vec3(3, -1, 0.2)}) {
        for (std::size_t i = 0; i < nodes.size(); ++i)
            nodes[i] = mesh.nodes[i] + shift;
        search.place(nodes);
        for (int i = 0; i < 2000; ++i) {
            const Vec3 x(place(random), place(random), place(random));
            const bool inside = (x.cwiseAbs().array() < Vec3(0.5, 0.25, 0.125).array()).all();
            EXPECT_EQ(search.contains(x + shift), inside) << x.transpose();
        }
    }
}

} // namespace
} // namespace stickslip::way_through_test
