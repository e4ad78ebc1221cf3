#include "stickslip/build/restart/earlier_run.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/math/error.h"
#include "support/finished_run.h"
#include "support/same_attachment.h"
#include "support/temporary_folder.h"

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

namespace stickslip::start_test {
namespace {

const std::string head = "stickslip: 1\n";
const std::string explicit_run = "solver: {integration: explicit}\n"
                                 "materials: {glass: {density: 2500, kn: 1e4, restitution: 0.3}}\n"
                                 "contact: {friction: 0.5}\n";
const std::string tray = "bodies:\n"
                         "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n"
                         "  - {name: pit, kind: obstacle, shape: {mesh: {file: pit.obj}}}\n";
const std::string grains = "  - {name: grains, kind: spheres, material: glass, position: [0, 0.1, 0], fill: {box: "
                           "[0.16, 0.16, 0.16], count: 60, sizes: {min: 0.01, max: 0.015}}}\n";
const std::string twins = "  - {name: twins, kind: spheres, material: glass, clump: {positions: [[0, 0, 0], [0.01, 0, "
                          "0]], radius: 0.01}, positions: [[0.03, 0.22, 0], [-0.03, 0.22, 0.02]]}\n";
const std::string rigids =
    "  - {name: cube, kind: rigid, material: glass, shape: {box: [0.03, 0.03, 0.03]}, position: [0.02, 0.27, 0]}\n"
    "  - {name: ball, kind: rigid, material: glass, shape: {sphere: 0.015}, position: [-0.03, 0.27, 0]}\n";

/// Scenes and their runs in one folder.
struct Runs {
    TemporaryFolder folder;

