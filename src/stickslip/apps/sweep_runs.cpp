#include "stickslip/apps/sweep_runs.h"

#include "stickslip/math/error.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <thread>

extern char** environ;

namespace stickslip {

namespace {

/// In a process group of its own: Ctrl-C in the terminal reaches the sweep alone, which passes it on once.
pid_t start(const ChildRun& run)
{
    std::vector<std::string> words = {"stickslip"};
    words.insert(words.end(), run.arguments.begin(), run.arguments.end());
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, run.said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t process = 0;
    const int status = posix_spawn(&process, "/proc/self/exe", &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (status != 0)
        throw FileError(std::string("cannot start a run: ") + std::strerror(status));
    return process;
}

} // namespace

void run_children(
    const std::vector<ChildRun>& runs, std::size_t jobs, const ChildWatch& watch, const std::atomic<bool>& interrupted)
{
    std::map<pid_t, std::size_t> going;
    std::size_t next = 0;
    bool asked = false;
    std::string failure;
    while (!going.empty() || (next < runs.size() && !interrupted && failure.empty())) {
        if (interrupted && !asked) {
            for (const auto& [process, index] : going)
                kill(process, SIGTERM);
            asked = true;
        }
        if (next < runs.size() && going.size() < jobs && !interrupted && failure.empty()) {
            try {
                going[start(runs[next])] = next;
                watch.started(next++);
            } catch (const FileError& error) {
                failure = error.what();
            }
            continue;
        }
        int status = 0;
        const pid_t process = waitpid(-1, &status, WNOHANG);
        const auto ended = going.find(process);
        if (ended == going.end()) {
            watch.waiting();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            continue;
        }
        const std::size_t index = ended->second;
        going.erase(ended);
        watch.ended(index, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }
    if (!failure.empty())
        throw FileError(failure);
}

} // namespace stickslip
