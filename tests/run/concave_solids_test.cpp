// Solids that a sphere may touch in several places at once.
#include "stickslip/geometry/solids/grid_level_set.h"
#include "support/finished_run.h"
#include "support/granular_scenes.h"
#include "support/temporary_folder.h"

#include <array>
#include <cmath>
#include <fstream>

namespace stickslip::concave_solids_test {
namespace {

constexpr double radius = 0.1; // [m] of the sphere

const std::string foam = "  foam: {density: 25, kn: 1e4, restitution: 0.3, rolling_friction: 0.01}\n";

std::string lying(const std::string& body, const Vec3& x)
{
    return body + "  - {name: ball, kind: spheres, material: foam, radius: 0.1, positions: [[" + std::to_string(x.x())
        + ", " + std::to_string(x.y()) + ", " + std::to_string(x.z()) + "]]}\n";
}

SphereSystem begun(const GranularScene& scene)
{
    return SphereSystem(scene.granular().world, scene.granular().grains);
}

bool has_note(const GranularScene& scene, const std::string& text)
{
    const std::vector<std::string>& notes = scene.built().notes;
    return std::any_of(
        notes.begin(), notes.end(), [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

/// Force [N] of one contact over its depth [m].
double stiffness()
{
    const GranularScene scene(lying(floor_body, Vec3(0, 0.9 * radius, 0)), ".", foam);
    return -begun(scene).state().wall_load[0].force.y() / (0.1 * radius);
}

const std::string ring = "  - {name: ring, kind: obstacle, shape: {torus: {major: 0.1, minor: 0.03}}}\n";
const std::string held_ring = "  - {name: ring, kind: rigid, material: foam, shape: {torus: {major: 0.1, minor: "
                              "0.03}}, fixed_dofs: [x, y, z, rx, ry, rz]}\n";

TEST(NarrowHole, ASphereInItComesToRest)
{
    for (const std::string& body : {ring, held_ring}) {
        const GranularScene scene(lying(body, Vec3(0.002, 0.1, 0.001)), ".", foam + "contact: {friction: 0.5}\n");
        EXPECT_EQ(format(scene.result.warnings), "");
        EXPECT_TRUE(has_note(scene, "ring: spheres meet it by ")) << body;
        SphereSystem system = begun(scene);
        double most = 0;
        while (system.state().time < 1.2) {
            ASSERT_TRUE(system.step());
            most = std::max(most, system.ledger().kinetic_translation);
        }
        const EnergyLedger end = system.ledger();
        EXPECT_GT(most, 1e-3);
        EXPECT_LT(end.kinetic_translation + end.kinetic_rotation, 1e-12);
        const Vec3 x = system.state().spheres.place[0].x;
        EXPECT_LT(std::hypot(x.x(), x.z()), 1e-4); // in the middle
        EXPECT_NEAR(x.y(), std::sqrt(0.13 * 0.13 - 0.1 * 0.1), 2e-3);
    }
}

/// Contacts all round a circle, whose normals rise by sin = s, push lambda = k d/mean(g) together, g the common part of
/// two of them: c^2 (1 + c)/2 with c = s^2 + (1 - s^2) cos(turn).
TEST(NarrowHole, CarriesByTheWholeCircle)
{
    const double k = stiffness();
    for (const double depth : {0.03, 0.05}) { // [-]
        const double apart = 0.13 - depth * radius, s = std::sqrt(1 - std::pow(0.1 / apart, 2)), h2 = 1 - s * s;
        const double s2 = s * s;
        const double common = 0.5 * (s2 * s2 + h2 * h2 / 2 + s2 * s2 * s2 + 1.5 * s2 * h2 * h2);
        const GranularScene scene(lying(ring, Vec3(0, s * apart, 0)), ".", foam);
        const Vec3 force = -begun(scene).state().wall_load[0].force;
        EXPECT_NEAR(force.y() / (k * depth * radius * s / common), 1, 0.03) << depth;
        EXPECT_LT(std::hypot(force.x(), force.z()), 1e-3 * force.y());
    }
}

TEST(NarrowHole, WiderOnesKeepTheExactSurface)
{
    for (const char* minor : {"0.03", "0.02"}) {
        const GranularScene scene(lying("  - {name: ring, kind: obstacle, shape: {torus: {major: 0.13, minor: "
                                          + std::string(minor) + "}}}\n",
                                      Vec3(0, 1, 0)),
            ".", foam);
        EXPECT_TRUE(std::holds_alternative<LevelSet>(scene.granular().world.walls[0].shape)) << minor;
    }
    const std::string passing = lying(ring, Vec3(0, 1, 0));
    const GranularScene scene(passing, ".", foam + "contact: {pairs: [{bodies: [ring, ball], enabled: false}]}\n");
    EXPECT_TRUE(std::holds_alternative<LevelSet>(scene.granular().world.walls[0].shape));
}

TEST(NarrowHole, NoSphereBeginsWithinTheTube)
{
    const SceneResult read = read_scene_text(
        "stickslip: 1\ntime: {step: auto, end: 0.1}\nsolver: {integration: explicit}\nmaterials: {foam: {density: "
        "25, kn: 1e4}}\nbodies:\n"
            + lying(ring, Vec3(0.1, 0, 0)),
        "scene.yaml");
    ASSERT_EQ(format(read.faults), "");
    EXPECT_NE(format(build_world(read.scene, ".").faults).find("with the centre inside \"ring\""), std::string::npos);
}

TEST(NarrowHole, OfToriTooLargeForTrianglesIsWarnedOf)
{
    const GranularScene scene(
        "  - {name: ring, kind: obstacle, shape: {torus: {major: 100, minor: 99.95}}}\n" + lying("", Vec3(0, 200, 0)),
        ".", foam);
    const std::string said = format(scene.result.warnings);
    EXPECT_NE(said.find("warning: bodies.ring.shape: hole of radius 0.05 m, too narrow for spheres of radius 0.1 m: "),
        std::string::npos)
        << said;
}

/// A block with a groove of a right angle along z, its bottom at (0, -0.1): section and ends.
TriMesh grooved_block()
{
    const std::array<Vec3, 7> section = {Vec3(-1, -0.5, 0), Vec3(1, -0.5, 0), Vec3(1, 0.5, 0), Vec3(0.6, 0.5, 0),
        Vec3(0, -0.1, 0), Vec3(-0.6, 0.5, 0), Vec3(-1, 0.5, 0)};
    constexpr int n = 7, bottom = 4;
    TriMesh mesh;
    for (const double z : {-0.5, 0.5})
        for (const Vec3& p : section)
            mesh.vertices.push_back(p + z * Vec3::UnitZ());
    for (int i = 0; i < n; ++i) {
        const int next = (i + 1) % n;
        mesh.triangles.push_back({i, next, n + next});
        mesh.triangles.push_back({i, n + next, n + i});
        if (i == bottom || next == bottom)
            continue;
        mesh.triangles.push_back({n + bottom, n + i, n + next});
        mesh.triangles.push_back({bottom, next, i});
    }
    return mesh;
}

struct SampledGroove {
    TemporaryFolder folder;
    std::string body = "  - {name: groove, kind: obstacle, shape: {level_set: {file: groove.grid}}}\n";

    explicit SampledGroove(double spacing = 1.0 / 64)
    {
        std::ofstream out(folder.path() / "groove.grid", std::ios::binary);
        build_grid_level_set(grooved_block(), {.spacing = spacing})->save(out);
    }
};

double height_in_groove(double from_faces) // [m] of a centre
{
    return -0.1 + std::sqrt(2.0) * from_faces;
}

TEST(SampledGroove, PushesASphereFromBothSides)
{
    const SampledGroove groove;
    const double depth = 0.05 * radius;
    const GranularScene scene(
        lying(groove.body, Vec3(0, height_in_groove(radius - depth), 0.01)), groove.folder.path(), foam);
    EXPECT_TRUE(has_note(scene, "groove: spheres meet it by "));
    const SphereSystem system = begun(scene);
    EXPECT_EQ(system.state().walls[0].held_count[0], 2);
    const Vec3 force = -system.state().wall_load[0].force;
    EXPECT_NEAR(force.y() / (std::sqrt(2.0) * stiffness() * depth), 1, 0.03);
    EXPECT_LT(std::hypot(force.x(), force.z()), 0.03 * force.y());
}

TEST(SampledGroove, LetsASphereComeToRest)
{
    const SampledGroove groove;
    const GranularScene scene(
        lying(groove.body, Vec3(0.05, 0.2, 0.01)), groove.folder.path(), foam + "contact: {friction: 0.5}\n");
    SphereSystem system = begun(scene);
    while (system.state().time < 3)
        ASSERT_TRUE(system.step());
    const EnergyLedger end = system.ledger();
    EXPECT_LT(end.kinetic_translation + end.kinetic_rotation, 1e-12);
    EXPECT_NEAR(system.state().spheres.place[0].x.y(), height_in_groove(radius), 0.02 * radius);
}

/// Spheres that reach far out of the grid, where the sampled distance is less than the true one.
TEST(SampledGroove, HoldsLargeSpheresWhereTheyTouch)
{
    const SampledGroove groove(1.0 / 16);
    for (const bool is_explicit : {true, false}) {
        const SceneResult read =
            read_scene_text(std::string("stickslip: 1\ntime: {step: ") + (is_explicit ? "auto" : "0.005")
                    + ", end: 1.5, frame: 1.5}\ncontact: {friction: 0.5}\nsolver: {integration: "
                    + (is_explicit ? "explicit" : "implicit")
                    + "}\nmaterials: {glass: {density: 2500, kn: 2e6, restitution: 0.3}}\nbodies:\n" + groove.body
                    + "  - {name: ball, kind: rigid, shape: {sphere: 0.5}, material: glass, position: [0, 0.62, 0]}\n"
                      "expect:\n  - {body: ball, metric: position, axis: y, near: "
                    + std::to_string(height_in_groove(0.5))
                    + ", within: 0.02}\n  - {body: ball, metric: speed, max: 1e-3}\n",
                "scene.yaml");
        ASSERT_EQ(format(read.faults), "");
        const BuildResult built = build_world(read.scene, groove.folder.path());
        ASSERT_EQ(format(built.faults), "");
        const TemporaryFolder folder;
        const RunResult result = run_scene(
            read.scene, built.built, {.scene_folder = groove.folder.path(), .folder = folder.path() / "out"}, {});
        EXPECT_EQ(result.status, RunStatus::done);
        for (const ExpectationResult& e : result.expect)
            EXPECT_TRUE(e.holds) << is_explicit << " " << e.metric << " " << e.value[0];
    }
}

} // namespace
} // namespace stickslip::concave_solids_test
