#include "stickslip/files/atomic_file.h"

#include "stickslip/math/error.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace stickslip::atomic_file_test {
namespace {

/// Runs `action` in a child process after `prepare`; true if it returned true.
bool holds_in_child(const std::function<bool()>& prepare, const std::function<bool()>& action)
{
    const pid_t child = fork();
    if (child == 0) {
        bool good = false;
        try {
            good = prepare() && action();
        } catch (const std::exception&) {
        }
        _exit(good ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// The same where no file may become longer than `limit` bytes.
bool holds_with_size_limit(rlim_t limit, const std::function<bool()>& action)
{
    const auto prepare = [&] {
        ignore_file_size_signal();
        const rlimit sizes = {limit, limit};
        return setrlimit(RLIMIT_FSIZE, &sizes) == 0;
    };
    return holds_in_child(prepare, action);
}

TEST(AtomicFile, AppearsOnlyWhenCommitted)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.txt";
    AtomicFile file(path);
    file.append("first ");
    file.append("second");
    EXPECT_FALSE(std::filesystem::exists(path));
    file.commit();
    EXPECT_EQ(read_file(path), "first second");
    EXPECT_EQ(folder.size(), 1);
}

TEST(AtomicFile, LeavesTheOldFileWhenGivenUp)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.txt";
    write_file_atomically(path, "old");
    {
        AtomicFile file(path);
        file.append("new");
    }
    EXPECT_EQ(read_file(path), "old");
    EXPECT_EQ(folder.size(), 1);
}

TEST(AtomicFile, KeepsAnyBytes)
{
    const TemporaryFolder folder;
    std::string bytes;
    for (int i = 0; i < 300000; ++i)
        bytes += static_cast<char>(i * 7);
    write_file_atomically(folder.path() / "a", bytes);
    EXPECT_EQ(read_file(folder.path() / "a"), bytes);
    write_file_atomically(folder.path() / "a", "");
    EXPECT_EQ(read_file(folder.path() / "a"), "");
}

TEST(AtomicFile, TooLargeForTheLimitIsAFileErrorAndLeavesNothing)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.bin";
    write_file_atomically(path, "old");
    EXPECT_TRUE(holds_with_size_limit(1000, [&] {
        const std::string text = error_text<FileError>([&] { write_file_atomically(path, std::string(5000, 'x')); });
        return text == "cannot write " + path.string() + ": File too large";
    }));
    EXPECT_EQ(read_file(path), "old");
    EXPECT_EQ(folder.size(), 1);
}

TEST(AtomicFile, FullDiskIsAFileError)
{
    if (!std::filesystem::exists("/dev/full"))
        GTEST_SKIP() << "this system has no /dev/full";
    // A device is refused by name; through an AppendFile it shows how a full disk is told.
    EXPECT_EQ(error_text<FileError>([] {
        AppendFile file("/dev/full");
        file.append("row\n");
        file.flush();
    }),
        "cannot write /dev/full: No space left on device");
}

TEST(AtomicFile, BelowAFileIsAFileError)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "file", "x");
    const auto path = folder.path() / "file" / "a.txt";
    EXPECT_EQ(
        error_text<FileError>([&] { AtomicFile file(path); }), "cannot write " + path.string() + ": Not a directory");
}

TEST(AtomicFile, InAMissingFolderIsAFileError)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "none" / "a.txt";
    EXPECT_EQ(error_text<FileError>([&] { AtomicFile file(path); }),
        "cannot write " + path.string() + ": No such file or directory");
}

TEST(AtomicFile, ReplacesNoFolderAndNoDevice)
{
    const TemporaryFolder folder;
    EXPECT_EQ(error_text<FileError>([&] { AtomicFile file(folder.path()); }),
        "cannot write " + folder.path().string() + ": Is a directory");
    EXPECT_EQ(error_text<FileError>([] { AtomicFile file("/dev/null"); }), "cannot write /dev/null: Invalid argument");
}

TEST(AtomicFile, RefusedByAReadOnlyFolder)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.txt";
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
    constexpr uid_t nobody = 65534; // root may write everywhere
    const bool refused = holds_in_child([] { return getuid() != 0 || setuid(nobody) == 0; },
        [&] {
            return error_text<FileError>([&] { AtomicFile file(path); })
                == "cannot write " + path.string() + ": Permission denied";
        });
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0700));
    EXPECT_TRUE(refused);
}

