#include "stickslip/apps/view_command.h"

#include "stickslip/apps/command_line.h"
#include "stickslip/apps/commands.h"
#include "stickslip/apps/page_server.h"
#include "stickslip/apps/run_steering.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/replay/live_replay.h"
#include "stickslip/replay/replay_page.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

namespace stickslip {

namespace {

namespace fs = std::filesystem;

/// Shows the address with the system's own program. It is started without a shell: names of folders stay names.
void open_in_browser(const std::string& address)
{
    const pid_t child = fork();
    if (child == 0) {
        std::freopen("/dev/null", "w", stdout);
        std::freopen("/dev/null", "w", stderr);
        execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
        execlp("open", "open", address.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        std::cerr << "stickslip: warning: no program was found to open " << address << "\n";
}

/// Says which bodies of one run have no partner in another.
void warn_of_lonely_bodies(const RunReading& run, const RunReading& other)
{
    constexpr std::size_t most = 6;
    const std::vector<std::string> names = run.scene.missing_in(other.scene);
    std::string list;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
        list += (i > 0 ? ", " : "") + names[i];
    if (names.size() > most)
        list += " and " + std::to_string(names.size() - most) + " more";
    if (!names.empty())
        std::cerr << "stickslip: warning: only in " << run.folder.string() << ": " << list
                  << "; there is nothing to compare with\n";
}

int write_page(const ViewCommand& command)
{
    if (!command.output.empty())
        expect_ending(command.output, {".html", ".htm"});
    const RunReading run = read_run(command.folder);
    std::optional<RunReading> other;
    if (!command.other.empty()) {
        other = read_run(command.other);
        warn_of_lonely_bodies(run, *other);
        warn_of_lonely_bodies(*other, run);
    }
    const fs::path output = command.output.empty() ? fs::path(command.folder) / "view.html" : fs::path(command.output);
    const bool shows_progress = isatty(STDERR_FILENO);
    const PageOptions options{.most_bytes = command.megabytes * 1e6, .ghost = other ? &*other : nullptr};
    const ReplayPage page = make_replay_page(run, options, [&](std::size_t done, std::size_t all) {
        if (shows_progress)
            std::fprintf(stderr, "\rframe %zu of %zu ", done, all);
    });
    if (shows_progress)
        std::fprintf(stderr, "\r\033[K");
    write_file_atomically(output, page.html);
    if (run.frames.empty())
        std::cerr << "stickslip: warning: " << command.folder << ": no frames: the page shows tables alone\n";
    for (const std::vector<std::string>* notes : {&run.notes, &page.notes})
        for (const std::string& note : *notes)
            std::cerr << "stickslip: warning: " << note << "\n";
    std::printf("%s: %zu frames, %.2f MB, positions to %.2g m\n", output.c_str(), page.frames,
        static_cast<double>(page.html.size()) / 1e6, page.error);
    if (page.frames < page.frames_of_run)
        std::printf("%zu of %zu frames left out to keep the page small (--megabytes allows more)\n",
            page.frames_of_run - page.frames, page.frames_of_run);
    if (command.open)
        open_in_browser("file://" + fs::absolute(output).string());
    return exit_done;
}

/// What the page needs to steer the run; an empty word where no run listens.
PageAnswer steering(const fs::path& folder, const std::string& token)
{
    return {
        .type = "application/json", .body = R"({"token":")" + token + R"(","word":")" + steering_word(folder) + "\"}"};
}

/// POST /steer/pause and so on.
std::optional<PageAnswer> act(const fs::path& folder, const std::string& path)
{
    const std::string word = path.substr(path.rfind('/') + 1);
    if (!is_steering_word(word) || steering_word(folder).empty())
        return std::nullopt;
    steer(folder, word);
    return PageAnswer{.type = "text/plain; charset=utf-8", .body = word + "\n"};
}

std::optional<PageAnswer> answer(
    LiveReplay& replay, const fs::path& folder, const std::string& token, const std::string& path)
{
    if (path == "/steer")
        return steering(folder, token);
    if (path == "/")
        return PageAnswer{.type = "text/html; charset=utf-8", .body = live_replay_page()};
    if (path == "/head")
        return PageAnswer{.type = "application/json", .body = replay.head()};
    std::string chunk = replay.chunk(path.substr(1));
    if (chunk.empty())
        return std::nullopt;
    return PageAnswer{.type = "application/octet-stream", .body = std::move(chunk)};
}

int serve(const ViewCommand& command)
{
    LiveReplay replay(command.folder);
    replay.head(); // a folder that cannot be read is an error now, not one of the page
    std::string token;
    PageServer server(
        command.port, [&](const std::string& path) { return answer(replay, command.folder, token, path); },
        [&](const std::string& path) { return act(command.folder, path); });
    token = server.token();
    std::cout << server.address() << " shows " << command.folder << " during the run; Ctrl-C stops it" << std::endl;
    if (command.open)
        open_in_browser(server.address());
    server.run();
    return exit_done;
}

} // namespace

int view_command(const ViewCommand& command)
{
    return command.serve ? serve(command) : write_page(command);
}

} // namespace stickslip
