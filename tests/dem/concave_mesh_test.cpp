// Spheres in triangulated dents of nearly their own radius.
#include "granular_scenes.h"

#include "geometry/closed_meshes.h"
#include "geometry/concave_meshes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stickslip::concave_mesh_test {
namespace {

constexpr double k = 50; // [N/m] of a sphere of mass and radius 1 on a wall: 2 % deep under gravity 1

GranularWorld world_around(const TriMesh& mesh, double friction, NormalLaw law, double steps_a_period)
{
    const double density = 3 / (4 * std::numbers::pi);
    GranularMaterial material{.density = density, .stiffness = k, .friction = friction, .restitution = 1};
    if (law != NormalLaw::linear)
        material.young = 400; // as deep under gravity 1
    GranularWorld world = one_material(material, law);
    world.gravity = Vec3(0, -1, 0);
    world.dt = 2 * std::numbers::pi / std::sqrt(k) / steps_a_period;
    world.ledger = true;
    world.walls = {{.name = "wall", .shape = std::make_shared<const TriangulatedSurface>(mesh, EdgeRule::smooth)}};
    return world;
}

struct Orbit {
    double imbalance = nan; // [-] the greatest, over the greatest kinetic energy
    double friction_loss = nan; // [-] over the same
};

Orbit orbit(const GranularWorld& world, const Vec3& x, const Vec3& v, double time)
{
    SphereSystem system(world, {{.x = x, .radius = 1, .v = v}});
    double imbalance = 0, kinetic = 0;
    while (system.state().time < time) {
        if (!system.step())
            return {};
        const EnergyLedger e = system.ledger();
        imbalance = std::max(imbalance, std::abs(e.imbalance()));
        kinetic = std::max(kinetic, e.kinetic_translation + e.kinetic_rotation);
    }
    return {imbalance / kinetic, system.ledger().friction_loss / kinetic};
}

struct Place {
    const char* name;
    TriMesh mesh;
    Vec3 x, v;
    double left = 0; // [-] imbalance however short the step: contacts that end while they push
};
std::vector<Place> places()
{
    TriMesh funnel = cone_mesh(1, 48, 4);
    for (Vec3& p : funnel.vertices)
        p = Vec3(p.x(), p.z(), -p.y()); // upright along y
    return {{"pipe of 1.1 radii", pipe_mesh(1.1, 96, 1.5), Vec3(0.09, -0.07, 0.04), Vec3(0.05, 0, 0.002)},
        {"pipe of 1.02 radii", pipe_mesh(1.02, 48, 1.5), Vec3(0.03, -0.02, 0.04), Vec3(0.05, 0, 0.002)},
        {"hollow sphere of 1.3 radii", sphere_mesh(1.3, 3), Vec3(0.28, -0.14, 0.02), Vec3(0, 0.05, 0.1), 6e-4},
        {"hollow sphere of 1.1 radii", sphere_mesh(1.1, 3), Vec3(0.1, -0.06, 0.02), Vec3(0, 0.05, 0.1), 0.012},
        {"tip of a funnel", funnel, Vec3(0.03, std::sqrt(2.0) - 0.01, 0), Vec3(0, 0, 0.1)}};
}

TEST(ConcaveMesh, ASphereThatSwingsInItKeepsItsEnergy)
{
    for (const NormalLaw law : {NormalLaw::linear, NormalLaw::hertz})
        for (const Place& p : places()) {
            SCOPED_TRACE(p.name);
            const Orbit coarse = orbit(world_around(p.mesh, 0, law, 100), p.x, p.v, 20);
            const Orbit fine = orbit(world_around(p.mesh, 0, law, 400), p.x, p.v, 20);
            EXPECT_LT(coarse.imbalance, 0.03);
            EXPECT_LT(fine.imbalance, 0.3 * coarse.imbalance + p.left); // kinks: less than second order
        }
}

/// [-] Of k d, the greatest off 1 of the force at the same depth all round a pipe.
double greatest_error_in_pipe(double gap, double depth, int sides)
{
    const TriMesh pipe = pipe_mesh(1 + gap, sides, sides > 400 ? 0.06 : 0.2); // facets beyond are out of reach
    const GranularWorld world = world_around(pipe, 0, NormalLaw::linear, 100);
    double greatest = 0;
    for (int i = 0; i < 15; ++i) {
        const double phi = 0.37 * i, r = gap + depth;
        const SphereSystem system(
            world, {{.x = Vec3(r * std::cos(phi), r * std::sin(phi), 0.0013 * (i - 7)), .radius = 1}});
        const double force = system.state().wall_load[0].force.norm() / (k * depth);
        greatest = std::max(greatest, std::abs(force - 1));
    }
    return greatest;
}

TEST(ConcaveMesh, TheForceInItBecomesThatOfTheSmoothOneAsFacetsGetFiner)
{
    for (const double gap : {0.02, 0.05, 0.1, 0.3, 1.0})
        for (const double depth : {0.01, 0.02, 0.05}) {
            SCOPED_TRACE("gap " + std::to_string(gap) + ", depth " + std::to_string(depth));
            const double coarse = greatest_error_in_pipe(gap, depth, 96),
                         fine = greatest_error_in_pipe(gap, depth, 768);
            EXPECT_LT(fine, 0.2 * coarse);
            EXPECT_LT(fine, 0.03);
        }
}

TEST(ConcaveMesh, FrictionInItOnlyLosesWhatItIsSaidToLose)
{
    for (const NormalLaw law : {NormalLaw::linear, NormalLaw::hertz})
        for (const Place& p : places()) {
            SCOPED_TRACE(p.name);
            const Orbit coarse = orbit(world_around(p.mesh, 0.3, law, 100), p.x, p.v, 20);
            const Orbit fine = orbit(world_around(p.mesh, 0.3, law, 400), p.x, p.v, 20);
            EXPECT_LT(coarse.imbalance, 0.06);
            EXPECT_LT(fine.imbalance, 0.5 * coarse.imbalance + p.left);
            EXPECT_GT(fine.friction_loss, 0);
        }
}

TEST(ConcaveMesh, ASphereBetweenTwoPlatesIsPressedByBothInFull)
{
    TriMesh plates;
    for (const double y : {-0.99, 0.98}) {
        const int first = static_cast<int>(plates.vertices.size());
        for (const Vec3& p : {Vec3(-4, y, -4), Vec3(4, y, -4), Vec3(4, y, 4), Vec3(-4, y, 4)})
            plates.vertices.push_back(p);
        plates.triangles.push_back({first, first + 1, first + 2});
        plates.triangles.push_back({first, first + 2, first + 3});
    }
    GranularWorld world = world_around(plates, 0, NormalLaw::linear, 100);
    const SphereSystem system(world, {{.x = Vec3(0.3, 0, 0.1), .radius = 1}});
    EXPECT_NEAR(system.state().wall_load[0].force.y(), k * (0.02 - 0.01), 1e-12);
    EXPECT_NEAR(system.ledger().elastic_normal, k / 2 * (0.02 * 0.02 + 0.01 * 0.01), 1e-12);
}

/// Dragged round the bottom of a pipe it slides all the time, and no facet begins with friction anew.
TEST(ConcaveMesh, ASphereThatSlidesOverFoldsIsHeldByFrictionWithoutDips)
{
    const double gap = 0.1, mu = 0.4, spin = 3;
    GranularWorld world = world_around(pipe_mesh(1 + gap, 96, 1.5), mu, NormalLaw::linear, 200);
    world.gravity = Vec3::Zero();
    world.walls[0].motion = {}; // at rest: the sphere goes round
    SphereSystem system(
        world, {{.x = Vec3(gap + 0.02, 0, 0.01), .radius = 1, .v = Vec3(0, 0.3, 0), .w = Vec3(0, 0, spin)}});
    double least = infinity;
    for (int step = 0; step < 400; ++step) {
        ASSERT_TRUE(system.step());
        if (step < 100)
            continue; // until it slides
        const Vec3 force = -system.state().wall_load[0].force;
        const Vec3 x = place_of(system, 0).x;
        const Vec3 in = -Vec3(x.x(), x.y(), 0).normalized();
        const double normal = force.dot(in);
        if (normal > 0.1)
            least = std::min(least, (force - normal * in).norm() / normal);
    }
    EXPECT_GT(least, 0.9 * mu);
}

} // namespace
} // namespace stickslip::concave_mesh_test
