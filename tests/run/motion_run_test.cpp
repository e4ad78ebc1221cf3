#include "stickslip/files/atomic_file.h"
#include "support/finished_run.h"

#include <nlohmann/json.hpp>

namespace stickslip::motion_run_test {
namespace {

const std::string sines =
    "oscillations: [{amplitude: [0.004, 0, 0.001], frequency: 7, phase_degrees: 30}, {turn: {axis: "
    "[0, 1, 1], degrees: 2}, frequency: 3}]";
const std::string smooth = "keyframes: [{time: 0.02, position: [0, -0.1, 0]}, {time: 0.1, position: [0.01, -0.09, 0], "
                           "rotation: {axis: [0, 0, 1], degrees: 3}}, {time: 0.3, position: [0, -0.1, 0]}], "
                           "interpolation: smooth";

/// Scenes in one folder: a ball, or in implicit runs a box, on a table that moves.
struct Runs : RunsInAFolder {
    static std::string scene(bool is_explicit, const std::string& motion, double end, const std::string& start = "")
    {
        const std::string head = "stickslip: 1\ntime: {step: " + std::string(is_explicit ? "2e-5" : "0.01")
            + ", end: " + std::to_string(end) + ", frame: 0.05}\noutput: {checkpoint: 0.1}\n" + start
            + "materials: {glass: {density: 2500, kn: 1e4}}\n";
        return head + (is_explicit ? "solver: {integration: explicit}\n" : "")
            + "bodies:\n  - {name: table, kind: obstacle, shape: {box: [1, 0.2, 1]}, position: [0, -0.1, 0], motion: {"
            + motion + "}}\n  - {name: load, kind: rigid, material: glass, shape: "
            + (is_explicit ? "{sphere: 0.02}, position: [0.1, 0.0201, 0]}\n"
                           : "{box: [0.1, 0.04, 0.1]}, position: [0.1, 0.0201, 0]}\n");
    }
    /// The cells of a body at a time, from bodies.csv.
    std::vector<double> row(const std::string& name, const std::string& body, double time) const
    {
        for (const std::vector<std::string>& row : csv_rows(read_file(folder.path() / name / "bodies.csv"))) {
            if (row[0] == "time" || row[1] != body || std::abs(std::stod(row[0]) - time) > 1e-9)
                continue;
            std::vector<double> cells;
            for (std::size_t i = 2; i < row.size(); ++i)
                cells.push_back(std::stod(row[i]));
            return cells;
        }
        ADD_FAILURE() << "no row of " << body;
        return {};
    }
};

class EveryMotion : public testing::TestWithParam<bool> { };

TEST_P(EveryMotion, GoesOnWithTheSameBitsInTheMiddle)
{
    const Runs runs;
    for (const std::string& motion :
        {sines + ", surface_velocity: [0.1, 0, 0]", smooth + ", surface_velocity: [0, 0, 0.1]", smooth + ", " + sines,
            "velocity: [0.1, 0, 0], angular_velocity: [0, 1, 0], " + sines}) {
        const std::string whole = runs.run(Runs::scene(GetParam(), motion, 0.3), "whole", {.force = true}).state_hash;
        runs.run(Runs::scene(GetParam(), motion, 0.17), "parts", {.force = true});
        EXPECT_EQ(runs.run(Runs::scene(GetParam(), motion, 0.3), "parts", {.resume = true}).state_hash, whole)
            << motion;
    }
}

TEST_P(EveryMotion, GoesOnFromAnEarlierRunThatKeepsItsTime)
{
    const Runs runs;
    const std::string motion = smooth + ", " + sines;
    runs.run(Runs::scene(GetParam(), motion, 0.3), "whole");
    runs.run(Runs::scene(GetParam(), motion, 0.15), "first");
    runs.run(Runs::scene(GetParam(), motion, 0.3, "start: {from: first, keep_time: true}\n"), "second");
    EXPECT_EQ(runs.row("second", "table", 0.2), runs.row("whole", "table", 0.2));
    const std::vector<double> load = runs.row("second", "load", 0.3), alone = runs.row("whole", "load", 0.3);
    for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(load[axis], alone[axis], 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Integration, EveryMotion, testing::Bool());

TEST(MotionOfAScene, BeginsWhereTheBodyIsPlaced)
{
    const Runs runs;
    runs.run(Runs::scene(true, sines, 0.05), "out");
    const std::vector<double> start = runs.row("out", "table", 0);
    EXPECT_EQ(std::vector<double>(start.begin(), start.begin() + 3), (std::vector<double>{0, -0.1, 0}));
}

TEST(MotionOfAScene, IsWarnedOfWhereStepsAreTooLongForItsSines)
{
    const Runs runs;
    Scene scene;
    const auto warnings = [&](const std::string& frequency) {
        return format(runs.build(Runs::scene(false,
                                     "oscillations: [{amplitude: [0.001, 0, 0], frequency: " + frequency + "}]", 0.3),
                              scene)
                          .warnings);
    };
    EXPECT_EQ(warnings("9.9"), "");
    EXPECT_NE(warnings("20").find("bodies.table.motion.oscillations[0]: too fast for steps of 0.01 s: a period has "
                                  "only 5 steps, expected at least 10"),
        std::string::npos)
        << warnings("20");
}

TEST(MotionOfAScene, IsWarnedOfWhereStepsAreTooLongForItsTurns)
{
    const Runs runs;
    Scene scene;
    const auto warnings = [&](bool is_explicit, const std::string& w) {
        return format(runs.build(Runs::scene(is_explicit, "angular_velocity: [0, " + w + ", 0]", 0.3), scene).warnings);
    };
    EXPECT_EQ(warnings(false, "62.8"), "");
    const std::string told = warnings(false, "-125.66370614359172");
    EXPECT_NE(told.find("bodies.table.motion.angular_velocity: too fast for steps of 0.01 s: a turn has only 5 steps, "
                        "expected at least 10; use a shorter `time.step` (steps in which"),
        std::string::npos)
        << told;
    EXPECT_EQ(warnings(true, "1000"), "");
    const std::string explicit_told = warnings(true, "1e6");
    EXPECT_NE(explicit_told.find("expected at least 10; use a shorter `time.step`\n"), std::string::npos)
        << explicit_told;
}

TEST(MotionOfAScene, IsWarnedOfWhereAKeyframeMayLieBetweenSteps)
{
    const Runs runs;
    Scene scene;
    const auto warnings = [&](const std::string& back) { // there and back from 0.1 s on
        return format(
            runs.build(Runs::scene(false,
                           "keyframes: [{time: 0, position: [0, -0.1, 0]}, {time: 0.1, position: [0, -0.1, 0]}, "
                           "{time: 0.105, position: [0, -0.08, 0]}, {time: "
                               + back + ", position: [0, -0.1, 0]}]",
                           0.3),
                    scene)
                .warnings);
    };
    EXPECT_EQ(warnings("0.111"), "");
    EXPECT_NE(warnings("0.11").find("bodies.table.motion.keyframes[2]: the two beside it are 0.01 s apart, no more "
                                    "than a step of 0.01 s"),
        std::string::npos)
        << warnings("0.11");
}

} // namespace
} // namespace stickslip::motion_run_test
