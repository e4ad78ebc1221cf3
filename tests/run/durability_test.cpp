#include "stickslip/build/restart/checkpoint.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/files/folder_lock.h"
#include "stickslip/run/run.h"
#include "support/rigid_scenes.h"
#include "support/temporary_folder.h"

#include <atomic>
#include <map>
#include <optional>

#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<int> waits_for_the_disk = 0;
std::map<std::string, int>* synced = nullptr; // file names, where a test wants them

} // namespace

/// Stands in for that of the C library.
extern "C" int fsync(int descriptor)
{
    ++waits_for_the_disk;
    if (synced) {
        char path[4096];
        const auto length = readlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), path, sizeof path);
        if (length > 0)
            ++(*synced)[std::filesystem::path(std::string(path, static_cast<std::size_t>(length))).filename().string()];
    }
    return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace stickslip::durability_test {
namespace {

const std::string bodies = "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n"
    + rigid_body("ball", "sphere: 0.5", "position: [0, 0.5, 0]");

struct Prepared {
    TemporaryFolder folder;
    BuiltScene scene{bodies};

    int waits(const std::string& name, double frame, double checkpoint = infinity)
    {
        scene.scene.time.frame = frame;
        scene.scene.output.checkpoint = checkpoint;
        const int before = waits_for_the_disk;
        run_scene(scene.scene, scene.built(), {.scene_folder = ".", .folder = folder.path() / name}, {});
        return waits_for_the_disk - before;
    }
};

TEST(Durability, WritingAFrameWaitsForNoDisk)
{
    Prepared p;
    EXPECT_EQ(p.waits("ten", 0.01), p.waits("one", 0.1));
}

TEST(Durability, ACheckpointHasAllThatGoingOnReadsOnDisk)
{
    Prepared p;
    std::map<std::string, int> names;
    synced = &names;
    p.waits("out", 0.01, 0.025);
    synced = nullptr;
    const int checkpoints = 4;
    for (const char* file : {"history.csv", "bodies.csv", "balance.csv", "log.txt", "frames.pvd", "out", "checkpoints"})
        EXPECT_EQ(names[file], checkpoints + 2 * (std::string(file) == "out"))
            << file; // the folder also with the first header, by which it is that of a run, and with the summary
    const auto count_of = [&](const std::string& begin) {
        int count = 0;
        for (const auto& [name, waits] : names)
            count += name.starts_with(begin) ? waits : 0;
        return count;
    };
    EXPECT_EQ(count_of("step-"), checkpoints);
    EXPECT_EQ(count_of("summary.json.tmp-"), 1);
}

TEST(Durability, OnlyAFileCommittedToDiskWaits)
{
    const TemporaryFolder folder;
    const int before = waits_for_the_disk;
    write_file_atomically(folder.path() / "a", "x");
    EXPECT_EQ(waits_for_the_disk, before);
    AtomicFile file(folder.path() / "b");
    file.append("y");
    file.commit_to_disk();
    EXPECT_EQ(waits_for_the_disk, before + 2); // its content and its name
    EXPECT_EQ(read_file(folder.path() / "b"), "y");
}

TEST(Durability, OneRunAtATimeWritesIntoAFolder)
{
    Prepared p;
    p.waits("run", 0.1);
    std::optional<FolderLock> other(p.folder.path() / "run");
    const auto start = [&](bool resume, bool force) {
        run_scene(p.scene.scene, p.scene.built(),
            {.scene_folder = ".", .folder = p.folder.path() / "run", .resume = resume, .force = force}, {});
    };
    const std::string history = read_file(p.folder.path() / "run" / "history.csv");
    for (const bool resume : {false, true})
        EXPECT_THROW(start(resume, !resume), InputError);
    EXPECT_EQ(read_file(p.folder.path() / "run" / "history.csv"), history);
    other.reset();
    EXPECT_NO_THROW(start(false, true));
}

} // namespace
} // namespace stickslip::durability_test
