#include "stickslip/geometry/queries/sphere_surface_contacts.h"

#include "geometry/searched_surface.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stickslip::sphere_surface_minima_test {
namespace {

struct Minimum {
    Vec3 point;
    double distance;
};

/// All local minima of the distance from x below `reach`, by their definition: of all vertices, all feet of
/// perpendiculars on edges and on facets, those from which no facet that holds them leads nearer. Needs no neighbours.
/// `doubtful`: within round-off of another answer.
std::vector<Minimum> all_minima(const TriMesh& mesh, const Vec3& x, double reach, bool& doubtful)
{
    std::vector<Vec3> feet;
    std::set<Edge> edges;
    for (const Triangle& t : mesh.triangles) {
        const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
        const Vec3 n = (b - a).cross(c - a).normalized();
        const Vec3 foot = x - n.dot(x - a) * n;
        const auto left_of = [&](const Vec3& p, const Vec3& q) { return (q - p).cross(foot - p).dot(n) > 0; };
        if (left_of(a, b) && left_of(b, c) && left_of(c, a))
            feet.push_back(foot);
        for (int k = 0; k < 3; ++k) {
            feet.push_back(mesh.vertices[t[k]]);
            const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
            if (!edges.insert({low, high}).second)
                continue;
            const Vec3 along = mesh.vertices[high] - mesh.vertices[low];
            const double part = (x - mesh.vertices[low]).dot(along) / along.squaredNorm();
            if (part > 0 && part < 1)
                feet.push_back(mesh.vertices[low] + part * along);
        }
    }
    std::vector<Minimum> minima;
    for (const Vec3& foot : feet) {
        const double distance = (foot - x).norm();
        if (distance >= reach)
            continue;
        double way = 0; // to the nearest point of a facet through this foot
        for (const Triangle& t : mesh.triangles) {
            const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
            if ((closest_point_on_triangle(foot, a, b, c).point - foot).norm() > 1e-12)
                continue;
            way = std::max(way, (closest_point_on_triangle(x, a, b, c).point - foot).norm());
        }
        doubtful = doubtful || (way > 1e-11 && way < 1e-5) || std::abs(distance - reach) < 1e-9;
        const bool known = std::any_of(
            minima.begin(), minima.end(), [&](const Minimum& other) { return (other.point - foot).norm() < 1e-11; });
        if (way < 1e-8 && !known)
            minima.push_back({foot, distance});
    }
    return minima;
}

TEST(SphereSurfaceMinima, TheContactsAreAllLocalMinima)
{
    for (const auto& [name, mesh] : all_meshes()) {
        SCOPED_TRACE(name);
        SearchedSurface surface(mesh);
        RandomPoints random(21);
        int compared = 0, several = 0;
        for (int trial = 0; trial < 1500; ++trial) {
            const Vec3 x = random.in_cube(1.2);
            const double radius = std::pow(10, random.number(-1.5, 0));
            bool doubtful = false;
            const std::vector<Minimum> expected = all_minima(mesh, x, radius, doubtful);
            if (doubtful)
                continue;
            const std::vector<SphereSurfaceContact>& found = surface.contacts(x, radius);
            ASSERT_EQ(found.size(), expected.size()) << x.transpose() << " radius " << radius;
            for (const Minimum& m : expected) {
                EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const SphereSurfaceContact& c) {
                    return (c.point - m.point).norm() < 1e-11 && std::abs(radius - c.overlap - m.distance) < 1e-12;
                }));
            }
            compared += !expected.empty();
            several += expected.size() > 1;
        }
        EXPECT_GT(compared, 200);
        EXPECT_GT(several, 20);
    }
}

TEST(SphereSurfaceMinima, TheDeepestIsTheNearestPointOfTheSurface)
{
    for (const auto& [name, mesh] : all_meshes()) {
        SCOPED_TRACE(name);
        SearchedSurface surface(mesh);
        RandomPoints random(23);
        for (int trial = 0; trial < 2000; ++trial) {
            // every other one exactly over, or a hair beside, a vertex or the middle of an edge
            const Triangle& t = mesh.triangles[trial % mesh.triangles.size()];
            const Vec3 on_edge =
                0.5 * (mesh.vertices[t[0]] + (trial % 4 < 2 ? mesh.vertices[t[0]] : mesh.vertices[t[1]]));
            const double off = std::array{0.0, 1e-12, 1e-9, 1e-6}[trial / 4 % 4];
            const Vec3 normal = (mesh.vertices[t[1]] - mesh.vertices[t[0]])
                                    .cross(mesh.vertices[t[2]] - mesh.vertices[t[0]])
                                    .normalized();
            const Vec3 x = trial % 2 ? random.in_cube(1.2) : Vec3(on_edge + 0.1 * normal + off * random.direction());
            double nearest = infinity;
            for (const auto& [a, b, c] : mesh.triangles) {
                const Vec3 point =
                    closest_point_on_triangle(x, mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]).point;
                nearest = std::min(nearest, (point - x).norm());
            }
            const double radius = std::pow(10, random.number(-1.3, 0));
            const std::vector<SphereSurfaceContact>& found = surface.contacts(x, radius);
            if (std::abs(nearest - radius) < 1e-12)
                continue; // just touching
            ASSERT_EQ(found.empty(), nearest > radius) << trial;
            if (!found.empty()) {
                EXPECT_NEAR(radius - found[0].overlap, nearest, 1e-12);
            }
        }
    }
}

} // namespace
} // namespace stickslip::sphere_surface_minima_test