    Runs()
    {
        write_file_atomically(folder.path() / "pit.obj", // four walls
            "v -0.09 -1 -0.09\nv 0.09 -1 -0.09\nv 0.09 -1 0.09\nv -0.09 -1 0.09\nv -0.09 1 -0.09\nv 0.09 1 -0.09\n"
            "v 0.09 1 0.09\nv -0.09 1 0.09\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    }
    BuildResult build(const std::string& text, Scene& scene, const std::vector<std::string>& overrides = {}) const
    {
        const SceneResult read = read_scene_text(text, (folder.path() / "scene.yaml").string(), overrides);
        EXPECT_EQ(format(read.faults), "");
        scene = read.scene;
        return read.good() ? build_world(scene, folder.path()) : BuildResult();
    }
    RunResult run(const std::string& text, const std::string& name, RunOptions options = {},
        const std::vector<std::string>& overrides = {}) const
    {
        Scene scene;
        const BuildResult built = build(text, scene, overrides);
        EXPECT_EQ(format(built.faults), "");
        options.scene_folder = folder.path();
        options.folder = folder.path() / name;
        return run_scene(scene, built.built, options, {});
    }
    /// Of the last frame, by body: x, y, z and speed.
    std::map<std::string, Eigen::Vector4d> bodies(const std::string& name) const
    {
        std::map<std::string, Eigen::Vector4d> last;
        for (const std::vector<std::string>& row : csv_rows(read_file(folder.path() / name / "bodies.csv"))) {
            if (row[0] == "time")
                continue;
            const auto at = [&](int column) { return std::stod(row[column]); };
            last[row[1]] = {at(2), at(3), at(4), std::hypot(at(9), at(10), at(11))};
        }
        return last;
    }
    /// Largest in a column of the history.
    double most(const std::string& name, const std::string& column) const
    {
        const auto rows = csv_rows(read_file(folder.path() / name / "history.csv"));
        const auto at = std::find(rows[0].begin(), rows[0].end(), column) - rows[0].begin();
        double largest = 0;
        for (std::size_t i = 1; i < rows.size(); ++i)
            largest = std::max(largest, std::stod(rows[i][at]));
        return largest;
    }
};

std::string time(double end)
{
    return "time: {step: auto, end: " + std::to_string(end) + ", frame: 0.1}\n";
}

const std::string settled = head + time(1.5) + explicit_run + tray + grains + twins + rigids;
const std::string from_settled = "start: {from: settled}\n";

TEST(Start, ASettledPackingStaysAtRestInEveryRunThatStartsFromIt)
{
    const Runs runs;
    ASSERT_EQ(runs.run(settled, "settled").status, RunStatus::done);
    const auto before = runs.bodies("settled");
    for (const std::string change :
        {"contact.friction=0.5", "contact.friction=0.7", "materials.glass.restitution=0.8"}) {
        // as the scene says it, or without a word on where the spheres were
        for (const std::string& spheres :
            {grains, std::string("  - {name: grains, kind: spheres, material: glass}\n")}) {
            runs.run(head + time(0.1) + from_settled + explicit_run + tray + twins + spheres + rigids, "go",
                {.force = true}, {change});
            for (const auto& [name, there] : before) {
                EXPECT_NEAR((runs.bodies("go")[name] - there).head(3).norm(), 0, 2e-6) << name << " " << change;
                EXPECT_LT(runs.bodies("go")[name][3], 1e-4) << name << " " << change;
            }
            // a packing dropped anew, or without its friction, would move at 0.01 m/s and more: 1.4e-4 J
            EXPECT_LT(runs.most("go", "kinetic_energy"), 1e-8) << change;
        }
    }
}

TEST(Start, FrictionHoldsOnAtOnce)
{
    const Runs runs;
    const std::string slope = explicit_run + "gravity: [3, -9, 0]\n" + tray
        + "  - {name: cube, kind: rigid, material: glass, shape: {box: [0.03, 0.03, 0.03]}, position: [0, 0.015, 0]}\n";
    ASSERT_EQ(runs.run(head + time(1) + slope, "settled").status, RunStatus::done);
    const Eigen::Vector4d before = runs.bodies("settled")["cube"];
    ASSERT_GT(before.x(), 1e-5); // the springs of friction are stretched
    runs.run(head + time(0.2) + from_settled + slope, "go");
    EXPECT_NEAR((runs.bodies("go")["cube"] - before).norm(), 0, 1e-9);
    EXPECT_LT(runs.most("go", "kinetic_energy"), 1e-14);
}

TEST(Start, TheClockBeginsAtZeroUnlessItIsKept)
{
    const Runs runs;
    const std::string belt = explicit_run + tray + grains
        + "  - {name: lid, kind: obstacle, shape: {box: [0.1, 0.02, 0.1]}, position: [0, 0.5, 0], motion: {velocity: "
          "[0, 0.1, 0]}}\n";
    ASSERT_EQ(runs.run(head + time(0.3) + belt, "settled").status, RunStatus::done);
    Scene scene;
    BuildResult built = runs.build(head + time(0.4) + from_settled + belt, scene);
    EXPECT_NE(format(built.warnings).find("obstacle \"lid\" does not start where it was"), std::string::npos)
        << format(built.warnings);
    EXPECT_EQ(runs.run(head + time(0.1) + from_settled + belt, "anew").simulated_time,
        runs.run(head + time(0.1) + belt, "alone").simulated_time);
    const std::string kept = head + time(0.4) + "start: {from: settled, keep_time: true}\n" + belt;
    built = runs.build(kept, scene);
    EXPECT_EQ(format(built.warnings), "");
    const RunResult late = runs.run(kept, "late");
    EXPECT_NEAR(late.simulated_time, 0.4, 1e-3);
    EXPECT_NEAR(runs.bodies("late")["lid"].y(), 0.54, 1e-4);
    EXPECT_LT(late.totals.steps, runs.run(head + time(0.3) + belt, "whole").totals.steps / 2);
    built = runs.build(head + time(0.2) + "start: {from: settled, keep_time: true}\n" + belt, scene);
    EXPECT_NE(format(built.faults).find("time.end: expected a time after 0.3"), std::string::npos)
        << format(built.faults);
}

TEST(Start, SaysWhatItDoesNotTakeOver)
{
    const Runs runs;
    ASSERT_EQ(
        runs.run(head + time(0.05) + explicit_run + tray + grains + twins + rigids, "settled").status, RunStatus::done);
    Scene scene;
    const BuildResult built = runs.build(head + time(0.05) + from_settled + explicit_run + tray + twins
            + "  - {name: cube, kind: rigid, material: glass, shape: {box: [0.03, 0.03, 0.04]}, position: [1, 1, 0]}\n"
              "  - {name: ball, kind: obstacle, shape: {sphere: 0.015}, position: [2, 1, 0]}\n"
              "  - {name: new, kind: obstacle, shape: {sphere: 0.015}, position: [3, 1, 0]}\n",
        scene);
    const std::string warnings = format(built.warnings);
    EXPECT_NE(warnings.find("scene.yaml:3:15: warning: start.from: body \"cube\" was a rigid body (box: [0.03, "
                            "0.03, 0.03]) in that run and is a rigid body (box: [0.03, 0.03, 0.04]) here"),
        std::string::npos)
        << warnings;
    EXPECT_NE(
        warnings.find("\"ball\" was a rigid body (sphere: 0.015) in that run and is an obstacle"), std::string::npos)
        << warnings;
    const auto has = [&](const std::string& note) {
        const auto& notes = built.built.notes;
        return std::find(notes.begin(), notes.end(), note) != notes.end();
    };
    EXPECT_TRUE(has("start: not in that run, uses its initial state: new"));
    EXPECT_TRUE(has("start: in that run, but not in this scene: grains"));
    const BuildResult placeless = runs.build(
        head + time(0.05) + from_settled + explicit_run + tray + "  - {name: others, kind: spheres, material: glass}\n",
        scene);
    EXPECT_NE(format(placeless.faults).find("the run to start from has no such spheres"), std::string::npos)
        << format(placeless.faults);
    const BuildResult nowhere =
        runs.build(head + time(0.05) + "start: {from: elsewhere}\n" + explicit_run + tray + grains, scene);
    EXPECT_TRUE(nowhere.unreadable);
}

TEST(Start, FaultsAreToldWithAllOthers)
{
    const Runs runs;
    ASSERT_EQ(runs.run(head + time(0.01) + explicit_run + tray + grains, "settled").status, RunStatus::done);
    const auto faults = [&](const std::string& from, const std::string& solver, bool& unreadable) {
        const SceneResult read = read_scene_text(head + "time: {step: 0.01, end: -1}\nstart: {from: " + from + "}\n"
                + solver + "bodies:\n  - {name: floor, kind: obstacle, shape: {sphere: -1}}\n",
            (runs.folder.path() / "scene.yaml").string());
        unreadable = read.unreadable;
        std::vector<std::string> places; // "3:15 start.from"
        for (const Fault& f : read.faults)
            places.push_back(std::to_string(f.line) + ":" + std::to_string(f.column) + " " + f.path);
        return places;
    };
    const std::vector<std::string> others = {"2:25 time.end", "6:51 bodies.floor.shape.sphere"};
    const std::vector<std::string> all = {others[0], "3:15 start.from", others[1]};
    bool unreadable = false;
    EXPECT_EQ(faults("elsewhere", "solver: {integration: explicit}\n", unreadable), all);
    EXPECT_TRUE(unreadable);
    EXPECT_EQ(faults("settled", "solver: {integration: implicit}\n", unreadable), all);
    EXPECT_FALSE(unreadable);
    EXPECT_EQ(faults("pit.obj", "solver: {integration: explicit}\n", unreadable), all);
    EXPECT_EQ(faults("settled", "solver: {integration: explicit}\n", unreadable), others);
    // of which kind this scene shall be is not known
    EXPECT_EQ(faults("settled", "solver: {integration: explicitly}\n", unreadable),
        (std::vector<std::string>{others[0], "4:23 solver.integration", others[1]}));
    EXPECT_EQ(faults("[]", "solver: {integration: explicit}\n", unreadable), all);
}

TEST(Start, AnImplicitRunThatKeepsItsClockIsTheUndisturbedOne)
{
    const Runs runs;
    const std::string sheet =
        "materials: {rubber: {density: 1000, young: 1.0e6, poisson: 0.45}}\ncontact: {friction: 0.4}\nbodies:\n"
        "  - {name: slope, kind: obstacle, shape: {plane: {normal: [0.342, 0.940, 0]}}}\n"
        "  - {name: block, kind: deformable, shape: {box: [0.2, 0.2, 0.2]}, resolution: 0.1, material: rubber, "
        "position: [0.0342, 0.094, 0], rotation: {axis: [0, 0, 1], degrees: -20}}\n"
        "  - {name: brick, kind: rigid, material: rubber, shape: {box: [0.1, 0.1, 0.1]}, position: [0.6, 0.0, 0]}\n";
    const auto scene = [&](const std::string& end, const std::string& start) {
        return head + "time: {step: 0.01, end: " + end + "}\n" + start + sheet;
    };
    ASSERT_EQ(runs.run(scene("0.5", ""), "settled").status, RunStatus::done);
    const std::string whole = runs.run(scene("0.7", ""), "whole").state_hash;
    EXPECT_EQ(runs.run(scene("0.7", "start: {from: settled, keep_time: true}\n"), "kept").state_hash, whole);
    Scene anew;
    EXPECT_EQ(format(runs.build(scene("0.2", "start: {from: settled}\n"), anew).warnings), "");
    runs.run(scene("0.2", "start: {from: settled}\n"), "anew");
    EXPECT_EQ(runs.run(scene("0.7", ""), "settled", {.resume = true}).state_hash, whole);
    // by a run folder's own scene: what it started from is beside it
    EXPECT_EQ(run_again(runs.folder.path() / "kept", runs.folder.path() / "again").state_hash, whole);
    for (const std::string name : {"block", "brick"})
        EXPECT_NEAR((runs.bodies("anew")[name] - runs.bodies("whole")[name]).norm(), 0, 1e-12) << name;
}

// What is gripped where another run left it was torn back to its place in the scene, in one step: 50 J from nowhere.
TEST(Start, AFixedRegionHoldsItsNodesWhereTheyAre)
{
    const Runs runs;
    const auto scene = [&](const std::string& start, const std::string& more) {
        return head + "time: {step: 0.005, end: 0.1}\ngravity: [0, 0, 0]\n" + start
            + "materials: {rubber: {density: 1000, young: 1.0e5, poisson: 0.3}}\nbodies:\n"
              "  - {name: cube, kind: deformable, material: rubber, shape: {box: [0.1, 0.1, 0.1]}, resolution: 0.05"
            + more + "}\n";
    };
    const std::string face = "box: {min: [-9, -9, -9], max: [9, -0.04, 9]}";
    ASSERT_EQ(runs.run(scene("", ", velocity: [1, 0, 0]"), "flown").status, RunStatus::done);
    EXPECT_NEAR(runs.bodies("flown")["cube"].x(), 0.1, 1e-9);
    runs.run(scene("start: {from: flown}\n", ", fix: [{" + face + "}]"), "held");
    EXPECT_LT(runs.most("held", "kinetic_energy"), 0.5); // as much as it came with
    EXPECT_NEAR(runs.bodies("held")["cube"].x(), 0.1, 0.04); // sways on
    // what it is moved by is counted from there; a run that resumes goes on with it
    const std::string led = ", fix: [{" + face
        + ", motion: {velocity: [0, 0.5, 0]}}, {box: {min: [-9, 0.04, -9], max: "
          "[9, 9, 9]}, motion: {velocity: [0, 0.5, 0]}}]";
    const RunResult whole = runs.run(scene("start: {from: flown}\n", led), "led");
    EXPECT_NEAR(runs.bodies("led")["cube"].y(), 0.05, 1e-3);
    EXPECT_NEAR(runs.bodies("led")["cube"].x(), 0.1, 0.01);
    // and what turns about its middle turns there
    runs.run(scene("start: {from: flown}\n",
                 ", fix: [{box: {min: [-9, -9, -9], max: [9, 9, 9]}, motion: {angular_velocity: [0, 0, 5]}}]"),
        "turned");
    EXPECT_NEAR(runs.bodies("turned")["cube"].x(), 0.1, 1e-9);
    EXPECT_NEAR(runs.bodies("turned")["cube"].y(), 0, 1e-9);
    runs.run(scene("start: {from: flown}\n", led), "halved", {.until = 0.05});
    EXPECT_EQ(runs.run(scene("start: {from: flown}\n", led), "halved", {.resume = true}).state_hash, whole.state_hash);
}

TEST(Start, KeepsAnAttachmentOfEveryKindWhereTheSceneIsTheSame)
{
    const Runs runs;
    write_file_atomically(
        runs.folder.path() / "tile.obj", "v -0.3 0 -0.3\nv 0.3 0 -0.3\nv 0.3 0 0.3\nv -0.3 0 0.3\nf 1 4 3\nf 1 3 2\n");
    const std::string soft = "kind: deformable, shape: {box: [0.2, 0.1, 0.2]}, material: rubber, ";
    const std::string scene = head
        + "time: {step: 0.01, end: 0.3}\n"
          "materials: {rubber: {density: 1000, young: 1.0e6, poisson: 0.4}}\ncontact: {friction: 0.4}\nbodies:\n"
          "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n"
          "  - {name: tile, kind: obstacle, shape: {mesh: {file: tile.obj}}, contact_geometry: mesh, position: [2, 0, "
          "0]}\n"
          "  - {name: lower, "
        + soft + "resolution: 0.1, position: [0, 0.05, 0]}\n  - {name: upper, " + soft
        + "resolution: 0.05, position: [0.02, 0.15, 0.01], rotation: {axis: [0, 1, 0], degrees: 20}}\n"
          "  - {name: ball, kind: rigid, material: rubber, shape: {sphere: 0.03}, position: [0.05, 0.23, 0.03]}\n"
          "  - {name: cube, kind: rigid, material: rubber, shape: {box: [0.05, 0.05, 0.05]}, "
          "position: [-0.03, 0.225, -0.02]}\n"
          "  - {name: brick, kind: rigid, material: rubber, shape: {box: [0.2, 0.1, 0.2]}, position: [1, 0.05, 0]}\n"
          "  - {name: stone, kind: rigid, material: rubber, shape: {box: [0.1, 0.1, 0.1]}, position: [1.08, 0.15, 0], "
          "rotation: {axis: [0, 1, 0], degrees: 45}}\n"
          "  - {name: wheel, kind: rigid, material: rubber, shape: {cylinder: {radius: 0.1, height: 0.05}}, "
          "position: [3, 0.025, 0]}\n"
          "  - {name: pill, kind: rigid, material: rubber, shape: {capsule: {radius: 0.05, height: 0.1}}, "
          "position: [4, 0.05, 0], rotation: {axis: [1, 0, 0], degrees: 90}}\n"
          "  - {name: marble, kind: rigid, material: rubber, shape: {sphere: 0.05}, position: [2, 0.05, 0]}\n"
          "  - {name: die, kind: rigid, material: rubber, shape: {box: [0.1, 0.1, 0.1]}, position: [2.15, 0.05, 0]}\n";
    ASSERT_EQ(runs.run(scene, "settled").status, RunStatus::done);
    const std::vector<Attachment> earlier =
        load_checkpoint(checkpoint_of(runs.folder.path() / "settled")).state.attachments;
    std::set<std::size_t> kinds;
    for (const Attachment& a : earlier)
        kinds.insert(a.to.index());
    for (std::size_t k = 0; k < std::variant_size_v<AttachedTo>; ++k)
        EXPECT_TRUE(kinds.contains(k)) << k << ": the scene has one of each";
    Scene anew;
    const std::vector<Attachment> kept = runs.build(scene + "start: {from: settled}\n", anew).built.state.attachments;
    ASSERT_EQ(kept.size(), earlier.size());
    for (std::size_t i = 0; i < kept.size(); ++i)
        EXPECT_TRUE(same_bits(kept[i], earlier[i])) << i;
}

/// A prism upright on the ground with a box across its rim.
void write_prism(const std::filesystem::path& file, int sides)
{
    std::string text;
    for (const double y : {0.0, 0.1})
        for (int i = 0; i < sides; ++i) {
            const double angle = (2 * i + 1) * std::numbers::pi / sides;
            text += "v " + std::to_string(0.2 * std::sin(angle)) + " " + std::to_string(y) + " "
                + std::to_string(0.2 * std::cos(angle)) + "\n";
        }
    for (int i = 0; i < sides; ++i) {
        const int next = (i + 1) % sides;
        for (const std::array<int, 3>& facet :
            {std::array{i, next, sides + next}, std::array{i, sides + next, sides + i}})
            text += "f " + std::to_string(facet[0] + 1) + " " + std::to_string(facet[1] + 1) + " "
                + std::to_string(facet[2] + 1) + "\n";
    }
    for (int i = 1; i + 1 < sides; ++i)
        text += "f 1 " + std::to_string(i + 2) + " " + std::to_string(i + 1) + "\nf " + std::to_string(sides + 1) + " "
            + std::to_string(sides + i + 1) + " " + std::to_string(sides + i + 2) + "\n";
    write_file_atomically(file, text);
}

TEST(Start, ContactsWithAMeshThatIsAnotherBeginAnew)
{
    const Runs runs;
    const std::string scene = head
        + "time: {step: 0.01, end: 0.2}\nmaterials: {wood: {density: 600, young: 1.0e7}}\n"
          "contact: {friction: 0.5}\nbodies:\n"
          "  - {name: block, kind: obstacle, shape: {mesh: {file: prism.obj}}}\n"
          "  - {name: box, kind: rigid, material: wood, shape: {box: [0.2, 0.05, 0.1]}, position: [0.09, 0.125, 0]}\n";
    write_prism(runs.folder.path() / "prism.obj", 40);
    ASSERT_EQ(runs.run(scene, "settled").status, RunStatus::done);
    ASSERT_FALSE(load_checkpoint(checkpoint_of(runs.folder.path() / "settled")).state.attachments.empty());
    write_prism(runs.folder.path() / "prism.obj", 4);
    const std::string from = scene + "start: {from: settled}\n";
    Scene anew;
    const BuildResult built = runs.build(from, anew);
    EXPECT_NE(format(built.warnings)
                  .find("the mesh of body \"block\" is not that of the earlier run; its contacts begin anew"),
        std::string::npos)
        << format(built.warnings);
    EXPECT_TRUE(built.built.state.attachments.empty());
    ASSERT_EQ(runs.run(from, "anew").status, RunStatus::done);
    EXPECT_NEAR((runs.bodies("anew")["box"] - runs.bodies("settled")["box"]).norm(), 0, 1e-3);
}

TEST(Start, ContactsOfDeformableBodiesBeginAnewWithOtherQuadraturePoints)
{
    const Runs runs;
    const auto scene = [](const std::string& contact) {
        return head + "time: {step: 0.01, end: 0.1}\nmaterials: {rubber: {density: 1000, young: 1.0e6, poisson: 0.4}}\n"
            + "contact: {friction: 0.4" + contact + "}\nbodies:\n"
            + "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n"
              "  - {name: mat, kind: deformable, shape: {box: [0.4, 0.1, 0.4]}, material: rubber, resolution: 0.1, "
              "position: [0, 0.05, 0]}\n"
              "  - {name: pad, kind: deformable, shape: {box: [0.2, 0.1, 0.2]}, material: rubber, resolution: 0.05, "
              "position: [0, 0.15, 0]}\n";
    };
    ASSERT_EQ(runs.run(scene(""), "settled").status, RunStatus::done);
    const auto kept = [&](const std::string& contact, std::string& warnings) {
        Scene anew;
        const BuildResult built = runs.build(scene(contact) + "start: {from: settled}\n", anew);
        warnings = format(built.warnings);
        return built.built.state.attachments.size();
    };
    std::string warnings;
    EXPECT_GT(kept("", warnings), 20);
    EXPECT_EQ(warnings, "");
    EXPECT_EQ(kept(", quadrature: 6", warnings), 0);
    EXPECT_NE(warnings.find("the points by which body \"mat\" touches others are not those of the earlier run"),
        std::string::npos)
        << warnings;
}

TEST(Start, PointsOnDeformableBodiesAreLetGoWhereOtherOnesChangeThem)
{
    const Runs runs;
    const std::string scene = head
        + "time: {step: 0.01, end: 0.3}\nmaterials: {rubber: {density: 1000, young: 1.0e6, poisson: 0.4}}\n"
          "contact: {friction: 0.4}\nbodies:\n"
          "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n"
          "  - {name: mat, kind: deformable, shape: {box: [0.4, 0.1, 0.4]}, material: rubber, resolution: 0.1, "
          "position: [0, 0.05, 0]}\n"
          "  - {name: box, kind: rigid, material: rubber, shape: {box: [0.2, 0.05, 0.2]}, position: [0, 0.125, 0]}\n";
    const std::string fine = "  - {name: fine, kind: deformable, shape: {box: [0.1, 0.1, 0.1]}, material: rubber, "
                             "resolution: 0.025, position: [1, 0.05, 0]}\n";
    ASSERT_EQ(runs.run(scene + fine, "settled").status, RunStatus::done);
    Scene anew;
    const std::string from = scene + "start: {from: settled}\n";
    const BuildResult built = runs.build(from, anew);
    EXPECT_NE(format(built.warnings).find("change the points by which body \"box\" touches them"), std::string::npos)
        << format(built.warnings);
    constexpr int mat = 0, box = 1;
    std::size_t of_mat = 0;
    for (const Attachment& kept : built.built.state.attachments) {
        EXPECT_FALSE(kept.point_body == box && kept.surface_body == mat) << kept.point;
        of_mat += kept.point_body == mat;
    }
    EXPECT_GT(of_mat, 0u) << "on the floor, whose points are the same";
    ASSERT_EQ(runs.run(from, "anew").status, RunStatus::done);
    EXPECT_NEAR((runs.bodies("anew")["box"] - runs.bodies("settled")["box"]).norm(), 0, 1e-3);
}

TEST(Start, ABodyOfMaterialPointsIsNamedWhereItIsAnother)
{
    const Runs runs;
    const auto scene = [](const std::string& kind) {
        return head + "time: {step: 0.01, end: 0.02}\nmaterials: {clay: {density: 1000, young: 1.0e5, poisson: 0.3}}\n"
            + "bodies:\n  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n"
            + "  - {name: lump, kind: " + kind
            + ", shape: {box: [0.1, 0.1, 0.1]}, material: clay, position: [0, 0.05, 0]";
    };
    const std::string points = scene("mpm") + ", resolution: 0.05}\n";
    ASSERT_EQ(runs.run(points, "points").status, RunStatus::done);
    Scene anew;
    const BuildResult built = runs.build(scene("rigid") + "}\nstart: {from: points}\n", anew);
    EXPECT_NE(format(built.warnings).find("was a body of material points (box: [0.1, 0.1, 0.1])"), std::string::npos)
        << format(built.warnings);
}

TEST(Start, AResumedRunMayEndLaterAndNothingElse)
{
    const Runs runs;
    const std::string whole = runs.run(head + time(0.2) + explicit_run + tray + grains, "whole").state_hash;
    const std::string part = head + time(0.1) + explicit_run + tray + grains;
    runs.run(part, "out");
    EXPECT_EQ(runs.run(part, "out", {.resume = true}, {"time.end=0.2", "output.contacts=true"}).state_hash, whole);
    EXPECT_NE(read_file(runs.folder.path() / "out/scene.yaml").find("end: 0.2"), std::string::npos);
    try {
        runs.run(part, "out", {.resume = true}, {"time.end=0.3", "contact.friction=0.4"});
        FAIL() << "another friction must be refused";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("`contact.friction`: was 0.5, is 0.4"), std::string::npos)
            << error.what();
    }
}

} // namespace
} // namespace stickslip::start_test
