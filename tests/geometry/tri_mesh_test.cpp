#include "stickslip/geometry/mesh/tri_mesh.h"

#include <gtest/gtest.h>

namespace stickslip::tri_mesh_test {
namespace {

TriMesh tetrahedron()
{
    return {.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

void expect_only(const TriMesh& mesh, MeshDefectKind kind, const std::vector<int>& elements, const std::string& words)
{
    const auto defects = find_defects(mesh);
    ASSERT_EQ(defects.size(), 1u);
    EXPECT_EQ(defects[0].kind, kind);
    EXPECT_EQ(defects[0].elements, elements);
    EXPECT_NE(defects[0].text.find(words), std::string::npos) << defects[0].text;
}

TEST(TriDefects, AClosedSurfaceHasNone)
{
    EXPECT_TRUE(find_defects(tetrahedron()).empty());
    EXPECT_TRUE(is_closed(tetrahedron().triangles));
}

TEST(TriDefects, NamesOpenEdges)
{
    TriMesh m = tetrahedron();
    m.triangles.pop_back();
    EXPECT_FALSE(is_closed(m.triangles));
    expect_only(m, MeshDefectKind::open_edge, {0, 1, 2}, "edge 1-2 of triangle 0");
}

TEST(TriDefects, NamesATriangleThatFacesInward)
{
    TriMesh m = tetrahedron();
    std::swap(m.triangles[3][0], m.triangles[3][1]);
    EXPECT_FALSE(is_closed(m.triangles));
    expect_only(m, MeshDefectKind::misoriented_edge, {0, 1, 2, 3}, "edge 1-2 of triangle 0 3");
}

TEST(TriDefects, NamesEdgesOfThreeTriangles)
{
    TriMesh m = tetrahedron();
    m.vertices.emplace_back(1, 1, 1);
    m.triangles.push_back({1, 2, 4});
    const auto defects = find_defects(m);
    ASSERT_EQ(defects.size(), 2u); // and the two other sides of the fin are open
    EXPECT_EQ(defects[0].kind, MeshDefectKind::open_edge);
    EXPECT_EQ(defects[1].kind, MeshDefectKind::overfull_edge);
    EXPECT_EQ(defects[1].elements, (std::vector<int>{0, 3, 4}));
    EXPECT_FALSE(is_closed(m.triangles));
}

TEST(TriDefects, NamesTrianglesWithoutArea)
{
    for (double scale : {1e-6, 1.0, 1e6}) {
        TriMesh m = tetrahedron();
        m.vertices[3] = Vec3(0.5, 1e-14, 0); // on the edge 0-1
        for (Vec3& x : m.vertices)
            x *= scale;
        expect_only(m, MeshDefectKind::flat, {1}, "triangle 1");
    }
}

TEST(TriDefects, NamesBadNumbers)
{
    TriMesh m = tetrahedron();
    m.vertices[2][0] = nan;
    expect_only(m, MeshDefectKind::not_finite, {2}, "vertex 2");
    for (int bad : {-1, 4, 2000000000}) {
        m = tetrahedron();
        m.triangles[1][1] = bad;
        EXPECT_EQ(find_defects(m)[0].kind, MeshDefectKind::index_out_of_range);
        EXPECT_EQ(find_defects(m)[0].elements, (std::vector<int>{1}));
    }
    m = tetrahedron();
    m.triangles.push_back({1, 1, 2});
    EXPECT_EQ(find_defects(m)[0].kind, MeshDefectKind::repeated_node);
    EXPECT_EQ(find_defects(m)[0].elements, (std::vector<int>{4}));
}

TEST(TriDefects, NothingIsNotClosed)
{
    EXPECT_TRUE(find_defects(TriMesh{}).empty());
    EXPECT_FALSE(is_closed({}));
}

TEST(EnclosedVolume, IsNegativeInsideOutAndDoesNotHangOnThePlace)
{
    TriMesh m = tetrahedron();
    EXPECT_DOUBLE_EQ(enclosed_volume(m), 1.0 / 6);
    for (Vec3& x : m.vertices)
        x += Vec3(1e6, -2e6, 3e6);
    EXPECT_NEAR(enclosed_volume(m), 1.0 / 6, 1e-9);
    for (Triangle& t : m.triangles)
        std::swap(t[0], t[1]);
    EXPECT_NEAR(enclosed_volume(m), -1.0 / 6, 1e-9);
}

TEST(TriMeshBounds, HoldAllVertices)
{
    const Bounds b = bounds({{1, 2, 3}, {-1, 5, 0}});
    EXPECT_EQ(b.min, Vec3(-1, 2, 0));
    EXPECT_EQ(b.max, Vec3(1, 5, 3));
    EXPECT_GT(bounds(std::vector<Vec3>{}).min[0], bounds(std::vector<Vec3>{}).max[0]);
}

} // namespace
} // namespace stickslip::tri_mesh_test
