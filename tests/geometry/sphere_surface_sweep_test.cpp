#include "stickslip/geometry/sphere_surface_contacts.h"

#include "geometry/closed_meshes.h"
#include "stickslip/geometry/box_tree.h"
#include "stickslip/math/rotation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>

namespace stickslip {
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

/// A surface with what finds its candidates.
struct Surface {
    explicit Surface(const TriMesh& mesh_in, const EdgeTopologyOptions& options = {})
        : mesh(mesh_in)
        , topology(mesh_in, options)
    {
        std::vector<Bounds> boxes(mesh.triangles.size());
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            for (int v : mesh.triangles[t])
                boxes[t].add(mesh.vertices[v]);
        }
        tree = BoxTree(boxes);
    }

    const std::vector<SphereSurfaceContact>& contacts(const Vec3& centre, double radius)
    {
        candidates.clear();
        const Vec3 half = Vec3::Constant(radius);
        tree.visit_overlapping(
            {.min = centre - half, .max = centre + half}, [&](int facet) { candidates.push_back(facet); });
        std::sort(candidates.begin(), candidates.end());
        find_sphere_surface_contacts(topology, candidates, centre, radius, EdgeRule::smooth, found);
        return found;
    }

    TriMesh mesh;
    EdgeTopology topology;
    BoxTree tree;
    std::vector<int> candidates;
    std::vector<SphereSurfaceContact> found;
};

/// A square of side 2 as a grid, cut along random diagonals, with random heights, holes and windings.
TriMesh ragged_terrain(unsigned seed, double roughness)
{
    RandomPoints random(seed);
    TriMesh mesh;
    const int n = 9;
    for (int i = 0; i < n * n; ++i) {
        const double x = 2.0 * (i % n) / (n - 1) - 1, y = 2.0 * (i / n) / (n - 1) - 1;
        mesh.vertices.emplace_back(x, y, roughness * random.number(-1, 1));
    }
    for (int i = 0; i + 1 < n; ++i) {
        for (int j = 0; j + 1 < n; ++j) {
            const int a = i * n + j, b = a + 1, c = a + n, d = c + 1;
            std::array<Triangle, 2> pair = {{{a, b, d}, {a, d, c}}};
            if (random.number(0, 1) < 0.5)
                pair = {{{a, b, c}, {b, d, c}}};
            for (Triangle& t : pair) {
                if (random.number(0, 1) < 0.3)
                    std::swap(t[0], t[1]);
                if (random.number(0, 1) < 0.9)
                    mesh.triangles.push_back(t);
            }
        }
    }
    return mesh;
}

/// Random triangles over few vertices: edges of many facets, vertices of many fans, facets that cut one another.
TriMesh tangle(unsigned seed)
{
    RandomPoints random(seed);
    TriMesh mesh;
    for (int v = 0; v < 12; ++v)
        mesh.vertices.push_back(random.in_cube(1));
    std::set<Triangle> taken;
    while (mesh.triangles.size() < 25) {
        const auto vertex = [&] { return std::min(static_cast<int>(random.number(0, 12)), 11); };
        Triangle t = {vertex(), vertex(), vertex()};
        Triangle key = t;
        std::sort(key.begin(), key.end());
        if (key[0] != key[1] && key[1] != key[2] && taken.insert(key).second)
            mesh.triangles.push_back(t);
    }
    return mesh;
}

std::map<std::string, TriMesh> all_meshes()
{
    return {{"cube", cube_mesh(1)}, {"sphere", sphere_mesh(0.8, 2)}, {"spikes", spiky_mesh(2)},
        {"torus", torus_mesh(0.7, 0.3, 12, 8)}, {"terrain", ragged_terrain(1, 0.1)},
        {"gentle terrain", ragged_terrain(2, 0.01)}, {"tangle", tangle(3)}, {"second tangle", tangle(4)}};
}

