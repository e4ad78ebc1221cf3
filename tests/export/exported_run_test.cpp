#include "stickslip/export/exported_run.h"

#include "stickslip/export/ball_mesh.h"
#include "stickslip/export/gltf_file.h"
#include "stickslip/export/text_files.h"
#include "stickslip/files/vtk_files.h"
#include "stickslip/geometry/mesh/tri_mesh.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <numbers>
#include <span>

namespace stickslip::exported_run_test {
namespace {

TEST(PlainNames, AreIdentifiersAndDifferent)
{
    EXPECT_EQ(plain_names({"step 1", "step-1", "1st", "", "Körper", "step_1_2"}),
        (std::vector<std::string>{"step_1", "step_1_2", "_1st", "_", "K__rper", "step_1_2_2"}));
}

TEST(BallMesh, IsAClosedBall)
{
    const BallMesh ball = ball_mesh();
    const TriMesh mesh{.vertices = ball.points, .triangles = ball.triangles};
    EXPECT_TRUE(find_defects(mesh).empty());
    EXPECT_NEAR(enclosed_volume(mesh), 4 * std::numbers::pi / 3, 0.04 * 4 * std::numbers::pi / 3); // inscribed
    for (const Vec3& x : ball.points)
        EXPECT_NEAR(x.norm(), 1, 1e-15);
}

TEST(UsdaFile, EscapesNames)
{
    ExportedBody body{.name = "a \"b\" \\ \n", .colour = obstacle_colour()};
    body.points = {{Vec3(1, 2, 3)}};
    const std::string text = usda_file({.title = "t", .times = {0}, .bodies = {body}});
    EXPECT_NE(text.find("doc = \"a \\\"b\\\" \\\\  \""), std::string::npos) << text;
    EXPECT_NE(text.find("0: [(1, 2, 3)]"), std::string::npos) << text;
}

TEST(GltfFile, ShowsManySpheresAsNodesWhereSomeLeave)
{
    ExportedBody body{.name = "grains", .colour = body_colour(0)};
    body.points = {std::vector<Vec3>(5001, Vec3::Zero())};
    body.radii.assign(5001, 0.1);
    const ExportedRun stay{.title = "", .times = {0, 1}, .bodies = {body}};
    EXPECT_EQ(gltf_file(stay).find("\"grains 5000\""), std::string::npos); // a cloud of points
    body.there.assign(2, std::vector<bool>(5001, true));
    body.there[1][5000] = false;
    const std::string text = gltf_file({.title = "", .times = {0, 1}, .bodies = {body}});
    EXPECT_NE(text.find("\"grains 5000\""), std::string::npos);
    EXPECT_NE(text.find("\"STEP\""), std::string::npos);
}

/// A run of one set of spheres: in each frame the numbers of those that are there, all at x = frame.
RunReading run_of_spheres(const std::filesystem::path& folder, const std::vector<std::vector<int>>& frames)
{
    RunReading run{.folder = folder};
    run.scene.bodies = {{.name = "grains", .kind = RecordedKind::spheres}};
    run.tracks.resize(1);
    for (std::size_t f = 0; f < frames.size(); ++f) {
        const std::vector<Vec3> points(frames[f].size(), Vec3(static_cast<double>(f), 0, 0));
        const std::vector<double> radius(frames[f].begin(), frames[f].end());
        const std::string file = "grains_" + std::to_string(f) + ".vtp";
        write_vtp(folder / file,
            PointFrame{.points = points,
                .point_fields = {
                    {"radius", std::span<const double>(radius)}, {"number", std::span<const int>(frames[f])}}});
        run.frames.push_back({.time = static_cast<double>(f), .parts = {{.name = "grains", .file = file}}});
    }
    return run;
}

TEST(ExportedRun, KnowsSpheresByTheirNumber)
{
    const TemporaryFolder folder;
    std::vector<std::string> notes;
    const ExportedBody body =
        exported_run(run_of_spheres(folder.path(), {{}, {1, 2}, {2, 3}, {3}}), notes).bodies.at(0);
    EXPECT_EQ(body.numbers, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(body.radii, (std::vector<double>{1, 2, 3}));
    const std::vector<std::vector<double>> x = {{1, 1, 2}, {1, 1, 2}, {1, 2, 2}, {1, 2, 3}};
    const std::vector<std::vector<bool>> there = {
        {false, false, false}, {true, true, false}, {false, true, true}, {false, false, true}};
    EXPECT_EQ(body.there, there);
    for (std::size_t f = 0; f < x.size(); ++f)
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_EQ(body.points_at(f)[i].x(), x[f][i]) << f << " " << i;
}

TEST(ExportedRun, ADamagedFrameOfSpheresRepeatsTheOneBefore)
{
    const TemporaryFolder folder;
    std::vector<std::string> notes;
    const RunReading run = run_of_spheres(folder.path(), {{1, 2}, {2, 3}, {3}});
    std::ofstream(folder.path() / "grains_1.vtp") << "<VTKFile";
    const ExportedBody body = exported_run(run, notes).bodies.at(0);
    EXPECT_EQ(notes.size(), 1u);
    EXPECT_EQ(
        body.there, (std::vector<std::vector<bool>>{{true, true, false}, {true, true, false}, {false, false, true}}));
    EXPECT_EQ(body.points_at(1)[1].x(), 0);
}

} // namespace
} // namespace stickslip::exported_run_test
