#include "stickslip/files/atomic_file.h"
#include "stickslip/math/error.h"
#include "support/finished_run.h"

namespace stickslip::mesh_parts_test {
namespace {

/// A plate, whole and cut in two at x = 0.1, and a scene of a ball that rolls over it.
struct Plates : RunsInAFolder {
    Plates()
    {
        write("whole.obj",
            "v -1 0 -1\nv -1 0 1\nv 0.1 0 -1\nv 0.1 0 1\nv 1 0 -1\nv 1 0 1\nf 1 2 4\nf 1 4 3\nf 3 4 6\nf 3 6 5\n");
        write("left.obj", "v -1 0 -1\nv -1 0 1\nv 0.1 0 -1\nv 0.1 0 1\nf 1 2 4\nf 1 4 3\n");
        write("right.obj", "v 0.1 0 -1\nv 0.1 0 1\nv 1 0 -1\nv 1 0 1\nf 1 2 4\nf 1 4 3\n");
    }
    void write(const std::string& file, const std::string& text) const
    {
        write_file_atomically(folder.path() / file, text);
    }
    static std::string scene(bool is_explicit, const std::string& mesh)
    {
        return "stickslip: 1\ntime: {step: " + std::string(is_explicit ? "5e-5" : "0.01")
            + ", end: 0.4, frame: 0.1}\nmaterials: {glass: {density: 2500, kn: 1e5}}\n"
            + (is_explicit ? "solver: {integration: explicit}\n" : "") + "output: {checkpoint: 0.1}\nbodies:\n"
            + "  - {name: plate, kind: obstacle, shape: {mesh: {" + mesh
            + ", scale: 0.5}}, contact_geometry: mesh, position: [0.02, 0, 0]}\n"
              "  - {name: ball, kind: rigid, material: glass, shape: {sphere: 0.03}, position: [0, 0.03, 0.04], "
              "velocity: [0.5, 0, 0.03]}\n";
    }
};

class BallOverASeam : public testing::TestWithParam<bool> { };

TEST_P(BallOverASeam, MovesAsOnTheWholePlate)
{
    const Plates plates;
    const RunResult whole = plates.run(Plates::scene(GetParam(), "file: whole.obj"), "whole");
    const RunResult parts = plates.run(Plates::scene(GetParam(), "files: [left.obj, right.obj]"), "parts");
    EXPECT_EQ(parts.state_hash, whole.state_hash);
    const auto rows = csv_rows(read_file(plates.folder.path() / "parts/bodies.csv"));
    EXPECT_GT(std::stod(rows.back()[2]), 0.1) << "the ball does not reach the seam at x = 0.07";
    EXPECT_NEAR(std::stod(rows.back()[3]), 0.03, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Integration, BallOverASeam, testing::Bool());

TEST(MeshParts, AreKeptByTheRunFolderAndToldApartWhenARunGoesOn)
{
    const Plates plates;
    const std::string text = Plates::scene(true, "files: [left.obj, right.obj]");
    const RunResult whole = plates.run(text, "out");
    int inputs = 0;
    for (const auto& file : std::filesystem::directory_iterator(plates.folder.path() / "out/inputs"))
        inputs += file.is_regular_file();
    EXPECT_EQ(inputs, 2);
    EXPECT_EQ(run_again(plates.folder.path() / "out", plates.folder.path() / "again").state_hash, whole.state_hash);
    EXPECT_EQ(plates.run(text, "out", {.resume = true}).state_hash, whole.state_hash);
    plates.write("right.obj", "v 0.1 0 -1\nv 0.1 0 1\nv 1 0.1 -1\nv 1 0.1 1\nf 1 2 4\nf 1 4 3\n");
    EXPECT_THROW(plates.run(text, "out", {.resume = true}), InputError);
}

TEST(MeshParts, AreRefusedWhereTheyAreNamed)
{
    const Plates plates;
    Scene scene;
    const auto faults = [&](const std::string& mesh) {
        return format(plates.build(Plates::scene(true, mesh), scene).faults);
    };
    const std::string missing = faults("files: [left.obj, lost.obj]");
    EXPECT_NE(missing.find("scene.yaml:7:68: error: bodies.plate.shape.mesh.files[1]: "), std::string::npos) << missing;
    EXPECT_NE(missing.find("lost.obj: cannot be opened"), std::string::npos) << missing;
    plates.write("right.obj", "v 0 0 0\nv 1 0 0\nf 1 2 9\n");
    const std::string broken = faults("files: [left.obj, right.obj]");
    EXPECT_NE(broken.find("error: bodies.plate.shape.mesh.files[1]: "), std::string::npos) << broken;
    EXPECT_TRUE(plates.build(Plates::scene(true, "files: [left.obj, lost.obj]"), scene).unreadable);
}

TEST(MeshParts, EncloseASolidTogether)
{
    const Plates plates; // a cube without its lid, and the lid
    plates.write("cup.obj",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 1 4 3 2\nf 1 2 6 5\nf 2 3 7 6\n"
        "f 3 4 8 7\nf 4 1 5 8\n");
    plates.write("lid.obj", "v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 1 2 3 4\n");
    Scene scene;
    const BuildResult result =
        plates.build("stickslip: 1\ntime: {step: 0.01, end: 1}\nmaterials: {oak: {density: 700}}\n"
                     "bodies:\n  - {name: cube, kind: rigid, material: oak, shape: {mesh: "
                     "{files: [cup.obj, lid.obj], unit: cm}}}\n",
            scene);
    ASSERT_EQ(format(result.faults), "");
    EXPECT_NEAR(result.built.world.rigids.at(0).mass, 700e-6, 1e-12);
}

} // namespace
} // namespace stickslip::mesh_parts_test
