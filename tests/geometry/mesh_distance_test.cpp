#include "stickslip/geometry/queries/mesh_distance.h"

#include "geometry/closed_meshes.h"
#include "stickslip/geometry/mesh/both_sides.h"
#include "stickslip/geometry/queries/point_triangle.h"
#include "stickslip/math/error.h"

#include <gtest/gtest.h>

namespace stickslip::mesh_distance_test {
namespace {

double brute_distance(const TriMesh& mesh, const Vec3& x)
{
    double least = infinity;
    for (const auto& [i, j, k] : mesh.triangles) {
        const Vec3 p = closest_point_on_triangle(x, mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]).point;
        least = std::min(least, (x - p).norm());
    }
    return least;
}

bool is_inside(const TriMesh& mesh, const Vec3& x)
{
    return winding_number(mesh, x) > 0.5;
}

TEST(MeshDistance, MatchesBruteForceAndWindingNumber)
{
    for (const TriMesh& mesh : {cube_mesh(1), torus_mesh(0.7, 0.25, 24, 12), spiky_mesh(2), spiky_mesh(3)}) {
        const MeshDistance distance(mesh);
        RandomPoints random(1);
        int inside = 0;
        for (int trial = 0; trial < 3000; ++trial) {
            const Vec3 x = random.in_cube(1);
            const auto s = distance.sample(x);
            EXPECT_NEAR(std::abs(s.phi), brute_distance(mesh, x), 1e-15);
            EXPECT_NEAR((x - s.point).norm(), std::abs(s.phi), 1e-15);
            EXPECT_EQ(s.phi < 0, is_inside(mesh, x)) << x.transpose();
            inside += s.phi < 0;
        }
        EXPECT_GT(inside, 200);
    }
}

// Where parts share an edge or a vertex no pseudonormal tells inside from outside.
TEST(MeshDistance, SignIsRightWherePartsTouch)
{
    for (const Vec3& shift : {Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(1, 1, 1)}) {
        const TriMesh mesh = outer_side(EdgeTopology(two_cubes(1, shift), {.encloses = true}));
        if (shift.sum() > 1) { // of parts that share a face this leaves nothing
            EXPECT_THROW(MeshDistance{mesh}, InputError);
        }
        const MeshDistance distance(mesh, SharedFeatures::allowed);
        const auto is_in_one = [&](const Vec3& x) {
            return x.lpNorm<Eigen::Infinity>() < 0.5 || (x - shift).lpNorm<Eigen::Infinity>() < 0.5;
        };
        RandomPoints random(3);
        for (int trial = 0; trial < 5000; ++trial) {
            const Vec3 x = Vec3(0.5 * shift + random.in_cube(trial % 2 ? 1.2 : 0.1));
            EXPECT_EQ(distance.sample(x).phi < 0, is_in_one(x)) << shift.transpose() << " at " << x.transpose();
        }
        EXPECT_NEAR(enclosed_volume(mesh), 2, 1e-12);
    }
    EXPECT_THROW(MeshDistance(TriMesh(), SharedFeatures::allowed), InputError);
}

TEST(MeshDistance, SignIsRightAroundEveryVertexAndEdge)
{
    // Near vertices and edges the nearest feature is often an edge or vertex, with neighbours that face any way.
    const TriMesh mesh = spiky_mesh(2);
    const MeshDistance distance(mesh);
    RandomPoints random(2);
    for (const Triangle& t : mesh.triangles) {
        for (int i = 0; i < 3; ++i) {
            const Vec3 a = mesh.vertices[t[i]], b = mesh.vertices[t[(i + 1) % 3]];
            for (const Vec3& place : {a, Vec3((a + b) / 2)}) {
                for (const double away : {1e-6, 1e-3, 1e-1}) {
                    const Vec3 x = place + away * random.direction();
                    EXPECT_EQ(distance.sample(x).phi < 0, is_inside(mesh, x)) << x.transpose();
                }
            }
        }
    }
}

TEST(MeshDistance, IsZeroOnTheSurface)
{
    const TriMesh mesh = spiky_mesh(2);
    const MeshDistance distance(mesh);
    for (const Triangle& t : mesh.triangles) {
        EXPECT_EQ(distance.sample(mesh.vertices[t[0]]).phi, 0);
        EXPECT_NEAR(distance.sample((mesh.vertices[t[0]] + mesh.vertices[t[1]]) / 2).phi, 0, 1e-16);
    }
}

TEST(MeshDistance, BoundOnlySavesTime)
{
    const TriMesh mesh = spiky_mesh(3);
    const MeshDistance distance(mesh);
    RandomPoints random(3);
    for (int trial = 0; trial < 500; ++trial) {
        const Vec3 x = random.in_cube(1.5);
        const double phi = distance.sample(x).phi;
        for (const double bound : {std::abs(phi), std::abs(phi) * 1.001, std::abs(phi) + 1})
            EXPECT_EQ(distance.sample(x, bound).phi, phi);
    }
}

std::string complaint(const TriMesh& mesh)
{
    try {
        const MeshDistance distance(mesh);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

TEST(MeshDistance, RefusesMeshesThatEncloseNoSolid)
{
    const TriMesh good = spiky_mesh(1);
    EXPECT_EQ(complaint(good), "");

    TriMesh open = good;
    open.triangles.pop_back();
    EXPECT_NE(complaint(open).find("open edges"), std::string::npos) << complaint(open);
    EXPECT_NE(complaint(open).find("edge "), std::string::npos);

    TriMesh inverted = good;
    for (Triangle& t : inverted.triangles)
        std::swap(t[0], t[1]);
    EXPECT_NE(complaint(inverted).find("inside out"), std::string::npos) << complaint(inverted);

    TriMesh twisted = good;
    std::swap(twisted.triangles[3][0], twisted.triangles[3][1]);
    EXPECT_NE(complaint(twisted), "");

    TriMesh doubled = good;
    doubled.triangles.push_back(doubled.triangles[0]);
    EXPECT_NE(complaint(doubled), "");

    TriMesh flat = good;
    flat.vertices[flat.triangles[0][0]] = flat.vertices[flat.triangles[0][1]];
    EXPECT_NE(complaint(flat).find("without area"), std::string::npos) << complaint(flat);

    TriMesh unbounded = good;
    unbounded.vertices[0].x() = nan;
    EXPECT_NE(complaint(unbounded), "");

    TriMesh stray = good;
    stray.triangles[0][0] = 1000;
    EXPECT_NE(complaint(stray), "");

    EXPECT_NE(complaint(TriMesh{}), "");
}

TEST(MeshDistance, RefusesSheetsThatShareOnlyAVertex)
{
    TriMesh two = cube_mesh(1);
    for (int v = 1; v < 8; ++v) // a second cube at the corner (-1/2, -1/2, -1/2) of the first
        two.vertices.push_back(-two.vertices[v] - Vec3::Ones());
    for (int t = 0; t < 12; ++t) {
        Triangle k = two.triangles[t]; // mirrored in the corner: the other way round
        std::swap(k[0], k[1]);
        for (int& v : k)
            v = v == 0 ? 0 : v + 7;
        two.triangles.push_back(k);
    }
    EXPECT_NE(complaint(two).find("only at vertex 0"), std::string::npos) << complaint(two);
}

} // namespace
} // namespace stickslip::mesh_distance_test
