#include "geometry/closed_meshes.h"
#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "support/extruded.h"
#include "support/temporary_folder.h"
#include "support/thin_walls.h"

#include <gtest/gtest.h>

/// By what a mesh is met, and how its distance is sampled.
namespace stickslip::mesh_sampling_test {
namespace {

class MeshSampled : public testing::Test {
protected:
    MeshSampled()
    {
        const auto write = [&](const char* name, const TriMesh& mesh) {
            write_file_atomically(folder_.path() / name, obj_text(mesh));
        };
        write("thin.obj", channel(0.01, 3));
        write("thick.obj", channel(0.035, 3));
        write("coarse.obj", channel(0.01, 0));
        write("foil.obj", channel(0.002, 3));
        write("ball.obj", sphere_mesh(0.5, 4));
        write("fine_ball.obj", sphere_mesh(0.5, 6)); // 32,768
        write("disc.obj", disc(256, 0.004));
    }

    BuildResult build(const std::string& mesh, const std::string& more, const std::string& bodies, bool is_explicit)
    {
        const SceneResult read = read_scene_text(std::string("stickslip: 1\ntime: {step: 1e-3, end: 0.01}\n")
                + (is_explicit ? "solver: {integration: explicit}\n" : "solver: {integration: implicit}\n")
                + "materials: {m: {density: 1000, young: 1e6, poisson: 0.3}}\nbodies:\n  - {name: it, kind: obstacle, "
                  "material: m, shape: {mesh: {file: "
                + mesh + "}}" + more + "}\n" + bodies,
            "scene.yaml");
        EXPECT_EQ(format(read.faults), "");
        return build_world(read.scene, folder_.path());
    }

    BuildResult implicit(const std::string& mesh, const std::string& more = "", const std::string& bodies = box)
    {
        return build(mesh, more, bodies, false);
    }

    static double cell(const LevelSet& solid)
    {
        const auto* grid = std::get_if<std::shared_ptr<const GridLevelSet>>(&solid);
        return grid ? (*grid)->spacing() : 0;
    }

    inline static const std::string box =
        "  - {name: box, kind: rigid, material: m, position: [0, 1, 0], shape: {box: [0.1, 0.1, 0.1]}}\n";
    TemporaryFolder folder_;
};

// Or where it has no more than 20,000 triangles.
TEST_F(MeshSampled, IsMetByItsTrianglesWhereTheUsualGridDoesNotShowItsWalls)
{
    for (const auto& [mesh, by_triangles] : {std::pair{"thin.obj", true}, {"foil.obj", true}, {"coarse.obj", true},
             {"thick.obj", true}, {"ball.obj", true}, {"fine_ball.obj", false}, {"disc.obj", true}}) {
        const BuildResult result = implicit(mesh);
        ASSERT_TRUE(result.good()) << format(result.faults);
        EXPECT_EQ(result.built.world.obstacles.front().by_triangles, by_triangles) << mesh;
        EXPECT_EQ(format(result.warnings), "") << mesh;
    }
}

TEST_F(MeshSampled, IsFineWhereItsDistanceIsMet)
{
    EXPECT_DOUBLE_EQ(cell(implicit("thick.obj").built.world.obstacles.front().solid), 1.0 / 64);
    const std::string ring =
        "  - {name: ring, kind: rigid, material: m, position: [0, 1, 0], shape: {torus: {major: 0.1, minor: 0.02}}}\n";
    for (const BuildResult& result :
        {implicit("thin.obj", ", contact_geometry: level_set"), implicit("thin.obj", "", ring)}) {
        EXPECT_NEAR(cell(result.built.world.obstacles.front().solid), 0.005, 1e-9);
        EXPECT_EQ(format(result.warnings), "");
    }
}

TEST_F(MeshSampled, TellsOfWallsThatItDoesNotShow)
{
    const auto expect = [](const BuildResult& result, const std::string& text) {
        ASSERT_EQ(result.warnings.size(), 1u);
        EXPECT_NE(format(result.warnings).find(text), std::string::npos) << format(result.warnings);
    };
    const std::string at = "scene.yaml:6:66: warning: bodies.it.shape.mesh.file: has walls or slots of ";
    expect(implicit("thin.obj, spacing: 0.008"),
        at
            + "0.01 m, thinner than two cells (0.008 m) of the grid on which its distance is sampled: they may not be "
              "felt; give a `spacing` of at most 0.005 m, or `contact_geometry: mesh`");
    EXPECT_EQ(format(implicit("thin.obj, spacing: 0.005").warnings), "");
    expect(implicit("foil.obj", ", contact_geometry: level_set"), at + "0.002 m, thinner than two cells");
    const std::string tube = "  - {name: tube, kind: rigid, material: m, position: [0, 1, 0], shape: {cylinder: "
                             "{radius: 0.1, height: 1}}}\n";
    EXPECT_EQ(format(implicit("foil.obj", "", tube).warnings), "") << "it meets triangles";
}

// A groove of 0.1 m in 30 m of terrain.
TEST_F(MeshSampled, TellsOfWhatMaterialPointsFeelRounded)
{
    write_file_atomically(folder_.path() / "terrain.obj",
        obj_text(extruded({{0, 0}, {30, 0}, {30, 1}, {15.1, 1}, {15.1, 0.85}, {15, 0.85}, {15, 1}, {0, 1}}, 30)));
    const std::string sand = "  - {name: sand, kind: mpm, material: m, position: [15, 1.5, 0], resolution: 0.05, "
                             "particles_per_cell: 8, shape: {box: [0.2, 0.2, 0.2]}}\n";
    const std::string text = format(implicit("terrain.obj", "", sand).warnings);
    EXPECT_NE(text.find("bodies.it.shape.mesh.file: has edges of 0.1 m, shorter than two cells ("), std::string::npos)
        << text;
    EXPECT_NE(text.find("material points, 0.025 m apart, feel it rounded"), std::string::npos) << text;
    for (const std::string mesh : {"terrain.obj, spacing: 0.25", "thick.obj"})
        EXPECT_EQ(format(implicit(mesh, "", sand).warnings).find("feel it rounded"), std::string::npos) << mesh;
    EXPECT_EQ(format(implicit("terrain.obj").warnings).find("feel it rounded"), std::string::npos) << "no points";
}

TEST_F(MeshSampled, IsFineOrRefusedInExplicitRuns)
{
    const BuildResult fine = build("coarse.obj", "", box, true);
    ASSERT_TRUE(fine.good()) << format(fine.faults);
    EXPECT_NEAR(cell(fine.built.granular->world.walls.front().inside.value()), 0.005, 1e-9);
    EXPECT_NE(format(build("foil.obj", "", box, true).faults)
                  .find("scene.yaml:6:66: error: bodies.it.shape.mesh.file: expected walls and slots that a grid of "
                        "at most 2^23 nodes shows: it has walls or slots of 0.002 m, thinner than two cells ("),
        std::string::npos);
    const BuildResult told = build("coarse.obj, spacing: 0.02", "", box, true);
    EXPECT_TRUE(told.good());
    EXPECT_NE(
        format(told.warnings).find("they may not be felt; give a `spacing` of at most 0.005 m"), std::string::npos)
        << format(told.warnings);
    const std::string sand = "  - {name: sand, kind: spheres, material: m, position: [0, 1, 0], radius: 0.01, fill: "
                             "{box: [0.2, 0.2, 0.2], count: 5}}\n";
    EXPECT_TRUE(build("foil.obj", "", sand, true).good()); // balls meet the triangles
}

} // namespace
} // namespace stickslip::mesh_sampling_test
