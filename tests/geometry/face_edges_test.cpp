#include "stickslip/geometry/solids/face_edges.h"

#include "stickslip/geometry/solids/convex_polyhedron.h"
#include "support/extruded.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace stickslip::face_edges_test {
namespace {

const Corners angle_section{{0, 0}, {1, 0}, {1, 0.2}, {0.2, 0.2}, {0.2, 1}, {0, 1}};

std::size_t lines_of(const std::vector<FaceEdge>& edges)
{
    std::set<int> lines;
    for (const FaceEdge& e : edges)
        lines.insert(e.line);
    return lines.size();
}

// An angle has 18 edges: 17 at which it bends away, seen from both faces, and one in its inner corner.
TEST(FaceEdges, ThoseOfAnAngleAreOuterButOne)
{
    const FaceEdges edges = face_edges(extruded(angle_section, 0.5));
    EXPECT_EQ(edges.outer.size(), 34u);
    ASSERT_EQ(edges.inner.size(), 1u);
    EXPECT_NEAR(edges.inner[0].sine, std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(std::abs(edges.inner[0].n.x()), std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(edges.inner[0].n.x(), -edges.inner[0].n.y(), 1e-12);
    for (const FaceEdge& e : edges.outer) {
        EXPECT_NEAR(e.n.dot(e.out), 0, 1e-12);
        EXPECT_NEAR(e.out.dot(e.b - e.a), 0, 1e-12);
        EXPECT_EQ(e.fold, 1);
    }
}

TEST(FaceEdges, FinerTrianglesMakeNoMoreLines)
{
    TriMesh mesh = extruded(angle_section, 0.5);
    const std::size_t lines = lines_of(face_edges(mesh).outer);
    EXPECT_EQ(lines, 34u);
    for (const int times : {1, 2}) {
        mesh = refined(mesh);
        const FaceEdges edges = face_edges(mesh);
        EXPECT_EQ(edges.outer.size(), (34u << times));
        EXPECT_EQ(lines_of(edges.outer), lines);
    }
    EXPECT_TRUE(face_edges(mesh, 100).outer.empty());
}

TEST(FaceEdges, ShallowFoldsAreMeasured)
{
    EXPECT_NEAR(fold_between(Vec3::UnitY(), Vec3(std::sin(0.01), std::cos(0.01), 0)), std::sin(0.01), 1e-15);
    EXPECT_EQ(fold_between(Vec3::UnitY(), Vec3::UnitX()), 1);
    EXPECT_EQ(fold_between(Vec3::UnitY(), -Vec3::UnitY()), 1);
    const auto prism = ConvexPolyhedron::from_mesh(extruded({{0, 0}, {2, 0}, {1, 0.01}}, 0.5));
    ASSERT_NE(prism, nullptr);
    int shallow = 0;
    for (const FaceEdge& e : prism->edges())
        shallow += e.fold < 0.1;
    EXPECT_EQ(shallow, 2); // both sides of the ridge
}

} // namespace
} // namespace stickslip::face_edges_test
