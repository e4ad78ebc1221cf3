#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/files/vtk_files.h"
#include "stickslip/run/run.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace stickslip::level_set_files_test {
namespace {

/// A slab whose top is y = 0, from x = -1 to 2 m, sampled off its nodes.
void write_slab(const std::filesystem::path& path)
{
    const double h = 0.05;
    const GridFrame grid{.origin = Vec3(-1, -0.52, -0.5), .spacing = h, .points = {61, 21, 21}, .point_fields = {}};
    std::vector<double> phi;
    for (int k = 0; k < 21; ++k)
        for (int j = 0; j < 21; ++j)
            for (int i = 0; i < 61; ++i)
                phi.push_back(-0.52 + h * j);
    GridFrame with_field = grid;
    with_field.point_fields = {{"phi", std::span<const double>(phi)}};
    write_vti(path, with_field);
}

// All slide by mu g; the box in front falls off where the grid ends.
TEST(LevelSetFile, OfImageDataIsSlidOnAsAPlaneIs)
{
    const TemporaryFolder folder;
    write_slab(folder.path() / "slab.vti");
    const std::string scene = R"(stickslip: 1
time: {step: 0.005, end: 0.5, frame: 0.5}
contact: {friction: 0.3}
materials: {oak: {density: 700}, gum: {density: 1000, young: 1e6, poisson: 0.3}}
bodies:
  - {name: slab, kind: obstacle, shape: {level_set: {file: slab.vti}}}
  - {name: box, kind: rigid, material: oak, shape: {box: [0.2, 0.1, 0.2]}, position: [-0.6, 0.05, 0], velocity: [2, 0, 0]}
  - {name: soft, kind: deformable, material: gum, shape: {box: [0.2, 0.1, 0.2]}, resolution: 0.1, position: [0.1, 0.05, 0.2], velocity: [2, 0, 0]}
  - {name: front, kind: rigid, material: oak, shape: {box: [0.2, 0.1, 0.2]}, position: [1.8, 0.05, -0.2], velocity: [4, 0, 0]}
expect:
  - {body: box, metric: speed, axis: x, min: 0.515, max: 0.545}
  - {body: soft, metric: speed, axis: x, min: 0.5, max: 0.56}
  - {body: box, metric: position, axis: y, min: 0.0495, max: 0.0501}
  - {body: front, metric: position, axis: y, max: -0.3}
)";
    const SceneResult read = read_scene_text(scene, "scene.yaml");
    EXPECT_EQ(format(read.faults), "");
    const BuildResult built = build_world(read.scene, folder.path());
    ASSERT_EQ(format(built.faults), "");
    const RunResult result = run_scene(read.scene, built.built,
        {.scene_folder = folder.path(), .folder = folder.path() / "out"}, {.progress = {}, .message = {}, .note = {}});
    EXPECT_EQ(result.status, RunStatus::done);
    ASSERT_EQ(result.expect.size(), 4u);
    for (const ExpectationResult& e : result.expect)
        EXPECT_TRUE(e.holds) << e.value[0];
}

// A level set has no points of its own, however large it is: those of the box must be close enough. Two cells apart
// they lie up to sqrt(2) cells beside the top, which is h^2/R = 5 mm higher. By its corners alone the box would lie at
// 0.31 m.
TEST(LevelSetFile, HoldsABoxByItsFaceOnTheTopOfAHill)
{
    const TemporaryFolder folder;
    const double h = 0.05, radius = 0.5;
    std::vector<double> phi;
    for (int k = 0; k < 41; ++k)
        for (int j = 0; j < 31; ++j)
            for (int i = 0; i < 41; ++i)
                phi.push_back((Vec3(-1 + h * i, -0.7 + h * j, -1 + h * k)).norm() - radius);
    write_vti(folder.path() / "hill.vti",
        GridFrame{.origin = Vec3(-1, -0.7, -1),
            .spacing = h,
            .points = {41, 31, 41},
            .point_fields = {{"phi", std::span<const double>(phi)}}});
    const std::string scene = R"(stickslip: 1
time: {step: 0.005, end: 0.3, frame: 0.3}
contact: {friction: 0.5}
materials: {oak: {density: 700}}
bodies:
  - {name: hill, kind: obstacle, shape: {level_set: {file: hill.vti}}}
  - {name: box, kind: rigid, material: oak, shape: {box: [0.6, 0.1, 0.6]}, position: [0, 0.551, 0]}
expect: [{body: box, metric: position, axis: y, min: 0.545, max: 0.551}]
)";
    const SceneResult read = read_scene_text(scene, "scene.yaml");
    const BuildResult built = build_world(read.scene, folder.path());
    ASSERT_EQ(format(read.faults) + format(built.faults), "");
    const RunResult result = run_scene(read.scene, built.built,
        {.scene_folder = folder.path(), .folder = folder.path() / "out"}, {.progress = {}, .message = {}, .note = {}});
    ASSERT_EQ(result.expect.size(), 1u);
    EXPECT_TRUE(result.expect[0].holds) << result.expect[0].value[0];
}

} // namespace
} // namespace stickslip::level_set_files_test
