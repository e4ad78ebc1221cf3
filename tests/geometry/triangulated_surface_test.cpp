#include "stickslip/geometry/queries/triangulated_surface.h"

#include "closed_meshes.h"

#include "support/numeric.h"

namespace stickslip::triangulated_surface_test {
namespace {

/// Ways that go through vertices, edges and faces of an octahedron cut fine, some of its facets turned round.
TEST(TriangulatedSurface, AWayThroughAnyFeatureChangesSidesOnce)
{
    TriMesh mesh = star_mesh(3, [](const Vec3&, std::size_t) { return 1.0; });
    for (std::size_t f = 0; f < mesh.triangles.size(); f += 3)
        std::swap(mesh.triangles[f][0], mesh.triangles[f][1]);
    const TriangulatedSurface surface(mesh, EdgeRule::smooth);
    std::vector<Vec3> through = mesh.vertices;
    for (const auto& [a, b] : surface.topology.edges)
        through.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
    for (const auto& [a, b, c] : mesh.triangles)
        through.push_back((mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) / 3);
    for (const Vec3& P : through) {
        EXPECT_TRUE(changes_side(surface, Vec3::Zero(), 2 * P));
        EXPECT_TRUE(changes_side(surface, 2 * P, Vec3::Zero()));
        EXPECT_FALSE(changes_side(surface, -2 * P, 2 * P)) << "in and out again";
        EXPECT_FALSE(changes_side(surface, 1.1 * P, 2 * P));
    }
}

TEST(TriangulatedSurface, NormalDerivativesAreThoseOfTheDistance)
{
    Random random(1);
    const TriMesh mesh = star_mesh(2, [](const Vec3& u, std::size_t) { return 1 + 0.2 * std::sin(5 * u.x()); });
    const TriangulatedSurface surface(mesh, EdgeRule::smooth);
    std::vector<int> facets;
    std::vector<SphereSurfaceContact> contacts;
    std::array<int, 3> compared{};
    for (int trial = 0; trial < 3000; ++trial) {
        const Vec3 x = random.uniform(1.3, 2) * random.unit();
        const NearestOfSurface at = nearest_of(surface, x, facets, contacts);
        const Mat3 H = normal_derivative(
            surface.topology, {at.contact.n, at.contact.kind, at.contact.feature, at.contact.facet, at.distance});
        EXPECT_NEAR(at.distance, (x - at.contact.point).norm(), 1e-9);
        constexpr double h = 1e-6;
        for (int i = 0; i < 3; ++i) {
            const NearestOfSurface plus = nearest_of(surface, x + h * Vec3::Unit(i), facets, contacts);
            const NearestOfSurface minus = nearest_of(surface, x - h * Vec3::Unit(i), facets, contacts);
            if (plus.contact.kind != at.contact.kind || minus.contact.kind != at.contact.kind
                || plus.contact.feature != at.contact.feature || minus.contact.feature != at.contact.feature)
                continue;
            EXPECT_LT(((plus.contact.n - minus.contact.n) / (2 * h) - H.col(i)).norm(), 1e-7);
            ++compared[static_cast<int>(at.contact.kind)];
        }
    }
    for (const int count : compared)
        EXPECT_GT(count, 100);
}

TriMesh bumpy_ball()
{
    return star_mesh(2, [](const Vec3& u, std::size_t) { return 1 + 0.3 * std::sin(5 * u.x()) * std::cos(4 * u.z()); });
}

TEST(TriangulatedSurface, IsOutsideWhereTheWayFromFarAwayDoesNotChangeSides)
{
    Random random(2);
    const TriangulatedSurface surface(bumpy_ball(), EdgeRule::smooth);
    std::vector<int> facets;
    std::vector<SphereSurfaceContact> contacts;
    std::array<int, 6> seen{}; // feature, side
    for (int trial = 0; trial < 6000; ++trial) {
        const Vec3 x = random.uniform(0.5, 1.6) * random.unit();
        const bool outside = !changes_side(surface, 5 * random.unit(), x);
        const NearestOfSurface nearest = nearest_of(surface, x, facets, contacts);
        EXPECT_EQ(is_outside(surface, nearest.contact), outside);
        ++seen[2 * static_cast<int>(nearest.contact.kind) + outside];
    }
    for (const int count : seen)
        EXPECT_GT(count, 10);
}

TEST(TriangulatedSurface, OfFacetsThatLookToASideTheNearestIsFound)
{
    Random random(3);
    const TriangulatedSurface surface(bumpy_ball(), EdgeRule::smooth);
    const EdgeTopology& topology = surface.topology;
    std::vector<SphereSurfaceContact> contacts;
    for (int trial = 0; trial < 300; ++trial) {
        const Vec3 x = random.vector(1.5), side = random.unit();
        double least = infinity;
        for (std::size_t f = 0; f < topology.facets.size(); ++f) {
            const auto& [a, b, c] = topology.facets[f];
            const std::vector<Vec3>& at = topology.positions;
            if (topology.normals[f].dot(side) > 0)
                least = std::min(least, (closest_point_on_triangle(x, at[a], at[b], at[c]).point - x).norm());
        }
        const NearestOfSurface nearest = nearest_facing(surface, x, side, contacts);
        EXPECT_NEAR(nearest.distance, least, 1e-9);
        EXPECT_GT(topology.normals[nearest.contact.facet].dot(side), 0);
        EXPECT_NEAR((x - nearest.contact.point).norm(), least, 1e-9);
    }
}

TEST(TriangulatedSurface, AWayThroughCountsOnceForTheSideItComesFrom)
{
    Random random(4);
    const TriangulatedSurface surface(bumpy_ball(), EdgeRule::smooth);
    for (int trial = 0; trial < 100; ++trial) {
        const Vec3 from = 5 * random.unit();
        EXPECT_FALSE(changes_side(surface, from, -from));
        EXPECT_TRUE(changes_side(surface, from, Vec3::Zero(), &from));
        EXPECT_FALSE(changes_side(surface, -from, Vec3::Zero(), &from)) << "in at the far side";
    }
}

} // namespace
} // namespace stickslip::triangulated_surface_test
