#include "granular_scenes.h"

namespace stickslip::mesh_side_test {
namespace {

constexpr double R = 0.1, rho = 1000;

/// A box of triangles, or of its upper side alone.
TriMesh plate(double half_width, double thickness, bool closed)
{
    TriMesh mesh;
    for (const double z : {0.0, -thickness})
        for (const auto& [x, y] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
            mesh.vertices.emplace_back(half_width * x, half_width * y, z);
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    if (!closed) {
        mesh.vertices.resize(4);
        return mesh;
    }
    mesh.triangles.insert(mesh.triangles.end(), {{4, 6, 5}, {4, 7, 6}});
    for (int k = 0; k < 4; ++k) {
        const int next = (k + 1) % 4;
        mesh.triangles.push_back({k, k + 4, next + 4});
        mesh.triangles.push_back({k, next + 4, next});
    }
    return mesh;
}

/// A stiffness at which a sphere of this speed goes in by `depth` radii, undamped; forty steps to the deepest place.
GranularWorld before(const TriMesh& mesh, double speed, double depth)
{
    GranularWorld world = one_material(
        {.density = rho, .stiffness = mass_of(R, rho) * std::pow(speed / (depth * R), 2), .friction = 0.3});
    world.dt = 0.5 * std::numbers::pi * depth * R / speed / 40;
    world.ledger = true;
    world.walls = {{.name = "plate", .shape = std::make_shared<const TriangulatedSurface>(mesh, EdgeRule::smooth)}};
    return world;
}

struct Rebound {
    Vec3 x, v; // [m], [m/s] when it was to be back, were the wall a plane
    double deepest; // [-] overlap over the radius
    bool passed;
    double imbalance; // [-] of the energy it had
};

Rebound rebound(const GranularWorld& world, const Vec3& x, const Vec3& v)
{
    SphereSystem system(world, {{.x = x, .radius = R, .v = v}});
    const double energy = system.ledger().kinetic_translation;
    Rebound r{};
    for (int k = 0; k < 200; ++k) {
        system.step();
        const WallContacts& wall = system.state().walls[0];
        for (std::size_t c = 0; c < wall.held_count.size(); ++c)
            for (const FacetContact& held : wall.held_by(c))
                r.deepest = std::max(r.deepest, held.overlap / R);
    }
    r.x = place_of(system, 0).x;
    r.v = motion_of(system, 0).v;
    r.passed = system.trouble().passed >= 0;
    r.imbalance = system.ledger().imbalance() / energy;
    return r;
}

TEST(MeshSide, ASphereComesBackThroughASheetFromEitherSide)
{
    for (const double side : {1.0, -1.0}) {
        for (const double depth : {0.9, 1.2, 1.8}) {
            const Rebound r = rebound(
                before(plate(1, 0, false), 10, depth), Vec3(0.013, 0.02, side * 1.05 * R), Vec3(0, 0, -side * 10));
            EXPECT_NEAR(r.v.z(), side * 10, 0.01) << "side " << side << ", depth " << depth; // of the integrator
            EXPECT_GT(side * r.x.z(), 0);
            EXPECT_NEAR(r.deepest, depth, 0.01);
            EXPECT_FALSE(r.passed);
            EXPECT_NEAR(r.imbalance, 0, 2e-3);
        }
    }
}

TEST(MeshSide, ASphereComesBackFromAPlateThinnerThanItself)
{
    for (const double thickness : {0.1, 0.4, 1.3})
        for (const double side : {1.0, -1.0}) {
            const double top = side > 0 ? 0 : -thickness * R;
            const Rebound r = rebound(before(plate(1, thickness * R, true), 10, 1.6),
                Vec3(0.013, 0.02, top + side * 1.05 * R), Vec3(0, 0, -side * 10));
            EXPECT_GT(side * r.v.z(), 9) << "side " << side << ", thickness " << thickness;
            EXPECT_FALSE(r.passed);
        }
}

TEST(MeshSide, ASphereInsideComesBackInside)
{
    const Rebound r = rebound(before(plate(1, 1, true), 10, 1.5), Vec3(0.013, 0.02, -1.05 * R), Vec3(0, 0, 10));
    EXPECT_LT(r.v.z(), -9.9);
    EXPECT_LT(r.x.z(), 0);
}

TEST(MeshSide, WhatIsTooFastPassesAndTheSystemSaysSo)
{
    for (const bool closed : {false, true}) {
        const Rebound r =
            rebound(before(plate(1, 0.3 * R, closed), 10, 3), Vec3(0.013, 0.02, 1.05 * R), Vec3(0, 0, -10));
        EXPECT_TRUE(r.passed) << closed;
    }
}

/// Spheres of mass 1 and radius 1 that fall onto a wall from several heights, far too fast for its stiffness: how many
/// are said to have passed.
int told_of(const GranularWall& wall, double way_in_a_step, int heights)
{
    GranularWorld world = one_material({.density = 3 / (4 * std::numbers::pi), .stiffness = 1e4});
    world.dt = 1e-3;
    world.walls = {wall};
    int told = 0;
    for (int k = 0; k < heights; ++k) {
        SphereSystem system(world,
            {{.x = Vec3(0.1, 0.13, 2 + way_in_a_step * k / heights),
                .radius = 1,
                .v = Vec3(0, 0, -way_in_a_step / world.dt)}});
        system.step(100);
        told += system.trouble().passed == 0;
    }
    return told;
}

TEST(MeshSide, WhatGoesFarBehindAMeshInOneStepHasPassed)
{
    const GranularWall sheet{
        .name = "sheet", .shape = std::make_shared<const TriangulatedSurface>(plate(20, 0, false), EdgeRule::smooth)};
    for (const double way : {0.3, 0.5, 0.7, 0.9})
        EXPECT_EQ(told_of(sheet, way, 10), 10) << way;
}

TEST(SolidSide, WhatIsPushedOutOnTheFarSideOfAThinBoxHasPassed)
{
    const GranularWall box{.name = "box", .shape = Box{Vec3(20, 20, 0.01)}};
    for (const double way : {0.2, 0.3, 0.5, 0.7, 0.9})
        EXPECT_EQ(told_of(box, way, 10), 10) << way;
}

TEST(SolidSide, WhatComesBackFromAThinBoxHasNotPassed)
{
    for (const double depth : {0.5, 0.95}) {
        GranularWorld world = before(plate(1, 0, false), 10, depth);
        world.walls = {{.name = "box", .shape = Box{Vec3(1, 1, 0.01 * R)}}};
        SphereSystem system(world, {{.x = Vec3(0.013, 0.02, 1.1 * R), .radius = R, .v = Vec3(0, 0, -10)}});
        system.step(200);
        EXPECT_NEAR(motion_of(system, 0).v.z(), 10, 0.01);
        EXPECT_EQ(system.trouble().passed, -1);
    }
}

TEST(SolidSide, WhatIsPushedToAndFroInTheHoleOfATorusHasNotPassed)
{
    GranularWorld world = one_material({.density = rho, .young = 1e6});
    world.gravity = Vec3(0, -9.81, 0);
    world.walls = {{.name = "torus", .shape = Torus{1.5 * R, 0.7 * R}}}; // its hole is round the y axis
    SphereSystem system(world, {{.x = Vec3(1e-3, 0.7, 2e-3) * R, .radius = R}});
    int turns = 0;
    for (int k = 0; k < 3000; ++k) {
        const WallContacts& wall = system.state().walls[0];
        const Vec3 last = wall.normal.empty() ? Vec3(Vec3::Zero()) : wall.normal[0];
        system.step();
        turns += !wall.normal.empty() && wall.normal[0].dot(last) < 0;
    }
    EXPECT_GT(turns, 10);
    EXPECT_EQ(system.trouble().passed, -1);
}

TEST(MeshSide, AMovingSheetSweepsWhatItMeets)
{
    GranularWorld world = before(plate(1, 0, false), 10, 1.4);
    world.walls[0].motion.velocity = Vec3(0, 0, 10);
    const Rebound r = rebound(world, Vec3(0.013, 0.02, 1.05 * R), Vec3::Zero());
    EXPECT_NEAR(r.v.z(), 20, 0.02);
    EXPECT_FALSE(r.passed);
}

} // namespace
} // namespace stickslip::mesh_side_test
