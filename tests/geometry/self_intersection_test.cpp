#include "stickslip/geometry/self_intersection.h"

#include "geometry/closed_meshes.h"
#include "stickslip/geometry/surface_shapes.h"

#include <gtest/gtest.h>

namespace stickslip {
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
    EXPECT_NE(defects[0].text.find("triangles that cut through one another"), std::string::npos) << defects[0].text;
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

} // namespace
} // namespace stickslip
