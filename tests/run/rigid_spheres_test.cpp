#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/run/run.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

namespace stickslip::rigid_spheres_test {
namespace {

constexpr const char* head = "stickslip: 1\ntime: {step: 0.01, end: 0.1}\n"
                             "materials: {glass: {density: 2500}}\nbodies:\n";

TEST(RigidSpheres, AreOneRigidBodyEachInAnImplicitRun)
{
    const SceneResult read = read_scene_text(std::string(head)
            + "  - {name: sand, kind: spheres, material: glass, radii: [0.1, 0.2], positions: [[1, 0, 0], [0, 2, 0]], "
              "position: [0, 0, 5], rotation: {axis: [0, 0, 1], degrees: 90}, velocity: [1, 2, 3], "
              "angular_velocity: [4, 5, 6]}\n"
              "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n"
              "expect:\n  - {body: sand, metric: speed, max: 10}\n",
        "scene.yaml");
    ASSERT_EQ(format(read.faults), "");
    ASSERT_EQ(read.scene.bodies.size(), 3u);
    EXPECT_EQ(read.scene.expect.size(), 2u) << "one for each";
    const BuildResult result = build_world(read.scene, ".");
    ASSERT_EQ(format(result.faults), "");
    const World& world = result.built.world;
    const State& state = result.built.state;
    ASSERT_EQ(world.rigids.size(), 2u);
    EXPECT_EQ(world.rigids[1].name, "sand[1]");
    EXPECT_NEAR(world.rigids[1].mass, 2500 * 4 * std::numbers::pi / 3 * 0.008, 1e-12 * world.rigids[1].mass);
    EXPECT_LT((state.rigid[0].x - Vec3(0, 1, 5)).norm(), 1e-15);
    EXPECT_LT((state.rigid[1].x - Vec3(-2, 0, 5)).norm(), 1e-15);
    for (const RigidState& sphere : state.rigid) {
        EXPECT_EQ(sphere.v, Vec3(1, 2, 3));
        EXPECT_EQ(sphere.w, Vec3(4, 5, 6));
    }
}

TEST(RigidSpheres, MeetDeformableBodiesByTheirTriangles)
{
    const std::string pad =
        "  - {name: pad, kind: deformable, shape: {box: [1, 1, 1]}, resolution: 0.5, material: glass}\n";
    const std::vector<std::string> elastic = {"materials.glass.young=1e6", "materials.glass.poisson=0.4"};
    const auto surface_with = [&](const std::string& other, std::vector<std::string> set = {}) {
        set.insert(set.end(), elastic.begin(), elastic.end());
        const SceneResult read = read_scene_text(head + pad + other, "scene.yaml", set);
        EXPECT_EQ(format(read.faults), "");
        const BuildResult result = build_world(read.scene, ".");
        EXPECT_EQ(format(result.faults), "");
        return result.built.world.deformables.bodies[0].surface;
    };
    const std::string ball = "  - {name: ball, kind: rigid, shape: {sphere: 0.1}, material: glass}\n";
    const std::string box = "  - {name: box, kind: rigid, shape: {box: [1, 1, 1]}, material: glass}\n";
    EXPECT_EQ(surface_with(box), nullptr) << "nobody asks for it";
    const auto surface = surface_with(ball);
    ASSERT_NE(surface, nullptr);
    EXPECT_EQ(surface->topology.facets.size(), 48u);
    EXPECT_EQ(surface->rule, EdgeRule::smooth);
    EXPECT_EQ(surface_with(ball, {"bodies.pad.edges=raw"})->rule, EdgeRule::raw);
    EXPECT_EQ(surface_with(ball, {"bodies.pad.edges=zones"})->rule, EdgeRule::zones);
}

TEST(RigidSpheres, RollOverTrianglesByZonesInAnImplicitRun)
{
    TemporaryFolder folder;
    write_file_atomically(folder.path() / "floor.obj",
        "v -1 0 -1\nv 4 0 -1\nv 4 0 1\nv -1 0 1\nv 0.3 0 0.1\nf 2 1 5\nf 3 2 5\nf 4 3 5\nf 1 4 5\n");
    const SceneResult read =
        read_scene_text("stickslip: 1\ntime: {step: 0.01, end: 0.5}\ncontact: {friction: 0.5}\n"
                        "materials: {oak: {density: 700}}\nbodies:\n"
                        "  - {name: floor, kind: obstacle, shape: {mesh: {file: floor.obj}}, edges: zones}\n"
                        "  - {name: ball, kind: rigid, shape: {sphere: 0.1}, material: oak, position: "
                        "[0, 0.1, 0], velocity: [1.4, 0, 0]}\n"
                        "expect:\n  - {body: ball, metric: speed, near: 1, within: 1.0e-4}\n"
                        "  - {metric: failed_solves, max: 0}\n",
            "scene.yaml");
    ASSERT_EQ(format(read.faults), "");
    const BuildResult built = build_world(read.scene, folder.path());
    ASSERT_EQ(format(built.faults), "");
    const RunResult run =
        run_scene(read.scene, built.built, {.scene_folder = folder.path(), .folder = folder.path() / "out"}, {});
    EXPECT_TRUE(run.expectations_hold());
}

TEST(RigidSpheres, AreThoseThatAnExplicitRunHas)
{
    const std::string body = "  - {name: sand, kind: spheres, material: glass, fill: {sphere: 0.2, count: 30, seed: 4, "
                             "sizes: {min: 0.01, max: 0.02}}}\n";
    const SceneResult implicit = read_scene_text(std::string(head) + body, "scene.yaml");
    ASSERT_EQ(format(implicit.faults), "");
    const SceneResult verlet = read_scene_text(std::string(head) + body, "scene.yaml",
        {"solver.integration=explicit", "materials.glass.kn=1e4", "time.step=auto"});
    ASSERT_EQ(format(verlet.faults), "");
    const BuildResult rigid = build_world(implicit.scene, "."), grains = build_world(verlet.scene, ".");
    ASSERT_EQ(rigid.built.world.rigids.size(), 30u);
    for (std::size_t i = 0; i < 30; ++i) {
        EXPECT_EQ(rigid.built.state.rigid[i].x, grains.built.granular->grains[i].x);
        EXPECT_EQ(std::get<Sphere>(rigid.built.world.rigids[i].solid).radius, grains.built.granular->grains[i].radius);
    }
}

TEST(RigidSpheres, MayStandInAFile)
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "places.csv") << "x,y,z,radius\n1,2,3,0.5\n4,5,6,0.25\n";
    const std::string text =
        std::string(head) + "  - {name: sand, kind: spheres, material: glass, positions: {file: places.csv}}\n";
    const SceneResult read = read_scene_text(text, (folder.path() / "scene.yaml").string());
    ASSERT_EQ(format(read.faults), "");
    ASSERT_EQ(read.scene.bodies.size(), 2u);
    EXPECT_EQ(read.scene.bodies[1].position, Vec3(4, 5, 6));
    const SceneResult missing = read_scene_text(text, "nowhere/scene.yaml");
    EXPECT_TRUE(missing.unreadable);
    EXPECT_NE(format(missing.faults).find("bodies.sand.positions"), std::string::npos) << format(missing.faults);
}

TEST(RigidSpheres, TellWhatOnlyAnExplicitRunHas)
{
    const SceneResult inlet = read_scene_text(std::string(head)
            + "  - {name: sand, kind: spheres, material: glass, radius: 0.01, inlet: {box: [1, 1, 1], rate: 1}}\n",
        "scene.yaml");
    EXPECT_EQ(
        format(inlet.faults).find("scene.yaml:5:64: error: bodies.sand.inlet: needs `solver.integration: explicit`\n"),
        0u)
        << format(inlet.faults);
    const SceneResult many = read_scene_text(std::string(head)
            + "  - {name: sand, kind: spheres, material: glass, radius: 0.001, fill: {box: [1, 1, 1], count: 50001}}\n",
        "scene.yaml");
    EXPECT_NE(format(many.faults)
                  .find("bodies.sand.fill: more than 50000 bodies in the scene; each sphere of an implicit run is one"),
        std::string::npos)
        << format(many.faults);
}

} // namespace
} // namespace stickslip::rigid_spheres_test
