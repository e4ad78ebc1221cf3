#include "stickslip/build/scene_reader.h"

#include "stickslip/files/atomic_file.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace stickslip::file_checks_test {
namespace {

/// What reading a scene finds, in the order of the file: the paths of its faults.
struct Faults {
    SceneResult read;
    std::string paths;

    explicit Faults(const std::string& scene)
    {
        const TemporaryFolder folder;
        write_file_atomically(folder.path() / "part.obj", "v 0 0 0\nf 1 1 x\n");
        write_file_atomically(folder.path() / "places.csv", "1,2\n");
        write_file_atomically(folder.path() / "scene.yaml", scene);
        read = read_scene((folder.path() / "scene.yaml").string());
        for (const Fault& fault : read.faults)
            paths += (paths.empty() ? "" : " ") + fault.path;
    }
};

const std::string files =
    "  - {name: gone, kind: obstacle, shape: {mesh: {file: gone.obj}}}\n"
    "  - {name: part, kind: obstacle, shape: {mesh: {file: part.obj}}}\n"
    "  - {name: soft, kind: deformable, material: m, shape: {mesh: {file: soft.msh}}}\n"
    "  - {name: grid, kind: obstacle, shape: {level_set: {file: gone.sdf}}}\n"
    "  - {name: some, kind: spheres, material: m, radius: 1, positions: {file: places.csv}}\n"
    "  - {name: more, kind: spheres, material: m, radius: 1, fill: {mesh: {file: g.obj}, count: 1}}\n";

TEST(FileChecks, FaultsOfFilesComeWithAllOthers)
{
    const Faults faults("stickslip: 1\ntime: {step: 0.01, end: -1}\nmaterials: {m: {density: 1, young: 1, poisson: "
                        "0.3}}\nbodies:\n"
        + files);
    EXPECT_EQ(faults.paths,
        "time.end bodies.gone.shape.mesh.file bodies.part.shape.mesh.file bodies.soft.shape.mesh.file "
        "bodies.grid.shape.level_set.file bodies.some.positions bodies.more.fill");
    EXPECT_TRUE(faults.read.unreadable);
    EXPECT_EQ(faults.read.faults[1].line, 5);
    EXPECT_EQ(faults.read.faults[1].column, 55);
}

TEST(FileChecks, WhatIsNotSoundIsNotOpened)
{
    EXPECT_EQ(Faults("stickslip: 1\ntime: {step: 0.01, end: -1}\nbodies:\n"
                     "  - {name: gone, kind: obstacle, shape: {mesh: {file: gone.obj, scale: -1}}}\n"
                     "  - {name: none, kind: obstcle, shape: {mesh: {file: gone.obj}}}\n")
                  .paths,
        "time.end bodies.gone.shape.mesh.scale bodies.none.kind");
}

TEST(FileChecks, SpheresOfImplicitRunsAndOtherFilesAreToldTogetherAndOnce)
{
    EXPECT_EQ(Faults("stickslip: 1\ntime: {step: 0.01, end: 1}\nmaterials: {m: {density: 1, young: 1, poisson: 0.3}}\n"
                     "bodies:\n"
                  + files)
                  .paths,
        "bodies.gone.shape.mesh.file bodies.part.shape.mesh.file bodies.soft.shape.mesh.file "
        "bodies.grid.shape.level_set.file bodies.some.positions bodies.more.fill");
}

} // namespace
} // namespace stickslip::file_checks_test
