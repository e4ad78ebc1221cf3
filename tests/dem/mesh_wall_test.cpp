#include "granular_scenes.h"

namespace stickslip {
namespace {

constexpr double R = 0.1, rho = 1000, g = 10;

/// A flat triangulated rectangle about the origin, its vertices moved at random in the plane by `jitter` edges.
TriMesh flat_mesh(double edge, double length, double width, double jitter)
{
    Random random(21);
    TriMesh mesh;
    const int nx = static_cast<int>(std::ceil(length / edge)), ny = 2 * static_cast<int>(std::ceil(width / edge / 2));
    for (int j = 0; j <= ny; ++j) {
        for (int i = 0; i <= nx; ++i)
            mesh.vertices.push_back(
                edge * Vec3(i - 3 + jitter * random.uniform(-1, 1), j - ny / 2 + jitter * random.uniform(-1, 1), 0));
    }
    for (int j = 0; j < ny; ++j) {
        for (int i = 0; i < nx; ++i) {
            const int a = j * (nx + 1) + i, b = a + 1, c = a + nx + 1, d = c + 1;
            mesh.triangles.push_back({a, b, d});
            mesh.triangles.push_back({a, d, c});
        }
    }
    return mesh;
}

GranularWorld over(const TriMesh* mesh, const GranularMaterial& material, double overlap)
{
    GranularMaterial m = material;
    m.density = rho;
    m.stiffness = mass_of(R, rho) * g / (overlap * R);
    GranularWorld world = one_material(m);
    world.gravity = Vec3(0, 0, -g);
    world.dt = 2 * std::numbers::pi * std::sqrt(overlap * R / g) / 60;
    GranularWall wall{.name = "floor"};
    if (mesh)
        wall.shape = make_wall_mesh(*mesh);
    else
        wall.shape = Plane{Vec3::UnitZ()};
    world.walls = {wall};
    return world;
}

struct Travel {
    double speed, spin, height, pulses; // pulses: largest horizontal force / weight
};

Travel travel(const GranularWorld& world, double overlap, double spin)
{
    const double speed = std::sqrt(g * R);
    SphereSystem system(world,
        {{.x = Vec3(0, 0.0371 * R, R * (1 - overlap)), .radius = R, .v = Vec3(speed, 0, 0), .w = Vec3(0, spin, 0)}});
    Travel t = {0, 0, 0, 0};
    while (place_of(system, 0).x[0] < 20 * R && system.state().time < 10) {
        system.step();
        t.height = std::max(t.height, std::abs(place_of(system, 0).x[2] / (R * (1 - overlap)) - 1));
        t.pulses = std::max(t.pulses, system.state().wall_load[0].force.head<2>().norm() / (mass_of(R, rho) * g));
    }
    t.speed = motion_of(system, 0).v[0] / speed;
    t.spin = motion_of(system, 0).w[1] * R / speed;
    return t;
}

TEST(MeshFloor, IsAsSmoothAsAPlaneForASlidingSphere)
{
    for (const double overlap : {0.001, 0.01, 0.1}) {
        for (const double edge : {0.25, 1.0}) {
            const TriMesh mesh = flat_mesh(edge * R, 26 * R, 4 * R, 0.3);
            const Travel t = travel(over(&mesh, {.friction = 0}, overlap), overlap, 0);
            EXPECT_NEAR(t.speed, 1, 1e-6) << "overlap " << overlap << ", edge " << edge;
            EXPECT_LT(t.height, 1e-3 * overlap);
            EXPECT_LT(t.pulses, 1e-6);
        }
    }
}

TEST(MeshFloor, IsAsSmoothAsAPlaneForARollingSphere)
{
    for (const double overlap : {0.01, 0.05}) {
        const TriMesh mesh = flat_mesh(0.5 * R, 26 * R, 4 * R, 0.3);
        const GranularMaterial m{.friction = 0.5, .restitution = 0.8};
        const double spin = std::sqrt(g * R) / R;
        const Travel plane = travel(over(nullptr, m, overlap), overlap, spin);
        const Travel t = travel(over(&mesh, m, overlap), overlap, spin);
        EXPECT_NEAR(t.speed, plane.speed, 1e-9);
        EXPECT_NEAR(t.spin, plane.spin, 1e-9);
        EXPECT_NEAR(t.height, plane.height, 1e-9);
    }
}

TEST(MeshWall, ThatTurnsGivesWhatATurningPlaneGives)
{
    // tilted, moved and turned by a script: the springs are kept in the wall's frame, for the plane in the world's
    const TriMesh mesh = flat_mesh(0.6 * R, 10 * R, 10 * R, 0.2);
    const GranularMaterial m{.friction = 0.5, .restitution = 0.6, .rolling_friction = 0.05, .twisting_friction = 0.05};
    const auto run = [&](const TriMesh* surface) {
        GranularWorld world = over(surface, m, 0.01);
        world.ledger = true;
        world.dt /= 20;
        world.walls[0].motion.angular_velocity = Vec3(0.1, 0.2, 1.5);
        world.walls[0].motion.velocity = Vec3(0.05, 0, 0.02);
        SphereSystem system(world, {{.x = Vec3(R, R, R), .radius = R, .v = Vec3(0.1, 0, 0)}});
        system.step(3000);
        EXPECT_EQ(system.touching(), 1u);
        const EnergyLedger e = system.ledger();
        EXPECT_NEAR(e.imbalance(), 0, 2e-4 * (e.wall_work + e.first));
        return std::pair(motion_of(system, 0), system.state().wall_load[0]);
    };
    const auto [plane, plane_load] = run(nullptr);
    const auto [meshed, mesh_load] = run(&mesh);
    EXPECT_CLOSE_ALL(meshed.v, plane.v, 1e-5);
    EXPECT_CLOSE_ALL(meshed.w, plane.w, 1e-4);
    EXPECT_CLOSE_ALL(mesh_load.force, plane_load.force, 1e-3 * plane_load.force.norm());
}

} // namespace
} // namespace stickslip
