#include "stickslip/render/vertex_list.h"

#include "stickslip/geometry/mesh/surface_shapes.h"

#include <gtest/gtest.h>

#include <set>

namespace stickslip::vertex_list_test {
namespace {

DrawnMesh ball(double radius, double edge)
{
    const TriMesh mesh = triangulate(Sphere{radius}, edge);
    DrawnMesh drawn;
    for (const Vec3& x : mesh.vertices) {
        drawn.positions.push_back(x.cast<float>());
        drawn.normals.push_back(x.normalized().cast<float>());
        drawn.colours.push_back(Colour(1, 0, 0));
    }
    drawn.triangles = mesh.triangles;
    return drawn;
}

TEST(CoarseTriangles, AreFewAndLeaveNoVertexFarFromTheirs)
{
    const DrawnMesh mesh = ball(1, 0.03);
    const double cell = 0.1;
    const std::vector<Triangle> coarse = coarse_triangles(mesh, cell);
    EXPECT_LT(coarse.size(), mesh.triangles.size() / 4);
    std::set<int> used;
    for (const Triangle& t : coarse) {
        EXPECT_TRUE(t[0] != t[1] && t[1] != t[2] && t[2] != t[0]);
        used.insert(t.begin(), t.end());
    }
    for (const Eigen::Vector3f& x : mesh.positions) {
        float nearest = 1e9f;
        for (const int vertex : used)
            nearest = std::min(nearest, (mesh.positions[vertex] - x).norm());
        EXPECT_LE(nearest, 1.01 * std::sqrt(3) * cell);
    }
}

TEST(CoarseTriangles, LeaveSmallMeshesAsTheyAre)
{
    const DrawnMesh mesh = ball(0.1, 0.03);
    EXPECT_EQ(coarse_triangles(mesh, 0.1), mesh.triangles);
    EXPECT_NE(coarse_triangles(mesh, 0.05), mesh.triangles);
    EXPECT_TRUE(coarse_triangles(DrawnMesh(), 0.05).empty());
}

TEST(VertexList, CountsVerticesOnFromMeshToMesh)
{
    const DrawnMesh mesh = ball(1, 0.5);
    const int count = static_cast<int>(mesh.positions.size());
    VertexList list;
    append(list, mesh);
    append_with_shadows(list, mesh, 1e-3, 1e-3);
    ASSERT_EQ(list.numbers.size(), 2 * mesh_numbers * mesh.positions.size());
    ASSERT_EQ(list.triangles.size(), 2 * mesh.triangles.size());
    ASSERT_EQ(list.for_lamp.size(), mesh.triangles.size()); // the first throws none
    EXPECT_EQ(list.for_sky, list.for_lamp);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Triangle& own = mesh.triangles[t];
        const Triangle second = {own[0] + count, own[1] + count, own[2] + count};
        EXPECT_EQ(list.triangles[t], own);
        EXPECT_EQ(list.triangles[mesh.triangles.size() + t], second);
        EXPECT_EQ(list.for_lamp[t], second);
    }
}

TEST(VertexList, SortsTheFarthestFirst)
{
    VertexList list;
    append(list, ball(1, 0.5));
    const Eigen::Vector3f eye(3, 2, 1);
    sort_by_distance(list, eye);
    const auto distance = [&](const Triangle& t) {
        Eigen::Vector3f middle = Eigen::Vector3f::Zero();
        for (const int vertex : t)
            middle += Eigen::Vector3f::Map(list.numbers.data() + mesh_numbers * static_cast<std::size_t>(vertex)) / 3;
        return (middle - eye).norm();
    };
    for (std::size_t t = 1; t < list.triangles.size(); ++t)
        EXPECT_LE(distance(list.triangles[t]), distance(list.triangles[t - 1]) + 1e-6f);
}

TEST(VertexList, HasASquareForEachBallAndHalfOfItForItsShadow)
{
    const VertexList list = squares_around({{{1, 2, 3}, 0.5f, Colour(1, 0, 0)}, {{4, 5, 6}, 0.7f, Colour(0, 1, 0)}});
    ASSERT_EQ(list.numbers.size(), 8 * ball_numbers);
    EXPECT_EQ(list.numbers[4 * ball_numbers + 3], 0.7f);
    EXPECT_EQ(list.triangles.size(), 4u);
    ASSERT_EQ(list.for_lamp.size(), 2u);
    for (const Triangle& t : list.for_lamp)
        for (int corner = 0; corner < 3; ++corner)
            EXPECT_EQ(t[corner] % 4, corner); // by which the shader knows it
}

} // namespace
} // namespace stickslip::vertex_list_test
