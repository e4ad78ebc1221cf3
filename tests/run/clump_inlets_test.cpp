#include "stickslip/files/atomic_file.h"
#include "support/finished_run.h"
#include "support/granular_scenes.h"
#include "support/temporary_folder.h"
#include "support/vtk_file_reader.h"

#include <map>
#include <set>

namespace stickslip::clump_inlets_test {
namespace {

// Two balls side by side, touching: the volume of both.
constexpr double R = 0.01, one_mass = 2 * 2500 * 4 * std::numbers::pi / 3 * R * R * R;

/// Twins rain through a box and leave below; a cube and single spheres are there too.
struct Rain {
    TemporaryFolder folder;
    GranularScene scene;

    explicit Rain(const std::string& end = "0.4")
        : scene(
            "  - {name: twins, kind: spheres, material: glass, clump: {positions: [[0, 0, 0], [0.02, 0, 0]], radius: "
            "0.01}, positions: [[0, 0.3, 0]], position: [0, 0, 0], velocity: [0, -1, 0], inlet: {box: [0.2, 0.1, "
            "0.2], rate: 2}}\n"
            "  - {name: grains, kind: spheres, material: glass, radius: 0.01, positions: [[0.2, 0.4, 0.2], [0, 0.4, "
            "0]]}\n"
            "  - {name: plate, kind: obstacle, shape: {box: [0.1, 0.02, 0.1]}, position: [0, -0.15, 0]}\n"
            "  - {name: cube, kind: rigid, material: glass, shape: {box: [0.02, 0.02, 0.02]}, position: [0, -0.1, "
            "0]}\n",
            folder.path(),
            "outlets: [{name: below, box: {min: [-.inf, -.inf, -.inf], max: [.inf, -0.3, .inf]}}]\noutput: "
            "{checkpoint: "
            "0.1}\n",
            "{step: auto, end: " + end + ", frame: 0.1}")
    {
    }
    RunResult run(const std::string& name, const RunOptions& options = {}) const
    {
        return run_scene(scene.scene, scene.built(), within(folder.path(), name, options), {});
    }
};

int twins_that_left(const std::filesystem::path& folder)
{
    int count = 0;
    for (const std::vector<std::string>& row : csv_rows(read_file(folder / "outlets.csv")))
        count += row[2] == "twins";
    return count;
}

TEST(ClumpInlets, ClumpsComeInAndLeaveWhole)
{
    const Rain rain;
    RunResult result = rain.run("out");
    ASSERT_EQ(result.status, RunStatus::done);
    const InletRecord& inlet = result.totals.inlets["twins"];
    const OutletRecord& outlet = result.totals.outlets["below"];
    const auto in = static_cast<double>(inlet.count), out = static_cast<double>(outlet.count);
    EXPECT_NEAR(inlet.mass, in * one_mass, 1e-12);
    EXPECT_NEAR(inlet.mass, 2 * 0.4, 2 * one_mass); // all but what has just been owed
    std::set<std::string> left;
    double mass = 0;
    int twins = 0;
    for (const std::vector<std::string>& row : csv_rows(read_file(rain.folder.path() / "out/outlets.csv"))) {
        if (row[0] == "time")
            continue;
        EXPECT_TRUE(left.insert(row[3]).second) << "number " << row[3] << " left twice";
        mass += std::stod(row[5]);
        EXPECT_LT(std::stod(row[7]), -0.3);
        if (row[2] != "twins")
            continue;
        ++twins;
        EXPECT_NEAR(std::stod(row[4]), std::cbrt(2.0) * R, 1e-12);
        EXPECT_NEAR(std::stod(row[5]), one_mass, 1e-12);
    }
    EXPECT_EQ(left.size(), out);
    EXPECT_NEAR(mass, outlet.mass, 1e-12);
    ASSERT_GT(twins, 3);
    // who is left: whole
    const VtkFileReader last(rain.folder.path() / "out/frames/twins_000004.vtp");
    const auto x = last.values<double>("Points/Points");
    ASSERT_EQ(x.size() / 6, 1 + in - twins);
    std::vector<Vec3> ways;
    for (std::size_t i = 0; i < x.size(); i += 6) {
        ways.push_back(Vec3(x[i + 3] - x[i], x[i + 4] - x[i + 1], x[i + 5] - x[i + 2]));
        EXPECT_NEAR(ways.back().norm(), 2 * R, 1e-9);
    }
    Vec3 mean = Vec3::Zero(); // turned at random
    for (const Vec3& way : ways)
        mean += way / (2 * R * static_cast<double>(ways.size()));
    EXPECT_LT(mean.norm(), 0.6);
    // and the energy is accounted for with what came and left
    const auto balance = csv_rows(read_file(rain.folder.path() / "out/balance.csv"));
    EXPECT_LT(std::abs(std::stod(balance.back().back())), 1e-3 * std::stod(balance.back()[6]));
}

TEST(ClumpInlets, AStoppedRunGoesOnWithTheSameBits)
{
    const Rain rain;
    const std::string whole = rain.run("whole").state_hash;
    rain.run("out", {.until = 0.23});
    EXPECT_EQ(rain.run("out", {.resume = true}).state_hash, whole);
    const auto same = [&](const char* file) {
        EXPECT_EQ(read_file(rain.folder.path() / "out" / file), read_file(rain.folder.path() / "whole" / file)) << file;
    };
    same("outlets.csv");
    same("walls.csv");
}

TEST(ClumpInlets, AnotherRunStartsWithTheClumpsThatAreThere)
{
    const Rain rain;
    RunResult first = rain.run("settled");
    write_file_atomically(
        rain.folder.path() / "go.yaml", "include: settled/scene.yaml\nstart: {from: settled}\ntime: {end: 0.01}\n");
    const SceneResult read = read_scene((rain.folder.path() / "go.yaml").string());
    ASSERT_EQ(format(read.faults), "");
    const BuildResult built = build_world(read.scene, rain.folder.path());
    ASSERT_EQ(format(built.faults), "");
    const auto& bodies = built.built.granular->world.bodies;
    EXPECT_EQ(bodies.size(), 2 + first.totals.inlets["twins"].count - twins_that_left(rain.folder.path() / "settled"));
    EXPECT_EQ(run_scene(read.scene, built.built,
                  {.scene_folder = rain.folder.path(), .folder = rain.folder.path() / "go"}, {})
                  .status,
        RunStatus::done);
}

TEST(ClumpInlets, RigidBodiesStayAndThatIsSaid)
{
    const SceneResult read = read_scene_text("stickslip: 1\ntime: {step: auto, end: 1}\nsolver: {integration: "
                                             "explicit}\nmaterials: {glass: {density: 1, kn: "
                                             "1e4}}\nbodies:\n  - {name: ball, kind: rigid, material: glass, shape: "
                                             "{sphere: 1}}\noutlets: [{name: o, box: {min: "
                                             "[0, 0, 0], max: [1, 1, 1]}}]\n",
        "scene.yaml");
    EXPECT_EQ(format(read.faults), "");
    EXPECT_NE(format(read.warnings).find("warning: outlets: outlets remove spheres and clumps only; rigid bodies stay"),
        std::string::npos)
        << format(read.warnings);
}

} // namespace
} // namespace stickslip::clump_inlets_test
