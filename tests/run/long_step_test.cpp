#include "stickslip/files/atomic_file.h"
#include "stickslip/run/run.h"
#include "stickslip/world/diagnostics.h"
#include "support/finished_run.h"
#include "support/rigid_scenes.h"
#include "support/temporary_folder.h"

#include <nlohmann/json.hpp>

#include <atomic>

namespace stickslip::long_step_test {
namespace {

/// Two boxes side by side into which a third one flies; with three iterations a solve, some steps are halved.
struct HitBoxes {
    TemporaryFolder folder;
    SceneResult read;
    BuildResult result;

    explicit HitBoxes(const std::string& solver = "")
        : read(read_scene_text(
            "stickslip: 1\ntime: {step: 0.01, end: 0.1, frame: 0.02}\nmaterials: {oak: {density: 700}}\n"
            "solver: {max_newton: 4"
                + solver
                + "}\nbodies:\n"
                  "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n"
                + rigid_body("left", "box: [0.1, 0.1, 0.1]", "position: [0, 0.05, 0]")
                + rigid_body("right", "box: [0.1, 0.1, 0.1]", "position: [0.1, 0.05, 0]")
                + rigid_body("thrown", "box: [0.1, 0.1, 0.1]", "position: [-0.2, 0.06, 0.01], velocity: [4, 0, 0]"),
            "hit.yaml"))
        , result(build_world(read.scene, folder.path()))
    {
        EXPECT_EQ(format(read.faults) + format(result.faults), "");
    }
    RunResult run(const std::string& name, const RunOptions& options = {}, const RunListener& listener = {}) const
    {
        return run_scene(read.scene, result.built, within(folder.path(), name, options), listener);
    }
    std::vector<std::vector<std::string>> rows(const std::string& name, const char* table) const
    {
        return csv_rows(read_file(folder.path() / name / table));
    }
    nlohmann::json summary(const std::string& name) const
    {
        return nlohmann::json::parse(read_file(folder.path() / name / "summary.json"));
    }
};

double sum_of(const std::vector<std::vector<std::string>>& rows, const std::string& column)
{
    const auto at = std::find(rows[0].begin(), rows[0].end(), column) - rows[0].begin();
    EXPECT_LT(at, static_cast<std::ptrdiff_t>(rows[0].size())) << column;
    double sum = 0;
    for (std::size_t i = 1; i < rows.size(); ++i)
        sum += std::stod(rows[i][at]);
    return sum;
}

/// Counts iterations as they are shown.
struct Iterations {
    int seen = 0, last = 0;
    void operator()(const RunProgress& progress)
    {
        if (!progress.within)
            return;
        seen += progress.within->iterations > last;
        last = progress.within->iterations;
    }
};

TEST(LongStep, EverySolveIsOnTheBooks)
{
    const HitBoxes hit;
    Iterations iterations;
    const RunResult result = hit.run("out", {}, {.progress = std::ref(iterations), .message = {}, .note = {}});
    ASSERT_EQ(result.status, RunStatus::done);
    EXPECT_GT(result.totals.failed_solves, 0u) << "the test means nothing without";
    const auto summary = hit.summary("out");
    const auto solves = hit.rows("out", "solves.csv");
    const auto tries = std::find(solves[0].begin(), solves[0].end(), "tries") - solves[0].begin();
    const auto not_begun =
        std::count_if(solves.begin(), solves.end(), [&](const auto& row) { return row[tries] == "0"; });
    EXPECT_EQ(solves.size() - 1 - not_begun, result.totals.steps + result.totals.failed_solves);
    EXPECT_EQ(summary["newton_iterations"], iterations.seen);
    EXPECT_EQ(sum_of(hit.rows("out", "history.csv"), "newton"), iterations.seen);
    for (const auto& [column, key] : {std::pair("newton", "newton_iterations"), {"krylov", "krylov_iterations"},
             {"evaluations", "evaluations"}, {"descent_steps", "descent_steps"}})
        EXPECT_EQ(sum_of(solves, column), summary[key]) << column;
    for (const char* stage : {"evaluation", "assembly", "linear_solve"})
        EXPECT_NEAR(sum_of(solves, stage), summary["seconds"][stage], 1e-9) << stage;
}

TEST(LongStep, IsEndedByItsTimeLikeASolverThatGaveUp)
{
    const HitBoxes unlimited, limited(", max_seconds: 1e-9");
    std::vector<std::string> messages;
    const RunResult whole = unlimited.run("whole");
    const RunResult result = limited.run(
        "out", {}, {.progress = {}, .message = [&](const std::string& line) { messages.push_back(line); }, .note = {}});
    EXPECT_EQ(result.status, RunStatus::failed);
    EXPECT_EQ(result.state_hash, state_hash(limited.result.built.state)) << "the state is as it was";
    EXPECT_EQ(result.totals.steps, 0u);
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_TRUE(messages[0].ends_with("no time is left")) << messages[0];
    EXPECT_TRUE(messages[1].starts_with(
        "hit.yaml: t = 0 s: gave up: step 1 took longer than solver.max_seconds = 1e-09 s; residual "))
        << messages[1];
    EXPECT_NE(read_file(limited.folder.path() / "out/log.txt").find(messages[1]), std::string::npos);
    EXPECT_EQ(limited.summary("out")["status"], "failed");
    EXPECT_EQ(limited.rows("out", "solves.csv").at(1).at(2), "out of time");

    std::filesystem::copy(
        limited.folder.path() / "out", unlimited.folder.path() / "out", std::filesystem::copy_options::recursive);
    const RunResult resumed = unlimited.run("out", {.resume = true}); // time limits may differ
    EXPECT_EQ(resumed.state_hash, whole.state_hash);
    EXPECT_EQ(resumed.totals.newton_iterations, whole.totals.newton_iterations);
    EXPECT_EQ(resumed.totals.failed_solves, whole.totals.failed_solves);
    EXPECT_EQ(unlimited.rows("out", "solves.csv").size(), unlimited.rows("whole", "solves.csv").size());
}

TEST(LongStep, IsInterruptedBetweenTwoIterationsAndTakenAgain)
{
    const HitBoxes hit;
    const RunResult whole = hit.run("whole");
    for (const int moment : {1, 7, 20}) {
        std::atomic<bool> interrupted = false;
        Iterations iterations;
        const auto interrupt = [&](const RunProgress& progress) {
            iterations(progress);
            EXPECT_FALSE(interrupted && progress.within && progress.within->iterations > 0) << "went on";
            interrupted = iterations.seen >= moment;
        };
        const RunResult stopped = hit.run(
            "out", {.force = true, .interrupted = &interrupted}, {.progress = interrupt, .message = {}, .note = {}});
        EXPECT_EQ(stopped.status, RunStatus::interrupted);
        EXPECT_EQ(hit.summary("out")["newton_iterations"], moment) << "those of the step given up, too";
        const RunResult resumed = hit.run("out", {.resume = true});
        EXPECT_EQ(resumed.state_hash, whole.state_hash);
        EXPECT_EQ(resumed.totals.newton_iterations, whole.totals.newton_iterations);
        EXPECT_EQ(resumed.totals.failed_solves, whole.totals.failed_solves);
    }
}

} // namespace
} // namespace stickslip::long_step_test