TEST(AtomicFile, RenameThatFailsLeavesNoTemporary)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.txt";
    AtomicFile file(path);
    std::filesystem::create_directory(path); // appears meanwhile
    EXPECT_EQ(error_text<FileError>([&] { file.commit(); }), "cannot write " + path.string() + ": Is a directory");
    EXPECT_EQ(folder.size(), 1);
}

TEST(AtomicFile, ReplacesATemporaryLeftByAProcessOfTheSameNumber)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.txt";
    const std::string leftover = path.string() + ".tmp-" + std::to_string(getpid());
    std::filesystem::create_symlink(folder.path() / "elsewhere", leftover);
    write_file_atomically(path, "x");
    EXPECT_EQ(read_file(path), "x");
    EXPECT_EQ(folder.size(), 1); // nothing was written through the link
}

TEST(LeftoverTemporaries, AreRemovedAndNothingElse)
{
    const TemporaryFolder folder;
    for (const char* name : {"a.vtu.tmp-12", "b.tmp-7", "b", "c.tmp-", "d.tmp-x1", ".tmp-3"})
        write_file_atomically(folder.path() / name, "x");
    EXPECT_EQ(remove_leftover_temporaries(folder.path()), 2);
    EXPECT_EQ(folder.size(), 4);
    EXPECT_NE(error_text<FileError>([&] { remove_leftover_temporaries(folder.path() / "none"); }), "nothing thrown");
}

TEST(ReadFile, SaysWhyItCannot)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "none";
    EXPECT_EQ(error_text<FileError>([&] { read_file(path); }),
        "cannot read " + path.string() + ": No such file or directory");
    EXPECT_EQ(error_text<FileError>([&] { read_file(folder.path()); }),
        "cannot read " + folder.path().string() + ": Is a directory");
}

TEST(AppendFile, GrowsByWhatIsFlushed)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "t.csv";
    write_file_atomically(path, "from before");
    AppendFile file(path);
    file.append("time\n");
    EXPECT_EQ(file.size(), 5u);
    EXPECT_EQ(read_file(path), "");
    file.flush();
    EXPECT_EQ(read_file(path), "time\n");
    file.append("0.5\n");
    file.sync();
    EXPECT_EQ(file.size(), 9u);
    EXPECT_EQ(read_file(path), "time\n0.5\n");
}

TEST(AppendFile, WritesTheRestWhenItGoesAway)
{
    const TemporaryFolder folder;
    AppendFile(folder.path() / "t").append("row\n");
    EXPECT_EQ(read_file(folder.path() / "t"), "row\n");
}

TEST(AppendFile, GoesOnAtALength)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "t.csv";
    write_file_atomically(path, "one\ntwo\nthr");
    AppendFile file(path, 8);
    file.append("three\n");
    file.flush();
    EXPECT_EQ(read_file(path), "one\ntwo\nthree\n");
    EXPECT_EQ(file.size(), 14u);
}

TEST(AppendFile, CannotGoOnBehindTheEnd)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "t.csv";
    write_file_atomically(path, "one\n");
    EXPECT_EQ(error_text<FileError>([&] { AppendFile file(path, 8); }),
        "cannot write " + path.string() + ": expected at least 8 bytes there, found 4");
    EXPECT_EQ(read_file(path), "one\n");
    EXPECT_NE(error_text<FileError>([&] { AppendFile file(folder.path() / "none", 0); }), "nothing thrown");
}

TEST(AppendFile, EndsWithAWholeLineAfterAFailure)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "t.csv";
    EXPECT_TRUE(holds_with_size_limit(1000, [&] {
        AppendFile file(path);
        file.append("header\n");
        file.flush();
        file.append(std::string(2000, 'x') + "\n");
        const std::string text = error_text<FileError>([&] { file.flush(); });
        file.append("last\n"); // a short line still fits
        file.flush();
        return text == "cannot write " + path.string() + ": File too large" && file.size() == 12;
    }));
    EXPECT_EQ(read_file(path), "header\nlast\n");
}

} // namespace
} // namespace stickslip::atomic_file_test
