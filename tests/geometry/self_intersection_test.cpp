#include "stickslip/geometry/mesh/self_intersection.h"

#include "geometry/closed_meshes.h"
#include "stickslip/geometry/mesh/surface_shapes.h"

#include <gtest/gtest.h>

namespace stickslip::self_intersection_test {
namespace {

TriMesh joined(TriMesh mesh, const TriMesh& other, const Vec3& by)
{
    const int first = static_cast<int>(mesh.vertices.size());
    for (const Vec3& x : other.vertices)
        mesh.vertices.push_back(x + by);
    for (const Triangle& t : other.triangles)
        mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    return mesh;
}

TEST(FindCrossings, ShapesHaveNone)
{
    for (const Primitive& shape : {Primitive(Box{{1, 2, 3}}), Primitive(Sphere{1}), Primitive(Cylinder{0.5, 1}),
             Primitive(Capsule{0.5, 1}), Primitive(Torus{1, 0.3})})
        EXPECT_TRUE(find_crossings(triangulate(shape, 0.1)).empty());
    EXPECT_TRUE(find_crossings(spiky_mesh(4)).empty());
}

TEST(FindCrossings, NamesTheTriangles)
{
    TriMesh needle{.vertices = {{0.2, 0.1, -1}, {0.3, 0.1, -1}, {0.2, 0.2, -1}, {0.22, 0.13, 1}},
        .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
    const TriMesh plate{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 0.1}},
        .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
    const auto defects = find_crossings(joined(plate, needle, Vec3::Zero()));
    ASSERT_EQ(defects.size(), 1u);
    EXPECT_EQ(defects[0].kind, MeshDefectKind::crossing);
    EXPECT_NE(defects[0].text.find("intersecting triangles"), std::string::npos) << defects[0].text;
    EXPECT_NE(defects[0].text.find("triangle 0 and 5"), std::string::npos) << defects[0].text;
}

TEST(FindCrossings, FindsAVertexPushedThroughTheFarSide)
{
    TriMesh mesh = sphere_mesh(1, 3);
    mesh.vertices[0] = Vec3(-1.2, 0.05, 0.03); // neighbours share a vertex with what it cuts
    EXPECT_FALSE(find_crossings(mesh).empty());
}

TEST(FindCrossings, TouchingIsNoCrossing)
{
    const TriMesh cube = cube_mesh(1);
    EXPECT_TRUE(find_crossings(joined(cube, cube, Vec3(1, 0, 0))).empty()); // face on face
    EXPECT_TRUE(find_crossings(joined(cube, cube, Vec3(1, 0.3, 0.2))).empty());
    EXPECT_TRUE(find_crossings(joined(cube, cube, Vec3(1 - 1e-12, 0.3, 0.2))).empty()); // by round-off
    EXPECT_FALSE(find_crossings(joined(cube, cube, Vec3(1 - 1e-6, 0.3, 0.2))).empty());
}

TriMesh stretched(TriMesh mesh, const Vec3& by)
{
    for (Vec3& x : mesh.vertices)
        x = x.cwiseProduct(by);
    return mesh;
}

TriMesh inverted(TriMesh mesh)
{
    for (Triangle& t : mesh.triangles)
        std::swap(t[1], t[2]);
    return mesh;
}

std::string complaint(const TriMesh& mesh)
{
    const std::vector<MeshDefect> found = find_solid_defects(mesh);
    return found.empty() ? "" : found.front().text;
}

TEST(FindCrossings, FindsEdgesThatMeetEdgesExactly)
{
    // Two square bars in one another like a plus sign, flush on two sides: along the seams, edges of one meet edges of
    // the other, and diagonals meet diagonals in one point.
    const TriMesh bar = stretched(cube_mesh(1), Vec3(3, 1, 1)), across = stretched(cube_mesh(1), Vec3(1, 3, 1));
    EXPECT_NE(complaint(joined(bar, across, Vec3::Zero())).find("intersecting triangles"), std::string::npos);
    // Two octahedra a quarter of their width apart, the square edges of both in one plane.
    const TriMesh octahedron = star_mesh(0, [](const Vec3&, std::size_t) { return 1.0; });
    for (const Vec3& by : {Vec3(0.5, 0, 0), Vec3(0.5, 0.5, 0), Vec3(1, 0, 0), Vec3(0, 0, 1.5)})
        EXPECT_NE(complaint(joined(octahedron, octahedron, by)), "") << by.transpose();
}

TEST(FindOverlaps, FindsAShellGivenTwice)
{
    for (const TriMesh& mesh : {cube_mesh(1), sphere_mesh(1, 2), torus_mesh(1, 0.3, 20, 10)}) {
        const TriMesh twice = joined(mesh, mesh, Vec3::Zero());
        EXPECT_TRUE(find_crossings(twice).empty());
        const auto defects = find_overlaps(twice);
        ASSERT_EQ(defects.size(), 1u);
        EXPECT_EQ(defects[0].kind, MeshDefectKind::enclosed_twice);
        EXPECT_EQ(defects[0].elements.size(), twice.triangles.size()); // all of them
        EXPECT_NE(defects[0].text.find("triangle 0, triangle 1"), std::string::npos) << defects[0].text;
    }
}

TEST(FindOverlaps, FindsAShellGivenNearlyTwice)
{
    for (const double slight : {1e-12, 1e-6, 1e-2}) {
        for (const TriMesh& mesh : {cube_mesh(1), sphere_mesh(1, 2)}) {
            EXPECT_NE(complaint(joined(mesh, stretched(mesh, Vec3::Constant(1 - slight)), Vec3::Zero())), "")
                << slight; // one within the other
            EXPECT_NE(complaint(joined(mesh, mesh, slight * Vec3(1, 0.3, 0.2))), "") << slight;
            EXPECT_NE(complaint(joined(mesh, mesh, slight * Vec3(1, 0, 0))), "") << slight;
        }
    }
}

TEST(FindOverlaps, FindsPartsThatOverlapFlush)
{
    const TriMesh cube = cube_mesh(1);
    for (const Vec3& by : {Vec3(0.5, 0, 0), Vec3(0.25, 0, 0), Vec3(0, 0.5, 0.5), Vec3(0.5, 0.5, 0.5)})
        EXPECT_NE(complaint(joined(cube, cube, by)), "") << by.transpose();
    EXPECT_NE(complaint(joined(cube, cube_mesh(0.5), Vec3(0.25, 0.25, 0.25))), ""); // in a corner, flush with it
}

TEST(FindOverlaps, PartsApartTouchingOrHollowAreGood)
{
    const TriMesh cube = cube_mesh(1);
    for (const Vec3& by : {Vec3(1, 0, 0), Vec3(1, 0.3, 0.2), Vec3(1 - 1e-12, 0.3, 0.2), Vec3(1, 1, 0), Vec3(1, 1, 1),
             Vec3(2, 0, 0), Vec3(1 + 1e-12, 0, 0)})
        EXPECT_EQ(complaint(joined(cube, cube, by)), "") << by.transpose();
    EXPECT_EQ(complaint(joined(cube, inverted(cube_mesh(0.5)), Vec3::Zero())), "");
    EXPECT_EQ(complaint(joined(cube, inverted(cube_mesh(1 - 1e-6)), Vec3::Zero())), ""); // a thin wall
    const TriMesh ball_in_hollow =
        joined(joined(cube, inverted(cube_mesh(0.5)), Vec3::Zero()), sphere_mesh(0.2, 2), Vec3::Zero());
    EXPECT_EQ(complaint(ball_in_hollow), "");
    EXPECT_EQ(complaint(spiky_mesh(4)), "");
}

TEST(FindOverlaps, FindsAPartInsideOut)
{
    const auto defects = find_overlaps(joined(cube_mesh(1), inverted(cube_mesh(0.5)), Vec3(3, 0, 0)));
    ASSERT_EQ(defects.size(), 1u);
    EXPECT_EQ(defects[0].kind, MeshDefectKind::inside_out);
    EXPECT_EQ(defects[0].elements.size(), 12u);
    EXPECT_EQ(defects[0].elements.front(), 12);
    EXPECT_NE(complaint(joined(cube_mesh(1), inverted(cube_mesh(0.5)), Vec3(0.25, 0.25, 0.75))), ""); // on a face
    EXPECT_NE(complaint(inverted(cube_mesh(1))).find("all 12 clockwise"), std::string::npos);
}

} // namespace
} // namespace stickslip::self_intersection_test
