#include "stickslip/apps/sweep_runs.h"

#include "stickslip/apps/commands.h"
#include "stickslip/math/error.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <thread>

extern char** environ;

namespace stickslip {

namespace {

/// What a process does between fork and exec, where little is safe. The number of the error is left in `told` when the
/// program cannot be started. The run dies with the sweep, however that ends: it would keep its folder from the next.
[[noreturn]] void become_run(char* const* arguments, pid_t sweep, int nothing, int said, int told)
{
    const bool prepared = setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0
        && dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 && dup2(said, STDERR_FILENO) >= 0;
    if (prepared && getppid() == sweep) // else that had ended before
        execve("/proc/self/exe", arguments, environ);
    const int error = errno;
    [[maybe_unused]] const ssize_t written = write(told, &error, sizeof error);
    _exit(exit_file);
}

/// The same file by a number beyond those of the standard streams, of which a sweep may lack some: they are given to
/// the run.
int beyond_standard(int file)
{
    if (file < 0 || file > STDERR_FILENO)
        return file;
    const int moved = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(file);
    return moved;
}

/// In a process group of its own: Ctrl-C in the terminal reaches the sweep alone, which passes it on once.
pid_t start(const ChildRun& run)
{
    std::vector<std::string> words = {"stickslip"};
    words.insert(words.end(), run.arguments.begin(), run.arguments.end());
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t sweep = getpid();
    int told[2] = {-1, -1};
    const int nothing = beyond_standard(open("/dev/null", O_RDWR | O_CLOEXEC));
    const int said = beyond_standard(open(run.said.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    const bool opened = nothing >= 0 && said >= 0 && pipe2(told, O_CLOEXEC) == 0;
    for (int& end : told)
        end = beyond_standard(end);
    const pid_t process = opened ? fork() : -1;
    if (process == 0)
        become_run(arguments.data(), sweep, nothing, said, told[1]);
    int error = process < 0 ? errno : 0;
    close(told[1]);
    if (process > 0 && read(told[0], &error, sizeof error) > 0) // nothing once the program is there
        waitpid(process, nullptr, 0);
    for (const int file : {nothing, said, told[0]})
        close(file);
    if (error != 0)
        throw FileError(std::string("cannot start a run: ") + std::strerror(error));
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
