// A sphere without friction on triangulated surfaces that stand for smooth ones: it must feel the smooth one.
#include "granular_scenes.h"

#include <functional>

namespace stickslip {
namespace {

constexpr double R = 0.1, g = 10, rho = 1000;

/// Triangles over the lattice of i = 0..columns, j = 0..rows, at random diagonals.
TriMesh lattice(int columns, int rows, const std::function<Vec3(double, double)>& place)
{
    Random random(5);
    TriMesh mesh;
    for (int j = 0; j <= rows; ++j)
        for (int i = 0; i <= columns; ++i)
            mesh.vertices.push_back(place(i, j));
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
            const int a = j * (columns + 1) + i, b = a + 1, c = a + columns + 1, d = c + 1;
            if (random.uniform(0, 1) < 0.5) {
                mesh.triangles.push_back({a, b, d});
                mesh.triangles.push_back({a, d, c});
            } else {
                mesh.triangles.push_back({a, b, c});
                mesh.triangles.push_back({b, d, c});
            }
        }
    }
    return mesh;
}

/// What a smooth surface would do: depth of the sphere in it, normal from the surface to the sphere.
struct SmoothTouch {
    double overlap; // [m]
    Vec3 n;
};
using SmoothSurface = std::function<SmoothTouch(const Vec3&)>;

struct Ride {
    double force_mean = nan, force_most = nan; // deviation of the force from that of the smooth surface, over its mean
    double energy_most = nan; // |energy - first|, over the kinetic energy at its greatest
    int steps = 0;
};

/// Lets a sphere go for a time and compares every step. overlap: of the weight on a plane, over R.
Ride ride(const TriMesh& mesh, const SmoothSurface& smooth, Vec3 x, const Vec3& v, double overlap, double time,
    int steps_a_period)
{
    const double stiffness = mass_of(R, rho) * g / (overlap * R);
    GranularWorld world = one_material({.density = rho, .stiffness = stiffness, .friction = 0, .restitution = 1});
    world.gravity = Vec3(0, 0, -g);
    world.dt = 2 * std::numbers::pi * std::sqrt(overlap * R / g) / steps_a_period;
    world.ledger = true;
    world.walls = {{.name = "surface", .shape = std::make_shared<const TriangulatedSurface>(mesh, EdgeRule::smooth)}};
    SphereSystem system(world, {{.x = x, .radius = R, .v = v}});
    Ride r;
    double sum = 0, off = 0, most = 0, energy = 0, kinetic = 0;
    for (; system.state().time < time; ++r.steps) {
        if (!system.step())
            return {};
        const SmoothTouch touch = smooth(place_of(system, 0).x);
        const Vec3 expected = stiffness * std::max(touch.overlap, 0.0) * touch.n;
        const double difference = (-system.state().wall_load[0].force - expected).norm();
        sum += expected.norm();
        off += difference;
        most = std::max(most, difference);
        const EnergyLedger e = system.ledger();
        energy = std::max(energy, std::abs(e.imbalance()));
        kinetic = std::max(kinetic, e.kinetic_translation);
    }
    r.force_mean = off / sum;
    r.force_most = most / (sum / r.steps);
    r.energy_most = energy / kinetic;
    return r;
}

/// The same ride with a step and with a quarter of it. Where the force has a kink, from one facet to the next, the
/// integrator is of first order: the energy must come nearer with the step, and need not stay to its square.
void expect_smooth(const std::vector<Ride>& rides)
{
    for (const Ride& r : rides) {
        ASSERT_GT(r.steps, 0);
        EXPECT_LT(r.force_mean, 0.02);
        EXPECT_LT(r.force_most, 0.03);
    }
    EXPECT_LT(rides[1].energy_most, 0.5 * rides[0].energy_most);
    EXPECT_LT(rides[1].energy_most, 1e-3);
}

TEST(Drum, IsRoundForASphereInside)
{
    const double drum = 10 * R, overlap = 0.05;
    const SmoothSurface inside = [&](const Vec3& x) {
        const Vec3 out = Vec3(x[0], 0, x[2]);
        return SmoothTouch{out.norm() + R - drum, -out.normalized()};
    };
    const double edge = 0.15; // R: its sagitta is 0.6 % of the overlap
    const int sides = static_cast<int>(2 * std::numbers::pi * drum / (edge * R)), rows = 2 * static_cast<int>(2 / edge);
    const TriMesh mesh = lattice(sides, rows, [&](double i, double j) {
        const double angle = 2 * std::numbers::pi * (i + 0.5 * j) / sides;
        return Vec3(drum * std::cos(angle), edge * R * (j - 0.5 * rows), drum * std::sin(angle));
    });
    const double angle = 1; // from the lowest point, where it is let go
    const double depth = overlap * R * std::cos(angle);
    const Vec3 x = (drum - R + depth) * Vec3(std::sin(angle), 0, -std::cos(angle)) + Vec3(0, 0.03 * R, 0);
    std::vector<Ride> rides;
    for (const int steps : {60, 240}) // swings to and fro twice
        rides.push_back(ride(mesh, inside, x, Vec3::Zero(), overlap, 4, steps));
    expect_smooth(rides);
}

TEST(Terrain, IsSmoothForASphereThatSlidesOverIt)
{
    // height = h sin(kx) sin(ky): radius of curvature at least 1/(h k^2) = 15 R
    const double k = 2 * std::numbers::pi / (20 * R), h = 1 / (15 * R * k * k), overlap = 0.05;
    const auto height = [&](double x, double y) { return h * std::sin(k * x) * std::sin(k * y); };
    const SmoothSurface terrain = [&](const Vec3& c) {
        Vec3 n = Vec3::UnitZ();
        Vec3 p = c;
        for (int i = 0; i < 50; ++i) { // the nearest point, by its tangent plane
            p = c - R * n;
            p[2] = height(p[0], p[1]);
            n = Vec3(
                -h * k * std::cos(k * p[0]) * std::sin(k * p[1]), -h * k * std::sin(k * p[0]) * std::cos(k * p[1]), 1)
                    .normalized();
        }
        return SmoothTouch{R - (c - p).dot(n), n};
    };
    const double edge = 0.25; // R
    const int n = static_cast<int>(40 / edge);
    const TriMesh mesh = lattice(n, n, [&](double i, double j) {
        const double x = edge * R * i - 12 * R, y = edge * R * j - 16 * R;
        return Vec3(x, y, height(x, y));
    });
    const Vec3 foot(0.3 * R, 2 * R, height(0.3 * R, 2 * R));
    const Vec3 normal = terrain(foot + Vec3(0, 0, R)).n;
    std::vector<Ride> rides;
    for (const int steps : {60, 240})
        rides.push_back(ride(mesh, terrain, foot + (1 - overlap) * R * normal, Vec3(1.5, 0.4, 0), overlap, 0.8, steps));
    expect_smooth(rides);
}

} // namespace
} // namespace stickslip
