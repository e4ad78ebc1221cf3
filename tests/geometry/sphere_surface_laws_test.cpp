#include "stickslip/geometry/queries/sphere_surface_contacts.h"

#include "geometry/concave_meshes.h"
#include "geometry/searched_surface.h"
#include "stickslip/math/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace stickslip::sphere_surface_laws_test {
namespace {

TEST(SphereSurfaceLaws, ForceIsTheGradientOfAnEnergy)
{
    const double h = 1e-6;
    for (const auto& [name, mesh] : all_meshes()) {
        SCOPED_TRACE(name);
        SearchedSurface surface(mesh);
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

TEST(SphereSurfaceLaws, TriangulatedPlaneIsAPlane)
{
    RandomPoints random(25);
    double worst = 0;
    for (const double edge : {0.25, 0.5, 1.0, 2.0}) {
        for (int turn = 0; turn < 10; ++turn) {
            const Mat3 R = rotation_exp(3 * random.direction());
            SearchedSurface surface(plane_mesh(random, edge, R));
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

/// A frictionless sphere of mass and radius 1 on springs k under gravity 1 along -up, by velocity Verlet.
struct Flight {
    SearchedSurface& surface;
    double k;
    Vec3 gravity, x, v;

    Vec3 acceleration()
    {
        Vec3 a = gravity;
        for (const SphereSurfaceContact& c : surface.contacts(x, 1))
            a += k * c.overlap * c.n;
        return a;
    }
    void advance(double time, double dt)
    {
        Vec3 a = acceleration();
        for (int step = 0; step < static_cast<int>(time / dt); ++step) {
            v += dt / 2 * a;
            x += dt * v;
            a = acceleration();
            v += dt / 2 * a;
        }
    }
    double energy()
    {
        double sum = v.squaredNorm() / 2 - gravity.dot(x);
        for (const SphereSurfaceContact& c : surface.contacts(x, 1))
            sum += k * c.overlap * c.overlap / 2;
        return sum;
    }
};

TEST(SphereSurfaceLaws, SlidesOverAFlatMeshAsOnAPlane)
{
    RandomPoints random(28);
    const double overlap = 0.01;
    for (const double edge : {0.25, 1.0}) {
        const Mat3 R = rotation_exp(3 * random.direction());
        SearchedSurface surface(plane_mesh(random, edge, R));
        for (const double angle : {0.0, 0.7, 2.0}) { // six courses of 5 radii
            const Vec3 way = R * Vec3(std::cos(angle), std::sin(angle), 0);
            const Vec3 up = R.col(2), start = -2.5 * way + (1 - overlap) * up;
            Flight sphere{.surface = surface, .k = 1 / overlap, .gravity = -up, .x = start, .v = way};
            const double energy = sphere.energy();
            sphere.advance(5, 2e-3);
            EXPECT_NEAR(sphere.energy(), energy, 1e-11);
            EXPECT_NEAR((sphere.v - way).norm(), 0, 1e-11);
            EXPECT_NEAR((sphere.x - start - 5 * way).norm(), 0, 1e-11);
        }
    }
}

TEST(SphereSurfaceLaws, NoContactIsLostToRoundOffOnSlimFacetsFarFromTheOrigin)
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
            SearchedSurface surface(strips, {.weld_tolerance = 0});
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

TEST(SphereSurfaceLaws, InsideOfAFineDrumPushesOnceAsTheSmoothOneDoes)
{
    const double drum = 4, length = 8;
    for (const int sides : {60, 120, 240}) {
        SearchedSurface surface(pipe_mesh(drum, sides, length / 2));
        const double sagitta = drum * (1 - std::cos(std::numbers::pi / sides));
        const double overlap = 34 * sagitta;
        RandomPoints random(26);
        for (int trial = 0; trial < 500; ++trial) {
            const double angle = random.number(0, 7);
            const Vec3 out(std::cos(angle), std::sin(angle), 0);
            const Vec3 centre = (drum - 1 + overlap) * out + Vec3(0, 0, random.number(-1, 1));
            // Vertices lie on the cylinder and chords a sagitta inside; a normal is at most half a side off.
            const double share = -surface.force(centre, 1).dot(out) / overlap;
            EXPECT_GT(share, std::cos(std::numbers::pi / sides) - 1e-12);
            EXPECT_LT(share, 1 + sagitta / overlap + 1e-12);
        }
    }
}

} // namespace
} // namespace stickslip::sphere_surface_laws_test
