#include "sample_scenes.h"

#include "support/temporary_folder.h"

#include "stickslip/build/build_world.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/run/recording.h"
#include "stickslip/run/run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

namespace stickslip::recording_test {
namespace {

namespace fs = std::filesystem;

/// Frames and tables but history.csv, which has the wall time in it.
std::map<std::string, std::string> content(const fs::path& folder)
{
    std::map<std::string, std::string> files;
    for (const char* name : {"scene.yaml", "bodies.csv", "balance.csv", "frames.pvd"})
        files[name] = read_file(folder / name);
    for (const fs::directory_entry& file : fs::directory_iterator(folder / "frames"))
        files[file.path().filename()] = read_file(file.path());
    return files;
}

/// With stops at other moments than those of the recording.
void drive(Simulation& simulation, Recording& recording, double end)
{
    int calls = 0;
    while (simulation.time() < end - 1e-6 * simulation.time_step()) {
        const double own = ++calls % 3 == 0 ? simulation.time() + 2 * simulation.time_step() : end;
        const RunStatus status = simulation.advance(std::min(own, recording.next_moment()));
        ASSERT_EQ(status, RunStatus::done);
        recording.step_taken(status);
    }
}

TEST(Recording, WritesWhatARunWritesWhoeverDrives)
{
    for (const std::string& text : {block_on_floor(soft_cube), spheres_with_gates}) {
        const TemporaryFolder folder;
        const Scene scene = scene_from_text(text);
        const RunResult run = run_scene(scene, build_world(scene, ".").built, {.folder = folder.path() / "run"}, {});
        Simulation simulation(scene);
        const auto recording = record(simulation, {.folder = folder.path() / "driven", .until = infinity}, {});
        drive(simulation, *recording, scene.time.end);
        const RunResult driven = recording->finish(RunStatus::done);
        EXPECT_EQ(driven.state_hash, run.state_hash);
        EXPECT_EQ(driven.expect.size(), run.expect.size());
        EXPECT_TRUE(content(folder.path() / "driven") == content(folder.path() / "run"));
    }
}

TEST(Recording, IsOneOfAStoppedRunWhereTheSceneHasNotEnded)
{
    const TemporaryFolder folder;
    const Scene scene = scene_from_text(block_on_floor("expect: [{body: block, metric: speed, max: 1}]\n"));
    Simulation simulation(scene);
    const auto recording = record(simulation, {.folder = folder.path() / "out", .until = infinity}, {});
    drive(simulation, *recording, 0.2);
    EXPECT_TRUE(recording->finish(RunStatus::done).expect.empty());
    const RunResult whole =
        run_scene(scene, build_world(scene, ".").built, {.folder = folder.path() / "out", .resume = true}, {});
    EXPECT_EQ(whole.expect.size(), 1u);
    EXPECT_DOUBLE_EQ(whole.simulated_time, 1.0);
}

// Its scene does not tell what steered it, so that it alone does not go on with the run.
TEST(Recording, OfASteeredRunIsNotResumed)
{
    const Scene scene = scene_from_text(block_on_floor());
    for (const bool by_velocity : {false, true})
        for (const bool before : {false, true}) {
            const TemporaryFolder folder;
            Simulation simulation(scene);
            const auto steer = [&] {
                if (by_velocity)
                    simulation.set_velocity("block", Vec3(1, 0, 0));
                else
                    simulation.set_load("block", Vec3(30, 0, 0));
            };
            if (before)
                steer();
            Simulation copy = simulation;
            const auto recording = record(copy, {.folder = folder.path() / "out", .until = infinity}, {});
            if (!before) {
                drive(copy, *recording, 0.1);
                copy.set_friction(0.02);
            }
            drive(copy, *recording, 0.2);
            recording->finish(RunStatus::done);
            const std::string refused = error_text<InputError>([&] {
                run_scene(scene, build_world(scene, ".").built, {.folder = folder.path() / "out", .resume = true}, {});
            });
            EXPECT_NE(refused.find("cannot resume: the run was steered"), std::string::npos) << refused;
            const std::string log = read_file(folder.path() / "out" / "log.txt");
            EXPECT_EQ(log.find("steered before it was recorded") != std::string::npos, before);
        }
}

} // namespace
} // namespace stickslip::recording_test
