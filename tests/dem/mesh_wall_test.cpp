#include "granular_scenes.h"

#include <tbb/global_control.h>

#include <functional>

namespace stickslip::mesh_wall_test {
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

/// turn: of everything, in space.
GranularWorld over(
    const TriMesh* mesh, const GranularMaterial& material, double overlap, const Mat3& turn = Mat3::Identity())
{
    GranularMaterial m = material;
    m.density = rho;
    m.stiffness = mass_of(R, rho) * g / (overlap * R);
    GranularWorld world = one_material(m);
    world.gravity = turn * Vec3(0, 0, -g);
    world.dt = 2 * std::numbers::pi * std::sqrt(overlap * R / g) / 60;
    GranularWall wall{.name = "floor"};
    if (mesh) {
        TriMesh turned = *mesh;
        for (Vec3& x : turned.vertices)
            x = turn * x;
        wall.shape = std::make_shared<const TriangulatedSurface>(turned, EdgeRule::smooth);
    } else {
        wall.shape = Plane{turn * Vec3::UnitZ()};
    }
    world.walls = {wall};
    return world;
}

struct Travel {
    double speed, spin; // at the end, over the first speed (spin times R)
    double height_rms; // about the plane's height, over the static overlap
    double least_drag, most_drag; // tangential force / weight, while it travels
};

/// The way of a sphere over ten radii from the static overlap, at Froude number 1.
Travel travel(const GranularWorld& world, double overlap, double spin, const Mat3& turn = Mat3::Identity())
{
    const double speed = std::sqrt(g * R), weight = mass_of(R, rho) * g;
    SphereSystem system(world,
        {{.x = turn * Vec3(0, 0.0371 * R, R * (1 - overlap)),
            .radius = R,
            .v = turn * Vec3(speed, 0, 0),
            .w = turn * Vec3(0, spin, 0)}});
    Travel t = {0, 0, 0, infinity, 0};
    int steps = 0;
    for (; system.state().time < 10 * R / speed; ++steps) {
        system.step();
        const Vec3 x = turn.transpose() * place_of(system, 0).x;
        const Vec3 f = turn.transpose() * system.state().wall_load[0].force;
        t.height_rms += std::pow((x[2] / R - (1 - overlap)) / overlap, 2);
        if (system.state().time > R / speed) { // its spring is loaded by then
            t.least_drag = std::min(t.least_drag, f.head<2>().norm() / weight);
            t.most_drag = std::max(t.most_drag, f.head<2>().norm() / weight);
        }
    }
    t.height_rms = std::sqrt(t.height_rms / steps);
    t.speed = (turn.transpose() * motion_of(system, 0).v)[0] / speed;
    t.spin = (turn.transpose() * motion_of(system, 0).w)[1] * R / speed;
    return t;
}

/// Calls with every surface: edges of 0.25 to 2 R, regular or not, turned in space; overlaps of 0.1 to 10 %.
void for_every_flat_mesh(const std::function<void(const TriMesh&, double overlap, const Mat3& turn)>& visit)
{
    Random random(17);
    for (const double overlap : {0.001, 0.01, 0.1}) {
        for (const double edge : {0.25, 0.5, 1.0, 2.0}) {
            for (const double jitter : {0.0, 0.3}) {
                SCOPED_TRACE(testing::Message() << "overlap " << overlap << ", edge " << edge << ", jitter " << jitter);
                const Mat3 turn = Quat(Eigen::AngleAxisd(random.uniform(0, 3), random.vector(1).normalized())).matrix();
                visit(flat_mesh(edge * R, 26 * R, 4 * R, jitter), overlap, turn);
            }
        }
    }
}

TEST(MeshFloor, IsAsSmoothAsAPlaneForASlidingSphere)
{
    for_every_flat_mesh([](const TriMesh& mesh, double overlap, const Mat3& turn) {
        const Travel t = travel(over(&mesh, {.friction = 0}, overlap, turn), overlap, 0, turn);
        EXPECT_NEAR(t.speed, 1, 1e-6);
        EXPECT_LT(t.height_rms, 1e-3);
        EXPECT_LT(t.most_drag, 1e-6);
    });
}

TEST(MeshFloor, IsAsSmoothAsAPlaneForARollingSphere)
{
    const GranularMaterial m{.friction = 0.5, .restitution = 0.8};
    const double spin = std::sqrt(g * R) / R;
    for_every_flat_mesh([&](const TriMesh& mesh, double overlap, const Mat3& turn) {
        const Travel plane = travel(over(nullptr, m, overlap), overlap, spin);
        const Travel t = travel(over(&mesh, m, overlap, turn), overlap, spin, turn);
        EXPECT_NEAR(t.speed, plane.speed, 1e-4);
        EXPECT_NEAR(t.spin, plane.spin, 1e-4);
        EXPECT_NEAR(t.height_rms, plane.height_rms, 1e-3);
    });
}

TEST(MeshFloor, DragsASkiddingSphereAsEvenlyAsAPlane)
{
    const double mu = 0.02; // it skids for the whole way: it would roll after 2 v/(7 mu g), 14 R
    for_every_flat_mesh([&](const TriMesh& mesh, double overlap, const Mat3& turn) {
        const GranularMaterial m{.friction = mu, .restitution = 0.8};
        const Travel plane = travel(over(nullptr, m, overlap), overlap, 0); // swings a little as the spring is loaded
        const Travel t = travel(over(&mesh, m, overlap, turn), overlap, 0, turn);
        EXPECT_NEAR(plane.least_drag, mu, 0.02 * mu);
        EXPECT_NEAR(t.least_drag, plane.least_drag, 1e-3 * mu);
        EXPECT_NEAR(t.most_drag, plane.most_drag, 1e-3 * mu);
    });
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

TEST(MeshWall, IsNearTheSpheresThatComeNearerThanTheMargin)
{
    const TriMesh mesh = flat_mesh(0.7 * R, 10 * R, 10 * R, 0.2);
    GranularWall wall{.name = "floor", .shape = std::make_shared<const TriangulatedSurface>(mesh, EdgeRule::smooth)};
    wall.start = {Vec3(0.1, 0.2, 0.3), Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized())).matrix()};
    Random random(5);
    Spheres spheres;
    for (int i = 0; i < 1000; ++i)
        spheres.place.push_back({wall.start.to_world(random.vector(4 * R)), random.uniform(0.3 * R, R)});
    const double margin = 0.2 * R;
    const NearWall near = near_wall(wall, wall.start, spheres, make_sphere_blocks(spheres), margin);
    std::vector<int> expected, first = {0}, facets;
    for (int i = 0; i < 1000; ++i) {
        const Vec3 x = wall.start.to_local(spheres.place[i].x);
        for (int f = 0; f < static_cast<int>(mesh.triangles.size()); ++f) {
            const auto& [a, b, c] = mesh.triangles[f];
            const TrianglePoint foot =
                closest_point_on_triangle(x, mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
            if ((foot.point - x).norm() < spheres.place[i].radius + margin)
                facets.push_back(f);
        }
        if (static_cast<int>(facets.size()) > first.back()) {
            expected.push_back(i);
            first.push_back(static_cast<int>(facets.size()));
        }
    }
    EXPECT_GT(expected.size(), 100u);
    EXPECT_LT(expected.size(), 900u);
    EXPECT_EQ(near.sphere, expected);
    EXPECT_EQ(near.first_facet, first);
    EXPECT_EQ(near.facet, facets);
}

TEST(NearWall, OfABoundedSolidIsThatOfAllSpheresTestedOneByOne)
{
    Random random(6);
    Spheres spheres; // along a line: most blocks are far from a solid
    for (int i = 0; i < 3000; ++i)
        spheres.place.push_back({Vec3(0.02 * R * i, 0, 0) + random.vector(2 * R), random.uniform(0.3 * R, R)});
    const SphereBlocks blocks = make_sphere_blocks(spheres);
    const Quat turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
    for (const LevelSet& solid :
        {LevelSet(Box{Vec3(3, 5, 1) * R}), LevelSet(Plane{Vec3::UnitX()}), LevelSet(Sphere{4 * R})}) {
        GranularWall wall{.name = "solid", .shape = solid};
        wall.start = {Vec3(30 * R, 1 * R, 0), turn.matrix()};
        std::vector<int> expected;
        for (int i = 0; i < 3000; ++i)
            if (signed_distance(solid, wall.start.to_local(spheres.place[i].x)) < spheres.place[i].radius + 0.2 * R)
                expected.push_back(i);
        EXPECT_GT(expected.size(), 100u);
        EXPECT_EQ(near_wall(wall, wall.start, spheres, blocks, 0.2 * R).sphere, expected);
    }
    const SphereBlocks none = {.boxes = std::vector<Bounds>(blocks.boxes.size())}; // it is they that say who is far
    const GranularWall wall{.name = "box", .shape = Box{Vec3(3, 5, 1) * R}};
    EXPECT_TRUE(near_wall(wall, wall.start, spheres, none, 0.2 * R).sphere.empty());
}

/// A sphere that bounces and rolls over folds in a mesh of edges far smaller than itself.
TEST(MeshWall, OfFineFacetsGivesTheSameBitsHoweverFewOfThemAreLookedAt)
{
    TriMesh mesh = flat_mesh(0.12 * R, 8 * R, 4 * R, 0.2);
    for (Vec3& x : mesh.vertices)
        x.z() = 0.15 * R * std::sin(3 * x.x() / R) * std::cos(2 * x.y() / R);
    GranularWorld world = over(&mesh, {.friction = 0.5, .restitution = 0.9}, 0.01);
    const auto end = [&](double skin) { // few are near with a narrow skin, and then all of them are looked at
        world.skin = skin * R;
        SphereSystem system(
            world, {{.x = Vec3(0.3 * R, 0.1 * R, 1.4 * R), .radius = R, .v = Vec3(0.5, 0.1, 0) * std::sqrt(g * R)}});
        int touched = 0;
        for (int k = 0; k < 2000; ++k) {
            system.step();
            touched += system.touching() > 0;
        }
        EXPECT_GT(touched, 200);
        return system.state().spheres;
    };
    const Spheres all = end(1e-9);
    EXPECT_GT(all.place[0].x.x(), 2 * R);
    for (const double skin : {0.03, 0.4, 2.0}) {
        const Spheres some = end(skin);
        EXPECT_EQ(some.place[0].x, all.place[0].x) << skin;
        EXPECT_EQ(some.motion[0].w, all.motion[0].w) << skin;
    }
}

TEST(MeshWall, GivesTheSameBitsWithOneAndTwoThreads)
{
    const TriMesh mesh = flat_mesh(0.7 * R, 70 * R, 70 * R, 0.2);
    const auto run = [&](std::size_t threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        Random random(8);
        std::vector<Grain> grains;
        for (int i = 0; i < 900; ++i) // some overlap; all of them meet the floor
            grains.push_back({.x = R * Vec3(2.0 * (i % 30), 2.0 * (i / 30) - 30, 0.99),
                .radius = R,
                .v = random.vector(0.5),
                .w = random.vector(5)});
        GranularWorld world = over(&mesh, {.friction = 0.5, .restitution = 0.6, .rolling_friction = 0.05}, 0.01);
        world.ledger = true;
        SphereSystem system(world, grains);
        system.step(100);
        EXPECT_GT(system.touching(), 300u);
        return state_hash(system.state());
    };
    EXPECT_EQ(run(1), run(2));
}

} // namespace
} // namespace stickslip::mesh_wall_test
