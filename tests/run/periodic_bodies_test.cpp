#include "stickslip/files/atomic_file.h"
#include "support/finished_run.h"
#include "support/granular_scenes.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <map>

namespace stickslip::periodic_bodies_test {
namespace {

const std::string box = "periodic: {min: [0, -.inf, 0], max: [0.6, .inf, 0.6]}\n";
const std::string brick = "  - {name: brick, kind: rigid, material: glass, shape: {box: [0.2, 0.1, 0.2]}, position: "
                          "[0.5, 0.051, 0.3], velocity: [2, 0, 0]}\n";
const std::string grains =
    "  - {name: grains, kind: spheres, material: glass, radius: 0.02, positions: [[0.05, 0.021, 0.3], [0.3, 0.021, "
    "0.3]]}\n";

TEST(RigidBodyInAPeriodicBox, IsShownInsideAndGoesOnWithTheSameBits)
{
    const TemporaryFolder folder;
    const GranularScene scene(floor_body + brick + grains, folder.path(),
        box + "contact: {friction: 0}\noutput: {checkpoint: 0.1}\n", "{step: 2e-5, end: 0.4, frame: 0.02}");
    ASSERT_EQ(format(scene.result.warnings), "");
    const auto run = [&](const std::string& name, double end, RunOptions options = {}) {
        Scene part = scene.scene;
        part.time.end = end;
        options.folder = folder.path() / name;
        return run_scene(part, scene.built(), options, {});
    };
    const RunResult whole = run("whole", 0.4);
    ASSERT_EQ(whole.status, RunStatus::done);
    run("parts", 0.17);
    EXPECT_EQ(run("parts", 0.4, {.resume = true}).state_hash, whole.state_hash);
    double last = 0.5;
    int crossed = 0;
    for (const auto& row : csv_rows(read_file(folder.path() / "whole/bodies.csv"))) {
        if (row[1] != "brick")
            continue;
        const double x = std::stod(row[2]);
        EXPECT_GE(x, 0);
        EXPECT_LT(x, 0.6);
        crossed += x < last;
        last = x;
    }
    EXPECT_GE(crossed, 1);
}

/// What falls through a periodic box, or slides down a slope of one, loses as much as it gains.
TEST(PeriodicBox, PotentialEnergyFallsWithWhatFalls)
{
    const std::string places = "positions: [[0.3, 0.2, 0.3], [0.5, 0.4, 0.1]]";
    for (const std::string& what :
        {"kind: spheres, material: glass, radius: 0.02, " + places,
            "kind: spheres, material: glass, " + places
                + ", clump: {positions: [[0, 0, 0], [0.03, 0, 0]], radius: 0.02}",
            std::string("kind: rigid, material: glass, shape: {box: [0.05, 0.05, 0.05]}, position: [0.3, 0.2, 0.3]")}) {
        const TemporaryFolder folder;
        const GranularScene scene("  - {name: a, " + what + "}\n", folder.path(),
            "periodic: {min: [0, 0, -.inf], max: [0.6, 0.6, .inf]}\ngravity: [3, -9, 1]\noutput: {history: 0.05}\n",
            "{step: 1e-4, end: 1, frame: 0.5}");
        run_scene(scene.scene, scene.built(), {.folder = folder.path() / "out"}, {});
        const auto rows = csv_rows(read_file(folder.path() / "out/history.csv"));
        const auto column = [&](const std::string& name) {
            return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
        };
        const auto sum = [&](const std::vector<std::string>& row) {
            return std::stod(row[column("kinetic_energy")]) + std::stod(row[column("potential_energy")]);
        };
        const double kinetic = std::stod(rows.back()[column("kinetic_energy")]);
        EXPECT_GT(kinetic, 0) << what;
        for (std::size_t r = 2; r < rows.size(); ++r)
            EXPECT_NEAR(sum(rows[r]), sum(rows[1]), 1e-9 * kinetic) << what << " " << r;
    }
}

TEST(ClumpInAPeriodicBox, IsShownInside)
{
    const TemporaryFolder folder;
    const GranularScene scene(
        "  - {name: pair, kind: spheres, material: glass, positions: [[0.5, 0.3, 0.3]], velocity: "
        "[1, 0, 0], clump: {positions: [[0, 0, 0], [0.03, 0, 0]], radius: 0.02, orientation: "
        "aligned}}\n"
        "  - {name: grain, kind: spheres, material: glass, radius: 0.02, positions: [[0.5, 0.1, "
        "0.3]], velocity: [1, 0, 0]}\n",
        folder.path(), box + "gravity: [0, 0, 0]\n", "{step: 1e-4, end: 1, frame: 0.05}");
    run_scene(scene.scene, scene.built(), {.folder = folder.path() / "out"}, {});
    int crossed = 0;
    std::map<std::string, double> last;
    for (const auto& row : csv_rows(read_file(folder.path() / "out/bodies.csv"))) {
        if (row[1] != "pair" && row[1] != "grain")
            continue;
        const double x = std::stod(row[2]);
        EXPECT_GE(x, 0) << row[1];
        EXPECT_LT(x, 0.6) << row[1];
        crossed += x < last[row[1]];
        last[row[1]] = x;
    }
    EXPECT_EQ(crossed, 2 + 2);
}

TEST(RigidBodyInAPeriodicBox, IsSeenAcrossAFaceAtTheStart)
{
    const auto warnings = [](const std::string& bodies) {
        return format(GranularScene(floor_body + bodies, ".", box).result.warnings);
    };
    const std::string pressed = "  - {name: brick, kind: rigid, material: glass, shape: {box: [0.2, 0.1, 0.2]}, "
                                "position: [0.52, 0.051, 0.3]}\n";
    EXPECT_NE(warnings(pressed
                  + "  - {name: grains, kind: spheres, material: glass, radius: 0.02, positions: [[0.039, "
                    "0.05, 0.3]]}\n")
                  .find("1 sphere pressed into \"brick\""),
        std::string::npos);
    EXPECT_NE(warnings(pressed
                  + "  - {name: stone, kind: rigid, material: glass, shape: {box: [0.05, 0.05, 0.05]}, "
                    "position: [0.04, 0.05, 0.3]}\n")
                  .find("starts inside \"stone\""),
        std::string::npos);
}

TEST(RigidBodyInAPeriodicBox, MustFitTwiceIntoIt)
{
    const SceneResult read = read_scene_text("stickslip: 1\ntime: {step: auto, end: 1}\nsolver: {integration: "
                                             "explicit}\nmaterials: {glass: {density: 2500, kn: 1e4}}\n"
                                             "periodic: {min: [0, -.inf, 0], max: [0.28, .inf, 0.6]}\nbodies:\n"
            + brick + grains,
        "s.yaml");
    ASSERT_EQ(format(read.faults), "");
    const std::string faults = format(build_world(read.scene, ".").faults);
    EXPECT_NE(
        faults.find("s.yaml:5:11: error: periodic: expected at least 0.344 m along x, twice the range of the body "
                    "\"brick\", got 0.28 m"),
        std::string::npos)
        << faults;
}

} // namespace
} // namespace stickslip::periodic_bodies_test
