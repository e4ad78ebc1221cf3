#include "stickslip/build/restart/granular_checkpoint.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/math/error.h"
#include "support/finished_run.h"
#include "support/granular_scenes.h"
#include "support/temporary_folder.h"
#include "support/vtk_file_reader.h"

#include "support/numeric.h"

#include <nlohmann/json.hpp>
#include <tbb/global_control.h>

#include <sstream>

namespace stickslip::granular_run_test {
namespace {

/// Grains that fall on a floor and into a bowl of triangles that turns.
struct Prepared {
    TemporaryFolder folder;
    GranularScene scene;

    explicit Prepared(const std::string& more = "output: {contacts: true, checkpoint: 0.03}\n")
        : scene((write_file_atomically(folder.path() / "bowl.obj",
                     "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nv 0 -0.1 0\nf 1 5 2\nf 2 5 3\nf 3 5 4\nf 4 5 1\n"),
                    floor_body
                        + "  - {name: bowl, kind: obstacle, shape: {mesh: {file: bowl.obj, scale: 0.2}}, position: "
                          "[0, 0.15, 0], motion: {angular_velocity: [0, 1, 0]}}\n"
                        + filled_body(
                            "box: [0.3, 0.2, 0.3], count: 200, sizes: {min: 0.01, max: 0.015}", "velocity: [0, -2, 0]")
                        + "  - {name: pair, kind: spheres, material: steel, radii: [0.02, 0.03], positions: [[0.4, "
                          "0.03, 0], [0.4, 0.1, 0]]}\n"),
            folder.path(), more)
    {
    }
    RunResult run(const std::string& name, const RunOptions& options = {}) const
    {
        return run_scene(scene.scene, scene.built(), within(folder.path(), name, options), {});
    }
    std::string text(const std::string& file) const { return read_file(folder.path() / file); }
};

/// Without its last column: time on the clock.
std::string without_clock(const std::string& table)
{
    std::string kept;
    std::istringstream text(table);
    for (std::string line; std::getline(text, line);)
        kept += line.substr(0, line.rfind(',')) + "\n";
    return kept;
}

TEST(GranularRun, FramesHoldTheSpheresOfEachBody)
{
    const Prepared p;
    ASSERT_EQ(p.run("out").status, RunStatus::done);
    const VtkFileReader grains(p.folder.path() / "out/frames/grains_000000.vtp");
    const auto x = grains.values<double>("Points/Points"), radius = grains.values<double>("PointData/radius");
    ASSERT_EQ(radius.size(), 200u);
    for (std::size_t i = 0; i < radius.size(); ++i) {
        const Grain& g = p.scene.granular().grains[i];
        EXPECT_EQ(radius[i], g.radius);
        EXPECT_EQ(Vec3(x[3 * i], x[3 * i + 1], x[3 * i + 2]), g.x);
    }
    const VtkFileReader last(p.folder.path() / "out/frames/pair_000005.vtp");
    EXPECT_EQ(last.values<double>("PointData/radius"), (std::vector<double>{0.02, 0.03}));
    EXPECT_EQ(last.values<int>("PointData/number"), (std::vector<int>{200, 201})); // in the whole run
    const VtkFileReader contacts(p.folder.path() / "out/frames/contacts_000005.vtp");
    const auto pressed = contacts.values<double>("PointData/normal_force");
    EXPECT_GT(pressed.size(), 20u);
    const VtkFileReader chains(p.folder.path() / "out/frames/force_chains_000005.vtp");
    const auto ends = chains.values<double>("Points/Points"), branch = contacts.values<double>("PointData/branch");
    const auto force = chains.values<double>("PointData/normal_force");
    ASSERT_EQ(chains.values<std::int64_t>("Lines/offsets").size(), pressed.size());
    ASSERT_EQ(ends.size(), 6 * pressed.size());
    for (std::size_t i = 0; i < pressed.size(); ++i) {
        EXPECT_EQ(force[2 * i], pressed[i]);
        EXPECT_EQ(force[2 * i + 1], pressed[i]);
        for (std::size_t axis = 0; axis < 3; ++axis)
            EXPECT_NEAR(ends[6 * i + 3 + axis] - ends[6 * i + axis], branch[3 * i + axis], 1e-15);
    }
}

TEST(GranularRun, GoesOnFromACheckpointAsIfItHadNotStopped)
{
    const Prepared p;
    const RunResult whole = p.run("whole");
    p.run("parts", {.until = 0.0437});
    const RunResult resumed = p.run("parts", {.resume = true});
    EXPECT_EQ(whole.state_hash, resumed.state_hash);
    EXPECT_EQ(whole.totals.steps, resumed.totals.steps);
    EXPECT_EQ(without_clock(p.text("whole/history.csv")), without_clock(p.text("parts/history.csv")));
    for (const char* table : {"bodies.csv", "balance.csv", "walls.csv", "contacts.csv", "frames/grains_000004.vtp"})
        EXPECT_EQ(p.text(std::string("whole/") + table), p.text(std::string("parts/") + table)) << table;
}

TEST(GranularRun, ItsOwnSceneRunsAgainToTheSameStateOnOneThread)
{
    const Prepared p;
    const RunResult first = p.run("out");
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    const std::filesystem::path own = p.folder.path() / "out";
    const RunResult second = run_again(own, p.folder.path() / "again");
    EXPECT_EQ(first.state_hash, second.state_hash);
}

TEST(GranularRun, TheAccountOfTheEnergyCloses)
{
    const Prepared p;
    p.run("out");
    const auto rows = csv_rows(p.text("out/balance.csv"));
    ASSERT_GT(rows.size(), 90u); // one a twentieth of a frame: 0.001 s
    ASSERT_EQ(rows[0].back(), "imbalance");
    for (std::size_t i = 1; i < rows.size(); ++i)
        EXPECT_LT(std::abs(std::stod(rows[i].back())), 0.01 * std::stod(rows.back()[6])) << "row " << i;
    const auto summary = nlohmann::json::parse(p.text("out/summary.json"));
    EXPECT_EQ(summary["spheres"], 202);
    EXPECT_GT(summary["friction_loss"].get<double>(), 0);
}

TEST(GranularRun, WallsAndBodiesAreInTheirTables)
{
    // one ball, long at rest on the floor, weighs what it weighs; and rolls where the belt takes it
    const TemporaryFolder folder;
    const GranularScene scene(
        "  - {name: belt, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}, motion: {surface_velocity: [0.5, 0, "
        "0]}}\n"
        "  - {name: ball, kind: spheres, material: glass, radius: 0.05, positions: [[0, 0.05, 0]], velocity: [0.5, 0, "
        "0]}\n",
        folder.path(),
        "expect:\n  - {body: belt, metric: contact_force, axis: y, max: 0, at: 0.4}\n"
        "  - {body: ball, metric: speed, axis: x, near: 0.5, within: 1e-9}\n"
        "  - {body: ball, metric: position, axis: x, near: 0.25, within: 1e-6}\n"
        "  - {metric: max_penetration, min: 1e-6, max: 1e-2}\n  - {metric: energy_rise, max: 1e-6}\n",
        "{step: 1e-4, end: 0.5, frame: 0.1}");
    const RunResult result = run_scene(scene.scene, scene.built(), {.folder = folder.path() / "out"}, {});
    ASSERT_EQ(result.expect.size(), 5u);
    for (const ExpectationResult& e : result.expect)
        EXPECT_TRUE(e.holds) << e.metric << " " << e.value[0];
    const auto walls = csv_rows(read_file(folder.path() / "out/walls.csv"));
    EXPECT_EQ(walls[1][1], "belt");
    const double weight = 4 * 3.14159265358979 / 3 * std::pow(0.05, 3) * 2500 * 9.81;
    const auto &of_belt = walls[walls.size() - 2], &of_ball = walls.back();
    EXPECT_NEAR(std::stod(of_belt[3]), -weight, 1e-3 * weight);
    EXPECT_EQ(of_ball[1], "ball");
    EXPECT_NEAR(std::stod(of_ball[3]), weight, 1e-3 * weight);
    EXPECT_NEAR(std::stod(of_ball[7]), 0, 1e-3 * weight * 0.05); // about its centre
    const auto bodies = csv_rows(read_file(folder.path() / "out/bodies.csv"));
    EXPECT_EQ(bodies.back()[1], "ball");
    EXPECT_NEAR(std::stod(bodies.back()[2]), 0.25, 1e-6);
}

TEST(GranularRun, FrictionIsThatOfThePair)
{
    const std::string slope = "    rotation: {axis: [0, 0, 1], degrees: -20}\n"; // tan = 0.364
    const auto speed_after = [&](const std::string& pairs) {
        const TemporaryFolder folder;
        // a sphere that cannot roll: held up by rolling friction
        const GranularScene scene("  - name: slope\n    kind: obstacle\n    shape: {plane: {normal: [0, 1, 0]}}\n"
                + slope
                + "  - {name: ball, kind: spheres, material: clay, radius: 0.05, positions: [[0.0171010, 0.0469846, "
                  "0]]}\n",
            folder.path(), "  clay: {density: 1000, kn: 1e4, rolling_friction: 100}\n" + pairs,
            "{step: auto, end: 0.5, frame: 0.5}");
        run_scene(scene.scene, scene.built(), {.folder = folder.path() / "out"}, {});
        const auto rows = csv_rows(read_file(folder.path() / "out/bodies.csv"));
        return Vec3(std::stod(rows.back()[9]), std::stod(rows.back()[10]), std::stod(rows.back()[11])).norm();
    };
    const double angle = 20 * 3.14159265358979 / 180;
    EXPECT_LT(speed_after("contact: {friction: 0.1, pairs: [{bodies: [ball, slope], friction: 0.5}]}\n"),
        0.01); // it still swings
    const double slid = speed_after("contact: {friction: 0.5, pairs: [{bodies: [ball, slope], friction: 0.1}]}\n");
    EXPECT_NEAR(slid, 0.5 * 9.81 * (std::sin(angle) - 0.1 * std::cos(angle)), 0.02);
}

TEST(GranularRun, ThePackingIsInItsTableAndInTheSummary)
{
    // four balls stacked on a floor; the region begins at the centre of the second and ends at that of the third
    const TemporaryFolder folder;
    const GranularScene scene(floor_body
            + "  - {name: balls, kind: spheres, material: glass, radius: 0.05, positions: [[0, 0.05, 0], [0, 0.15, 0], "
              "[0, 0.25, 0], [0, 0.35, 0]]}\n",
        folder.path(),
        "output: {history: 0.02, regions: [{name: core, box: {min: [-0.05, 0.1495, -0.05], max: [0.05, 0.2495, "
        "0.05]}}]}\n",
        "{step: 1e-4, end: 0.1, frame: 0.1}");
    run_scene(scene.scene, scene.built(), {.folder = folder.path() / "out"}, {});
    const auto rows = csv_rows(read_file(folder.path() / "out/packing.csv"));
    ASSERT_EQ(rows.size(), 11u);
    EXPECT_EQ(rows[9][1], "all");
    EXPECT_EQ(rows[9][2], "4");
    EXPECT_EQ(rows[9][3], "nan");
    EXPECT_EQ(rows[9][6], "1"); // the uppermost
    EXPECT_EQ(std::stod(rows[9][4]), 7.0 / 4);
    EXPECT_EQ(rows[10][1], "core");
    EXPECT_NEAR(
        std::stod(rows[10][3]), 3.14159265358979 / 6, 5e-2); // two halves of a ball in its cube, pressed a little
    const auto packing = nlohmann::json::parse(read_file(folder.path() / "out/summary.json"))["packing"];
    EXPECT_EQ(packing["by_contacts"], nlohmann::json({0, 1, 3}));
    EXPECT_EQ(packing["mechanical_coordination"], 2);
    EXPECT_TRUE(packing["solid_fraction"].is_null());
    EXPECT_NEAR(packing["regions"]["core"]["solid_fraction"].get<double>(), std::stod(rows[10][3]), 1e-12);
    EXPECT_EQ(packing["radius"]["by_mass_50"], 0.05);
}

TEST(GranularRun, AFailedRunSaysSo)
{
    const TemporaryFolder folder;
    const GranularScene scene(floor_body
            + "  - {name: ball, kind: spheres, material: glass, radius: 0.05, positions: [[0, 0.1, 0]], velocity: [0, "
              "1e29, "
              "0]}\n",
        folder.path(), "", "{step: auto, end: 0.1, frame: 0.1}");
    std::vector<std::string> said;
    const RunResult result = run_scene(scene.scene, scene.built(), {.folder = folder.path() / "out"},
        {.progress = {}, .message = [&](const std::string& line) { said.push_back(line); }, .note = {}});
    EXPECT_EQ(result.status, RunStatus::failed);
    ASSERT_FALSE(said.empty());
    EXPECT_NE(said.back().find("gave up"), std::string::npos) << said.back();
}

const std::string gates_body = floor_body
    + "  - {name: rain, kind: spheres, material: glass, position: [0, 0.3, 0], velocity: [0, -1, 0], inlet: {box: "
      "[0.2, 0.1, 0.2], rate: 2, sizes: {min: 0.008, max: 0.012}, start: 0.05, end: 0.25}}\n";
const std::string gates_more =
    "contact: {friction: 0}\noutlets:\n  - {name: east, box: {min: [0.03, -.inf, -.inf], max: [.inf, 0.2, .inf]}}\n"
    "output: {history: 0.002, checkpoint: 0.1}\n";

TEST(InletsOutlets, MassComesInAtItsRateAndLeavesByTheOutlet)
{
    const TemporaryFolder folder;
    const GranularScene scene(gates_body, folder.path(), gates_more, "{step: auto, end: 0.4, frame: 0.1}");
    EXPECT_TRUE(scene.granular().grains.empty());
    const RunResult result = run_scene(scene.scene, scene.built(), {.folder = folder.path() / "out"}, {});
    ASSERT_EQ(result.status, RunStatus::done);
    const auto summary = nlohmann::json::parse(read_file(folder.path() / "out/summary.json"));
    const double in = summary["gates"]["inlet.rain.mass"], out = summary["gates"]["outlet.east.mass"];
    const double heaviest = 4 * 3.14159265358979 / 3 * std::pow(0.012, 3) * 2500;
    EXPECT_NEAR(in, 2 * 0.2, heaviest); // the rate for 0.2 s, to a sphere
    const auto rows = csv_rows(read_file(folder.path() / "out/outlets.csv"));
    EXPECT_EQ(rows.size() - 1, summary["gates"]["outlet.east.count"].get<std::size_t>());
    double left = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        left += std::stod(rows[i][5]);
        EXPECT_GE(std::stod(rows[i][6]), 0.03);
    }
    EXPECT_GT(out, 0);
    EXPECT_NEAR(left, out, 1e-12);
    EXPECT_EQ(summary["spheres"].get<std::size_t>() + rows.size() - 1,
        summary["gates"]["inlet.rain.count"].get<std::size_t>());
    // what comes and goes is in the account of the energy
    const auto balance = csv_rows(read_file(folder.path() / "out/balance.csv"));
    EXPECT_LT(std::abs(std::stod(balance.back().back())), 0.01 * std::stod(balance.back()[6]));
    const VtkFileReader first(folder.path() / "out/frames/rain_000000.vtp");
    EXPECT_TRUE(first.values<double>("PointData/radius").empty());
}

/// Fast ones between two rows of the history, thin boxes, across a face of a periodic box, clumps: none is missed.
TEST(InletsOutlets, CatchWhoPassesWheneverRowsAreWritten)
{
    const std::string sphere = "  - {name: s, kind: spheres, material: glass, radius: 0.005, positions: [[0, 0.32, 0], "
                               "[0.1, 0.56, 0], [3, 0.5, 0]], velocity: [0, -6, 0]}\n";
    const std::string clump =
        "  - {name: s, kind: spheres, material: glass, positions: [[0, 0.32, 0], [0.1, 0.56, 0], "
        "[3, 0.5, 0]], velocity: [0, -6, 0], clump: {positions: [[0, 0, 0], [0.006, 0, 0]], radius: "
        "0.005}}\n";
    for (const std::string& bodies : {sphere, clump}) {
        for (const std::string periodic : {"", "periodic: {min: [-.inf, 0, -.inf], max: [.inf, 1, .inf]}\n"}) {
            for (const std::string history : {"0.001", "0.0173", "0.3"}) {
                const TemporaryFolder folder;
                const std::string low = periodic.empty() ? "-0.0002" : "0", high = "0.0001";
                const GranularScene scene(bodies, folder.path(),
                    periodic + "gravity: [0, 0, 0]\noutlets: [{name: thin, box: {min: [-1, " + low + ", -1], max: [1, "
                        + high + ", 1]}}]\noutput: {history: " + history + "}\n",
                    "{step: auto, end: 0.3, frame: 0.3}");
                const RunResult result = run_scene(scene.scene, scene.built(), {.folder = folder.path() / "out"}, {});
                ASSERT_EQ(result.status, RunStatus::done);
                EXPECT_EQ(result.totals.outlets.at("thin").count, 2u) << bodies << periodic << history;
            }
        }
    }
}

TEST(InletsOutlets, GoOnFromACheckpointAsIfTheyHadNotStopped)
{
    const TemporaryFolder folder;
    const GranularScene scene(gates_body, folder.path(), gates_more, "{step: auto, end: 0.3, frame: 0.1}");
    const RunResult whole = run_scene(scene.scene, scene.built(), {.folder = folder.path() / "whole"}, {});
    run_scene(scene.scene, scene.built(), {.folder = folder.path() / "parts", .until = 0.1731}, {});
    const RunResult resumed =
        run_scene(scene.scene, scene.built(), {.folder = folder.path() / "parts", .resume = true}, {});
    EXPECT_EQ(whole.state_hash, resumed.state_hash);
    EXPECT_EQ(read_file(folder.path() / "whole/outlets.csv"), read_file(folder.path() / "parts/outlets.csv"));
}

TEST(GranularRun, SpaceClosesUponItself)
{
    const TemporaryFolder folder;
    const GranularScene scene("  - {name: ball, kind: spheres, material: glass, radius: 0.05, positions: [[0.9, 0, "
                              "0]], velocity: [2, 0, 0]}\n",
        folder.path(),
        "gravity: [0, 0, 0]\nperiodic: {min: [0, -.inf, -.inf], max: [1, .inf, .inf]}\nexpect:\n"
        "  - {body: ball, metric: position, axis: x, near: 0.1, within: 1e-9}\n",
        "{step: 1e-4, end: 0.1, frame: 0.1}");
    const RunResult result = run_scene(scene.scene, scene.built(), {.folder = folder.path() / "out"}, {});
    EXPECT_TRUE(result.expectations_hold()) << result.expect[0].value[0];
}

TEST(GranularCheckpoint, KeepsEveryBitAndSurvivesDamage)
{
    const Prepared p;
    SphereSystem system(p.scene.granular().world, p.scene.granular().grains);
    system.step(300);
    ByteWriter writer;
    put_granular(writer, system.state());
    ByteReader reader(writer.result());
    const GranularState read = get_granular(reader);
    reader.expect_end();
    EXPECT_EQ(state_hash(read), state_hash(system.state()));
    SphereSystem other(p.scene.granular().world, p.scene.granular().grains);
    check(other.world(), read);
    other.restore(read);
    other.step(300);
    system.step(300);
    EXPECT_EQ(state_hash(other.state()), state_hash(system.state()));

    const std::string& bytes = writer.result();
    for (std::size_t length = 0; length < bytes.size(); length += 997) {
        ByteReader cut(std::string_view(bytes).substr(0, length));
        EXPECT_THROW(get_granular(cut), InputError) << length;
    }
    GranularState broken = read;
    broken.list.other.back() = 1000;
    EXPECT_THROW(check(other.world(), broken), InputError);
    broken = read;
    broken.walls.pop_back();
    EXPECT_THROW(check(other.world(), broken), InputError);
    broken = read;
    broken.spheres.id[0] = broken.spheres.id[1];
    EXPECT_THROW(check(other.world(), broken), InputError);
}

} // namespace
} // namespace stickslip::granular_run_test
