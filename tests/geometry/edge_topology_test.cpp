#include "stickslip/geometry/mesh/edge_topology.h"

#include "geometry/closed_meshes.h"
#include "stickslip/math/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip::edge_topology_test {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// Two facets on the edge from (0,-1,0) to (0,1,0): one towards -x, the other folded by alpha towards +z.
TriMesh folded_pair(double alpha)
{
    return {.vertices = {Vec3(0, -1, 0), Vec3(0, 1, 0), Vec3(-1, 0, 0), 2 * Vec3(std::cos(alpha), 0, std::sin(alpha))},
        .triangles = {{0, 1, 2}, {1, 0, 3}}};
}

int count(const EdgeTopology& topology, EdgeKind kind)
{
    return static_cast<int>(std::count(topology.edge_kind.begin(), topology.edge_kind.end(), kind));
}

/// Every triangle with its own three vertices, as in an STL file, each moved by at most `noise` along each axis.
TriMesh soup_of(const TriMesh& mesh, double noise)
{
    RandomPoints random(5);
    TriMesh soup;
    for (const Triangle& t : mesh.triangles) {
        const int first = static_cast<int>(soup.vertices.size());
        for (int v : t)
            soup.vertices.push_back(mesh.vertices[v] + random.in_cube(noise));
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    return soup;
}

TEST(EdgeTopology, FoldIsTheSignedAngleForEverySignAndWinding)
{
    for (const double alpha : {0.0, 1e-12, -1e-12, 1e-6, -1e-6, 0.3, -0.3, 1.5, -1.5, 2.5, -2.5, 3.14, -3.14}) {
        for (int winding = 0; winding < 4; ++winding) {
            TriMesh mesh = folded_pair(alpha);
            if (winding & 1)
                std::swap(mesh.triangles[0][0], mesh.triangles[0][2]);
            if (winding & 2)
                std::swap(mesh.triangles[1][1], mesh.triangles[1][2]);
            const EdgeTopology topology(mesh);
            const auto& sides = topology.facet_edges[0];
            const int k = static_cast<int>(std::find(sides.begin(), sides.end(), 0) - sides.begin()); // edge 0-1
            const double up = topology.normals[0].z(); // the fold is seen from f1's normal
            EXPECT_NEAR(std::abs(up), 1, 1e-15);
            EXPECT_NEAR((topology.outward[k] - Vec3::UnitX()).norm(), 0, 1e-15);
            EXPECT_NEAR(topology.folds[k].c, std::cos(alpha), 1e-15);
            EXPECT_NEAR(topology.folds[k].s, up * std::sin(alpha), 1e-15);
            const Vec3 n2 = topology.folds[k].c * topology.normals[0] - topology.folds[k].s * topology.outward[k];
            EXPECT_NEAR(std::abs(n2.dot(topology.normals[1])), 1, 1e-14);
            EXPECT_EQ(topology.orientation[1], winding == 1 || winding == 2 ? -1 : 1);
        }
    }
}

TEST(EdgeTopology, CountsEdgesOfClosedOpenAndBranchingSurfaces)
{
    const EdgeTopology cube(cube_mesh(1));
    EXPECT_EQ(count(cube, EdgeKind::internal), 18); // Euler: 8 - 18 + 12 = 2
    EXPECT_EQ(cube.edges.size(), 18u);
    EXPECT_EQ(std::count(cube.vertex_internal.begin(), cube.vertex_internal.end(), 1), 8);
    EXPECT_EQ(cube.patches, 6);
    EXPECT_TRUE(cube.defects.empty());

    TriMesh open = cube_mesh(1);
    open.triangles.pop_back();
    const EdgeTopology lid(open);
    EXPECT_EQ(count(lid, EdgeKind::boundary), 3);
    EXPECT_EQ(std::count(lid.vertex_internal.begin(), lid.vertex_internal.end(), 1), 5);

    TriMesh book = folded_pair(0.5);
    book.vertices.emplace_back(0, 0, -1);
    book.triangles.push_back({0, 1, 4});
    const EdgeTopology pages(book);
    EXPECT_EQ(pages.edge_kind[0], EdgeKind::non_manifold);
    EXPECT_EQ(pages.sides_of(0).size(), 3u);
    EXPECT_TRUE(std::isnan(pages.folds[0].c));
    EXPECT_EQ(pages.patches, 3);
}

TEST(EdgeTopology, VertexOfTwoConesIsNotInternal)
{
    TriMesh mesh = cube_mesh(1);
    TriMesh other = cube_mesh(1);
    for (Vec3& x : other.vertices)
        x += Vec3::Ones(); // its lowest corner at the other's highest
    for (Triangle t : other.triangles) {
        for (int& v : t)
            v += 8;
        mesh.triangles.push_back(t);
    }
    mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
    const EdgeTopology topology(mesh);
    EXPECT_EQ(topology.welded, 1);
    EXPECT_EQ(topology.vertex[8], 7);
    EXPECT_FALSE(topology.vertex_internal[7]);
    EXPECT_TRUE(topology.vertex_internal[0]);
}

TEST(EdgeTopology, WeldingMakesASurfaceOfSoup)
{
    const TriMesh closed = sphere_mesh(1, 3);
    const EdgeTopology topology(soup_of(closed, 1e-7));
    EXPECT_EQ(topology.welded, static_cast<int>(3 * closed.triangles.size() - closed.vertices.size()));
    EXPECT_EQ(topology.edges.size(), closed.triangles.size() * 3 / 2);
    EXPECT_EQ(count(topology, EdgeKind::internal), static_cast<int>(topology.edges.size()));
    EXPECT_TRUE(topology.defects.empty());

    const EdgeTopology loose(soup_of(closed, 0), {.weld_tolerance = -1});
    EXPECT_EQ(loose.welded, 0);
    EXPECT_EQ(count(loose, EdgeKind::internal), 0);
    ASSERT_EQ(loose.defects.size(), 1u);
    EXPECT_EQ(loose.defects[0].kind, MeshDefectKind::unwelded_node);
    EXPECT_EQ(loose.defects[0].elements.size(), 3 * closed.triangles.size() - closed.vertices.size());
}

TEST(EdgeTopology, LeavesOutAndReportsWhatIsNoFacet)
{
    TriMesh mesh = cube_mesh(1);
    const int first = static_cast<int>(mesh.triangles.size());
    mesh.triangles.push_back({6, 4, 0}); // the first one again, wound the other way
    mesh.triangles.push_back({3, 3, 5});
    mesh.vertices.emplace_back(0, -0.5, -0.5); // middle of the edge 0-1
    mesh.triangles.push_back({0, 8, 1});
    const EdgeTopology topology(mesh);
    ASSERT_EQ(topology.defects.size(), 3u);
    EXPECT_EQ(topology.defects[0].kind, MeshDefectKind::repeated_node);
    EXPECT_EQ(topology.defects[0].elements, std::vector<int>{first + 1});
    EXPECT_EQ(topology.defects[1].kind, MeshDefectKind::flat);
    EXPECT_EQ(topology.defects[1].elements, std::vector<int>{first + 2});
    EXPECT_EQ(topology.defects[2].kind, MeshDefectKind::duplicate);
    EXPECT_EQ(topology.defects[2].elements, std::vector<int>{first});
    for (int t = 0; t < first + 3; ++t)
        EXPECT_EQ(topology.is_left_out(t), t >= first);
    EXPECT_EQ(count(topology, EdgeKind::internal), 18);
}

TEST(EdgeTopology, OfASolidOppositeFacetsOnOneAnotherGoInPairs)
{
    const TriMesh cubes = two_cubes(1, Vec3::UnitX());
    const EdgeTopology sheet(cubes), solid(cubes, {.encloses = true});
    ASSERT_EQ(sheet.defects.size(), 1u); // a sheet with both its sides given keeps one of them
    EXPECT_EQ(sheet.defects[0].kind, MeshDefectKind::duplicate);
    EXPECT_EQ(sheet.defects[0].elements.size(), 2u);
    ASSERT_EQ(solid.defects.size(), 1u);
    EXPECT_EQ(solid.defects[0].kind, MeshDefectKind::opposite);
    EXPECT_EQ(solid.defects[0].elements.size(), 4u);
    EXPECT_EQ(solid.defects[0].text.find("pairs of triangles on one another that look to opposite sides"), 0u)
        << solid.defects[0].text;
    EXPECT_EQ(count(solid, EdgeKind::non_manifold), 0);
    EXPECT_EQ(count(solid, EdgeKind::internal), 30); // 20 facets
    TriMesh thrice = cubes; // the first cube's face once more
    thrice.triangles.push_back(thrice.triangles[2]);
    const EdgeTopology one_left(thrice, {.encloses = true});
    EXPECT_EQ(
        std::count_if(one_left.facets.begin(), one_left.facets.end(), [](const Triangle& t) { return t[0] < 0; }), 4);
}

TEST(EdgeTopology, PatchesEndAtFoldsAboveTheAngle)
{
    EXPECT_EQ(EdgeTopology(folded_pair(14.9 * degree)).patches, 1);
    EXPECT_EQ(EdgeTopology(folded_pair(-14.9 * degree)).patches, 1);
    EXPECT_EQ(EdgeTopology(folded_pair(15.1 * degree)).patches, 2);
    EXPECT_EQ(EdgeTopology(folded_pair(180 * degree)).patches, 2);
    EXPECT_EQ(EdgeTopology(folded_pair(30 * degree), {.patch_angle = 31 * degree}).patches, 1);
    EXPECT_EQ(EdgeTopology(folded_pair(0), {.patch_angle = 0}).patches, 1);
}

TEST(EdgeTopology, FollowsASurfaceThatDeforms)
{
    EdgeTopology topology(soup_of(spiky_mesh(2), 0));
    TriMesh moved = soup_of(spiky_mesh(2), 0);
    for (Vec3& x : moved.vertices)
        x = Vec3(x.x() + 0.3 * x.y(), 1.5 * x.y(), x.z() + 0.2 * x.x() * x.x());
    topology.update(moved.vertices);
    const EdgeTopology anew(moved);
    ASSERT_EQ(topology.folds.size(), anew.folds.size());
    for (std::size_t i = 0; i < anew.folds.size(); ++i) {
        EXPECT_EQ(topology.folds[i].c, anew.folds[i].c);
        EXPECT_EQ(topology.folds[i].s, anew.folds[i].s);
        EXPECT_EQ(topology.outward[i], anew.outward[i]);
    }
    moved.vertices.assign(moved.vertices.size(), Vec3::Zero());
    EXPECT_THROW(topology.update(moved.vertices), InputError);
}

TEST(EdgeTopology, MeanNormalsPointOutwardWhateverTheWinding)
{
    TriMesh mesh = sphere_mesh(1, 2);
    for (std::size_t t = 1; t < mesh.triangles.size(); t += 3)
        std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
    const EdgeTopology topology(mesh);
    for (int v = 0; v < static_cast<int>(mesh.vertices.size()); ++v)
        EXPECT_GT(topology.vertex_normal(v).dot(mesh.vertices[v]), 0.98);
    for (int e = 0; e < static_cast<int>(topology.edges.size()); ++e) {
        const Vec3 middle = (mesh.vertices[topology.edges[e][0]] + mesh.vertices[topology.edges[e][1]]).normalized();
        EXPECT_GT(topology.edge_normal(e).dot(middle), 0.98);
    }
}

TEST(EdgeTopology, VertexNormalDoesNotDependOnHowFacesAreCut)
{
    const EdgeTopology cube(cube_mesh(1)); // corners with 3 to 6 triangles
    for (int v = 0; v < 8; ++v)
        EXPECT_NEAR((cube.vertex_normal(v) - cube.positions[v].normalized()).norm(), 0, 1e-15);
}

TEST(EdgeTopology, RefusesWhatIsNoMesh)
{
    TriMesh mesh = cube_mesh(1);
    EXPECT_THROW(EdgeTopology(mesh, {.patch_angle = 2}), InputError);
    mesh.vertices[3].x() = nan;
    EXPECT_THROW(EdgeTopology{mesh}, InputError);
    mesh = cube_mesh(1);
    mesh.triangles[2][1] = 8;
    EXPECT_THROW(EdgeTopology{mesh}, InputError);
    EXPECT_TRUE(EdgeTopology(TriMesh{}).edges.empty());
}

} // namespace
} // namespace stickslip::edge_topology_test
