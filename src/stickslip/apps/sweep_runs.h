#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace stickslip {

/// One run of this program in a process of its own.
struct ChildRun {
    std::vector<std::string> arguments; // of the program: "run", scene, ...
    std::filesystem::path said; // file for what it says on stderr
};

/// Runs them all, at most `jobs` at once, begun in their order; their stdout goes nowhere. started and ended (index,
/// exit status, 128 + the signal of one that a signal ended) are called from this thread; waiting now and then, while
/// nothing happens. Once `interrupted` is set no further one begins, and those that go on are asked once to save and
/// stop.
/// Throws FileError when a process cannot be started; those that run are waited for. They are killed where the thread
/// that calls this ends before them.
struct ChildWatch {
    std::function<void(std::size_t)> started;
    std::function<void(std::size_t, int)> ended;
    std::function<void()> waiting;
};
void run_children(
    const std::vector<ChildRun>& runs, std::size_t jobs, const ChildWatch& watch, const std::atomic<bool>& interrupted);

} // namespace stickslip