TEST(SphereSurfaceSweep, WithoutMergingTheContactsAreAllLocalMinima)
{
    for (const auto& [name, mesh] : all_meshes()) {
        SCOPED_TRACE(name);
        Surface surface(mesh);
        surface.topology.patch_cosine = 2; // nothing merges but ties
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

TEST(SphereSurfaceSweep, MergingKeepsTheDeepestOfEachPatchAndDirection)
{
    for (const auto& [name, mesh] : all_meshes()) {
        SCOPED_TRACE(name);
        Surface surface(mesh);
        Surface all(mesh);
        all.topology.patch_cosine = 2;
        RandomPoints random(22);
        for (int trial = 0; trial < 5000; ++trial) {
            const Vec3 x = random.in_cube(1.2);
            const double radius = std::pow(10, random.number(-1.5, 0));
            const std::vector<SphereSurfaceContact>& minima = all.contacts(x, radius);
            const std::vector<SphereSurfaceContact>& kept = surface.contacts(x, radius);
            ASSERT_EQ(kept.empty(), minima.empty());
            if (kept.empty())
                continue;
            EXPECT_EQ(kept[0].overlap, minima[0].overlap); // the deepest of all
            const auto alike = [&](const SphereSurfaceContact& a, const SphereSurfaceContact& b) {
                return a.patch == b.patch && a.n.dot(b.n) > surface.topology.patch_cosine;
            };
            for (const SphereSurfaceContact& m : minima) {
                EXPECT_TRUE(std::any_of(kept.begin(), kept.end(), [&](const SphereSurfaceContact& k) {
                    return k.overlap >= m.overlap && (k.feature == m.feature || alike(k, m));
                }));
            }
            for (std::size_t i = 0; i < kept.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j)
                    EXPECT_FALSE(alike(kept[i], kept[j]));
            }
        }
    }
}

TEST(SphereSurfaceSweep, TheDeepestIsTheNearestPointOfTheSurface)
{
    for (const auto& [name, mesh] : all_meshes()) {
        SCOPED_TRACE(name);
        Surface surface(mesh);
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

TEST(SphereSurfaceSweep, ForceIsTheGradientOfAnEnergy)
{
    const double h = 1e-6;
    for (const auto& [name, mesh] : all_meshes()) {
        SCOPED_TRACE(name);
        Surface surface(mesh);
        RandomPoints random(24);
        int compared = 0;
        for (int trial = 0; trial < 4000; ++trial) {
            const Vec3 x = random.in_cube(1.2);
            const double radius = random.number(0.1, 0.4);
            const auto energy = [&](const Vec3& centre, std::set<int>& features) {
                double sum = 0;
                for (const SphereSurfaceContact& c : surface.contacts(centre, radius)) {
                    sum += c.overlap * c.overlap / 2;
                    features.insert(3 * c.feature + static_cast<int>(c.kind));
                }
                return sum;
            };
            std::set<int> features;
            if (energy(x, features) == 0)
                continue;
            Vec3 force = Vec3::Zero();
            double nearest = radius;
            for (const SphereSurfaceContact& c : surface.contacts(x, radius)) {
                force += c.overlap * c.n;
                nearest = std::min(nearest, radius - c.overlap);
            }
            Vec3 slope;
            bool same = nearest > 0.01; // round a vertex the normal turns as 1 / distance
            for (int i = 0; i < 3; ++i) {
                std::set<int> up, down;
                slope[i] = (energy(x + h * Vec3::Unit(i), up) - energy(x - h * Vec3::Unit(i), down)) / (2 * h);
                same = same && up == features && down == features;
            }
            if (!same)
                continue;
            // second derivative of the normal times h^2: 1e-12 / 0.01^2; round-off of the energy: 1e-17 / h
            EXPECT_NEAR((force + slope).norm(), 0, 2e-8);
            ++compared;
        }
        EXPECT_GT(compared, 300);
    }
}

/// A square of half width 4 radii round the origin with facets of about `edge`, turned anyhow in space.
TriMesh plane_mesh(RandomPoints& random, double edge, const Mat3& R)
{
    TriMesh mesh;
    const int n = static_cast<int>(8 / edge) + 1;
    for (int i = 0; i < n * n; ++i) {
        const double x = (i % n - (n - 1) / 2.0) * edge, y = (i / n - (n - 1) / 2.0) * edge;
        mesh.vertices.push_back(
            R * Vec3(x + 0.3 * edge * random.number(-1, 1), y + 0.3 * edge * random.number(-1, 1), 0));
    }
    for (int i = 0; i + 1 < n; ++i) {
        for (int j = 0; j + 1 < n; ++j) {
            const int a = i * n + j, b = a + 1, c = a + n, d = c + 1;
            // the jitter keeps quadrilaterals from folding over, but not convex: cut where both halves look up
            const auto looks_up = [&](int p, int q, int r) {
                return (mesh.vertices[q] - mesh.vertices[p]).cross(mesh.vertices[r] - mesh.vertices[p]).dot(R.col(2))
                    > 0.05 * edge * edge;
            };
            std::array<Triangle, 2> pair = {{{a, b, d}, {a, d, c}}};
            const bool this_way = looks_up(a, b, d) && looks_up(a, d, c);
            const bool that_way = looks_up(a, b, c) && looks_up(b, d, c);
            if (!this_way || (that_way && random.number(0, 1) < 0.5))
                pair = {{{a, b, c}, {b, d, c}}};
            for (Triangle& t : pair) {
                if (random.number(0, 1) < 0.5)
                    std::swap(t[0], t[1]);
                mesh.triangles.push_back(t);
            }
        }
    }
    return mesh;
}

TEST(SphereSurfaceSweep, TriangulatedPlaneIsAPlane)
{
    RandomPoints random(25);
    double worst = 0;
    for (const double edge : {0.25, 0.5, 1.0, 2.0}) {
        for (int turn = 0; turn < 10; ++turn) {
            const Mat3 R = rotation_exp(3 * random.direction());
            Surface surface(plane_mesh(random, edge, R));
            EXPECT_EQ(surface.topology.patches, 1);
            for (int trial = 0; trial < 400; ++trial) {
                const double overlap = std::pow(10, random.number(-3, -1));
                Vec3 foot(random.number(-1.5, 1.5), random.number(-1.5, 1.5), 0);
                if (trial % 2 == 0) { // a hair beside a vertex
                    const auto v = static_cast<std::size_t>(random.number(0, 1) * double(surface.mesh.vertices.size()));
                    const Vec3 vertex = R.transpose() * surface.mesh.vertices[v];
                    const double off = std::array{0.0, 1e-12, 1e-9, 1e-6}[trial / 2 % 4];
                    if (vertex.cwiseAbs().maxCoeff() < 1.5)
                        foot = vertex + off * random.direction();
                    foot.z() = 0;
                }
                const double side = trial % 4 < 2 ? 1 : -1;
                const Vec3 centre = R * (foot + side * Vec3(0, 0, 1 - overlap));
                const std::vector<SphereSurfaceContact>& found = surface.contacts(centre, 1);
                ASSERT_EQ(found.size(), 1u);
                worst = std::max({worst, (found[0].n - side * R.col(2)).norm(), (found[0].point - R * foot).norm(),
                    std::abs(found[0].overlap - overlap)});
            }
        }
    }
    // coordinates up to 6 are rounded to 4e-16; a facet's normal by that over its height, at least 0.02
    EXPECT_LT(worst, 1e-13);
}

TEST(SphereSurfaceSweep, NoContactIsLostToRoundOffOnSlimFacetsFarFromTheOrigin)
{
    RandomPoints random(27);
    for (const double width : {1e-2, 1e-3, 1e-4}) {
        for (const double far : {0.0, 1e3, 1e6}) {
            const Mat3 R = rotation_exp(3 * random.direction());
            const Vec3 origin = far * random.direction();
            TriMesh strips;
            const int n = 60;
            for (int i = 0; i < n; ++i) {
                const double x = (i - n / 2) * width;
                strips.vertices.push_back(origin + R * Vec3(x, -2 + random.number(-1, 1), 0));
                strips.vertices.push_back(origin + R * Vec3(x, 2 + random.number(-1, 1), 0));
                if (i > 0) {
                    strips.triangles.push_back({2 * i - 2, 2 * i, 2 * i + 1});
                    strips.triangles.push_back({2 * i - 2, 2 * i + 1, 2 * i - 1});
                }
            }
            Surface surface(strips, {.weld_tolerance = 0});
            for (int trial = 0; trial < 1000; ++trial) {
                const double y = trial % 2 ? random.number(-0.5, 0.5) : 0; // also over the edges
                const double x = (trial % 2 ? random.number(-20, 20) : trial % 40 / 2 - 10) * width;
                const std::vector<SphereSurfaceContact>& found = surface.contacts(origin + R * Vec3(x, y, 0.9), 1);
                ASSERT_FALSE(found.empty()) << "width " << width << " at " << far << ", trial " << trial;
                // a coordinate's last bit, 1e-16 far, tilts a facet by that over its width
                EXPECT_NEAR(found[0].overlap, 0.1, 1e-12 + 1e-14 * far / width);
            }
        }
    }
}

TEST(SphereSurfaceSweep, InsideOfAFineDrumPushesOnceAsTheSmoothOneDoes)
{
    const double drum = 4, length = 8;
    for (const int sides : {60, 120, 240}) {
        TriMesh mesh;
        const int rows = static_cast<int>(length / (2 * drum * std::sin(std::numbers::pi / sides)));
        for (int i = 0; i < sides; ++i) {
            for (int j = 0; j <= rows; ++j) {
                const double angle = 2 * std::numbers::pi * (i + 0.5 * (j % 2)) / sides;
                mesh.vertices.emplace_back(
                    drum * std::cos(angle), drum * std::sin(angle), length * j / rows - length / 2);
            }
        }
        for (int i = 0; i < sides; ++i) {
            for (int j = 0; j < rows; ++j) {
                const int a = i * (rows + 1) + j, b = (i + 1) % sides * (rows + 1) + j;
                if (j % 2 == 0) {
                    mesh.triangles.push_back({a, b, a + 1});
                    mesh.triangles.push_back({b, b + 1, a + 1});
                } else {
                    mesh.triangles.push_back({a, b, b + 1});
                    mesh.triangles.push_back({a, b + 1, a + 1});
                }
            }
        }
        Surface surface(mesh);
        const double sagitta = drum * (1 - std::cos(std::numbers::pi / sides));
        const double overlap = 34 * sagitta;
        RandomPoints random(26);
        for (int trial = 0; trial < 500; ++trial) {
            const double angle = random.number(0, 7);
            const Vec3 out(std::cos(angle), std::sin(angle), 0);
            const Vec3 centre = (drum - 1 + overlap) * out + Vec3(0, 0, random.number(-1, 1));
            const std::vector<SphereSurfaceContact>& found = surface.contacts(centre, 1);
            ASSERT_EQ(found.size(), 1u);
            // Vertices lie on the cylinder and chords a sagitta inside; a normal is at most half a side off.
            const double share = -found[0].overlap * found[0].n.dot(out) / overlap;
            EXPECT_GT(share, std::cos(std::numbers::pi / sides) - 1e-12);
            EXPECT_LT(share, 1 + sagitta / overlap + 1e-12);
        }
    }
}

} // namespace
} // namespace stickslip
