#include "stickslip/geometry/mesh/tet_mesh.h"

#include "stickslip/geometry/mesh/tri_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace stickslip::tet_mesh_test {
namespace {

TetMesh single_tet()
{
    return {.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .tets = {{0, 1, 2, 3}}};
}

/// Two tetrahedra on the common face 0-1-2.
TetMesh twins()
{
    TetMesh mesh = single_tet();
    mesh.nodes.emplace_back(0, 0, -1);
    mesh.tets.push_back({0, 2, 1, 4});
    return mesh;
}

const MeshDefect* find(const std::vector<MeshDefect>& defects, MeshDefectKind kind)
{
    for (const MeshDefect& d : defects) {
        if (d.kind == kind)
            return &d;
    }
    return nullptr;
}

void expect_only(const TetMesh& mesh, MeshDefectKind kind, const std::vector<int>& elements, const std::string& words)
{
    const auto defects = find_defects(mesh);
    ASSERT_EQ(defects.size(), 1u);
    EXPECT_EQ(defects[0].kind, kind);
    EXPECT_EQ(defects[0].elements, elements);
    EXPECT_NE(defects[0].text.find(words), std::string::npos) << defects[0].text;
}

TEST(TetVolume, IsSignedAndTurnsWithTheOrder)
{
    const TetMesh m = single_tet();
    EXPECT_DOUBLE_EQ(tet_volume(m.nodes, {0, 1, 2, 3}), 1.0 / 6);
    EXPECT_DOUBLE_EQ(tet_volume(m.nodes, {0, 2, 1, 3}), -1.0 / 6);
    EXPECT_DOUBLE_EQ(total_volume(twins()), 1.0 / 3);
}

TEST(TetVolume, DoesNotChangeUnderARandomMotion)
{
    std::mt19937 generator(11);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto point = [&] { return Vec3(number(generator), number(generator), number(generator)); };
    for (int trial = 0; trial < 100; ++trial) {
        const Vec3 p[4] = {point(), point(), point(), point()};
        const Mat3 R = Quat(Eigen::AngleAxisd(3 * number(generator), point().normalized())).toRotationMatrix();
        const Vec3 x = point();
        EXPECT_NEAR(tet_volume(p[0], p[1], p[2], p[3]),
            tet_volume(R * p[0] + x, R * p[1] + x, R * p[2] + x, R * p[3] + x), 1e-14);
    }
}

TEST(BoundaryTriangles, OfOneTetrahedronAreOutward)
{
    const TetMesh m = single_tet();
    const TriMesh surface = {.vertices = m.nodes, .triangles = boundary_triangles(m.tets)};
    EXPECT_EQ(surface.triangles.size(), 4u);
    EXPECT_TRUE(is_closed(surface.triangles));
    EXPECT_DOUBLE_EQ(enclosed_volume(surface), 1.0 / 6);
}

TEST(BoundaryTriangles, LeaveOutTheCommonFace)
{
    const TetMesh m = twins();
    const TriMesh surface = {.vertices = m.nodes, .triangles = boundary_triangles(m.tets)};
    EXPECT_EQ(surface.triangles.size(), 6u);
    EXPECT_TRUE(is_closed(surface.triangles));
    EXPECT_DOUBLE_EQ(enclosed_volume(surface), 1.0 / 3);
}

TEST(BoundaryTriangles, ComeInTheOrderOfTheTetrahedra)
{
    const std::vector<Triangle> expected = {{0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {0, 2, 4}, {0, 4, 1}, {2, 1, 4}};
    EXPECT_EQ(boundary_triangles(twins().tets), expected);
}

TEST(SurfaceNodes, AreAscendingAndLeaveOutTheInside)
{
    TetMesh m = single_tet(); // split by a node in the middle
    m.nodes.emplace_back(0.2, 0.2, 0.2);
    m.tets = {{0, 1, 2, 4}, {0, 3, 1, 4}, {0, 2, 3, 4}, {1, 3, 2, 4}};
    EXPECT_EQ(surface_nodes(m.tets), (std::vector<int>{0, 1, 2, 3}));
}

TEST(TetQuality, OfARegularTetrahedronIsOne)
{
    const TetMesh m = {.nodes = {{1, 1, 1}, {1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}}, .tets = {{0, 1, 2, 3}}};
    ASSERT_GT(total_volume(m), 0);
    const TetQuality q = tet_quality(m);
    EXPECT_NEAR(q.min_ratio, 1, 1e-14);
    EXPECT_NEAR(q.mean_ratio, 1, 1e-14);
    EXPECT_NEAR(q.min_dihedral, std::acos(1.0 / 3) * 180 / M_PI, 1e-12);
    EXPECT_NEAR(q.max_dihedral, q.min_dihedral, 1e-12);
    EXPECT_NEAR(q.mean_edge, std::sqrt(8.0), 1e-14);
}

TEST(TetQuality, OfTheCornerOfACubeIsKnown)
{
    const TetQuality q = tet_quality(single_tet());
    EXPECT_NEAR(q.min_ratio, 12 * std::pow(0.5, 2.0 / 3) / 9, 1e-14);
    EXPECT_NEAR(q.max_dihedral, 90, 1e-12);
    EXPECT_NEAR(q.min_dihedral, std::atan(std::sqrt(2.0)) * 180 / M_PI, 1e-12);
    EXPECT_DOUBLE_EQ(q.min_edge, 1);
    EXPECT_DOUBLE_EQ(q.max_edge, std::sqrt(2.0));
    EXPECT_NEAR(q.mean_edge, (3 + 3 * std::sqrt(2.0)) / 6, 1e-15);
}

TEST(TetQuality, CountsAnEdgeOfTwoTetrahedraOnce)
{
    const double diagonal = std::sqrt(2.0); // 4 edges at the origin, 5 diagonals
    EXPECT_NEAR(tet_quality(twins()).mean_edge, (4 + 5 * diagonal) / 9, 1e-15);
}

TEST(TetQuality, IsZeroForAnInvertedTetrahedron)
{
    TetMesh m = single_tet();
    std::swap(m.tets[0][2], m.tets[0][3]);
    EXPECT_EQ(tet_quality(m).min_ratio, 0);
}

TEST(TetDefects, ASoundMeshHasNone)
{
    EXPECT_TRUE(find_defects(single_tet()).empty());
    EXPECT_TRUE(find_defects(twins()).empty());
    EXPECT_TRUE(find_defects(TetMesh{}).empty());
}

TEST(TetDefects, NamesInvertedTetrahedra)
{
    TetMesh m = twins();
    std::swap(m.tets[1][0], m.tets[1][1]);
    expect_only(m, MeshDefectKind::inverted, {1}, "tetrahedron 1");
}

TEST(TetDefects, ListsTheFirstFewAndCountsTheRest)
{
    TetMesh m;
    for (int i = 0; i < 8; ++i) {
        for (const Vec3& x : single_tet().nodes)
            m.nodes.push_back(x + 3 * i * Vec3::UnitX());
        m.tets.push_back({4 * i, 4 * i + 2, 4 * i + 1, 4 * i + 3});
    }
    const std::vector<MeshDefect> defects = find_defects(m);
    ASSERT_EQ(defects.size(), 2u) << "inverted, and apart from one another";
    EXPECT_EQ(defects[0].elements, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(defects[0].text,
        "inverted tetrahedra (8): tetrahedron 0, tetrahedron 1, tetrahedron 2, tetrahedron 3, tetrahedron 4 and 3 "
        "more");
}

TEST(TetDefects, FlatIsMeasuredAgainstTheEdgeLength)
{
    for (double scale : {1e-6, 1.0, 1e6}) {
        TetMesh m = single_tet();
        for (Vec3& x : m.nodes)
            x *= scale;
        EXPECT_TRUE(find_defects(m).empty());
        m.nodes[3] = Vec3(0.3, 0.3, 1e-14) * scale;
        expect_only(m, MeshDefectKind::flat, {0}, "tetrahedron 0");
        m.nodes[3] = Vec3(0.3, 0.3, -1e-14) * scale; // the sign is rounding
        expect_only(m, MeshDefectKind::flat, {0}, "tetrahedron 0");
    }
}

TEST(TetDefects, NamesARepeatedNode)
{
    TetMesh m = twins();
    m.nodes.push_back({5, 5, 5});
    m.tets.push_back({3, 4, 5, 3});
    EXPECT_NE(find(find_defects(m), MeshDefectKind::repeated_node), nullptr);
    EXPECT_EQ(find(find_defects(m), MeshDefectKind::flat), nullptr);
}

TEST(TetDefects, NamesIndicesOutOfRange)
{
    for (int bad : {-1, 5, 1000000000}) {
        TetMesh m = twins();
        m.tets[1][2] = bad;
        expect_only(m, MeshDefectKind::index_out_of_range, {1}, "tetrahedron 1 (node " + std::to_string(bad) + ")");
    }
}

TEST(TetDefects, NamesNodesThatAreNotFinite)
{
    TetMesh m = twins();
    m.nodes[4][1] = nan;
    expect_only(m, MeshDefectKind::not_finite, {4}, "node 4");
    m.nodes[4][1] = -infinity;
    expect_only(m, MeshDefectKind::not_finite, {4}, "node 4");
}

TEST(TetDefects, NamesUnusedNodes)
{
    TetMesh m = single_tet();
    m.nodes.insert(m.nodes.begin() + 1, Vec3(7, 7, 7));
    m.tets = {{0, 2, 3, 4}};
    expect_only(m, MeshDefectKind::unused_node, {1}, "node 1");
}

TEST(TetDefects, NamesDuplicates)
{
    TetMesh m = single_tet();
    m.tets.push_back({1, 2, 0, 3}); // turned
    expect_only(m, MeshDefectKind::duplicate, {0, 1}, "tetrahedron 1 (same as 0)");
}

TEST(TetDefects, NamesFacesOfThreeTetrahedra)
{
    TetMesh m = twins();
    m.nodes.emplace_back(0.1, 0.1, 2);
    m.tets.push_back({0, 1, 2, 5});
    expect_only(m, MeshDefectKind::overfull_face, {0, 1, 2}, "face 0-1-2 of tetrahedra 0 1 2");
}

TEST(TetDefects, NamesTetrahedraOnTheSameSideOfAFace)
{
    TetMesh m = single_tet();
    m.nodes.emplace_back(0.2, 0.2, 0.5);
    m.tets.push_back({1, 2, 0, 4}); // above the same face
    expect_only(m, MeshDefectKind::same_side, {0, 1}, "tetrahedron 1 (and 0)");
    m.nodes.back().z() = -0.5;
    m.tets.back() = {1, 0, 2, 4}; // below
    EXPECT_TRUE(find_defects(m).empty());
}

TEST(TetDefects, NamesTetrahedraThatHangByLessThanAFace)
{
    const std::string text = "tetrahedra that share no face with the largest piece of the mesh (1): tetrahedron ";
    TetMesh by_node = twins();
    for (const Vec3& x : {Vec3(-1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, -1)})
        by_node.nodes.push_back(x);
    by_node.tets.push_back({0, 6, 5, 7});
    expect_only(by_node, MeshDefectKind::dangling, {2}, text + "2");
    TetMesh by_edge = twins();
    by_edge.nodes.insert(by_edge.nodes.end(), {Vec3(0.3, -1, 0), Vec3(0.3, -1, -1)});
    by_edge.tets.insert(by_edge.tets.begin(), {0, 1, 6, 5});
    if (tet_volume(by_edge.nodes, by_edge.tets[0]) < 0)
        std::swap(by_edge.tets[0][2], by_edge.tets[0][3]);
    expect_only(by_edge, MeshDefectKind::dangling, {0}, text + "0");
    TetMesh apart = single_tet();
    for (const Vec3& x : single_tet().nodes)
        apart.nodes.push_back(x + Vec3(5, 0, 0));
    apart.tets.push_back({4, 5, 6, 7});
    expect_only(apart, MeshDefectKind::dangling, {1}, text + "1");
}

} // namespace
} // namespace stickslip::tet_mesh_test
