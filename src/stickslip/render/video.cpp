#include "stickslip/render/video.h"

#include "stickslip/math/error.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace stickslip {

namespace {

bool on_path(const std::string& program)
{
    const char* path = std::getenv("PATH");
    for (std::string_view rest = path ? path : ""; !rest.empty();) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        if (access((std::string(rest.substr(0, end)) + "/" + program).c_str(), X_OK) == 0)
            return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

/// Starts the program with the read end of a pipe as its standard input; returns the write end.
int start(std::vector<std::string> words, int& process)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw FileError(std::string("cannot start ffmpeg: ") + std::strerror(errno));
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const int status = posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (status != 0) {
        close(ends[1]);
        throw FileError(std::string("cannot start ffmpeg: ") + std::strerror(status));
    }
    return ends[1];
}

} // namespace

VideoFile::VideoFile(const std::filesystem::path& path, int width, int height, double pictures_per_second)
    : path_(path)
    , temporary_(path.string() + ".tmp-" + std::to_string(getpid()))
{
    if (!on_path("ffmpeg"))
        throw InputError(path.string()
            + ": a video needs the program ffmpeg, which is not on PATH (Debian: apt-get "
              "install ffmpeg); or write single pictures: -o frames/");
    std::signal(SIGPIPE, SIG_IGN); // add() reports it
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    const std::string rate = std::to_string(pictures_per_second);
    // Players want even sizes and yuv420p; bitexact and one thread: the same pictures give the same file.
    // With "file:" no name is taken for an option or a protocol.
    input_ = start({"ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", rate,
                       "-i", "-", "-an", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=0xf4f5f7", "-c:v", "libx264",
                       "-crf", "18", "-pix_fmt", "yuv420p", "-threads", "1", "-fflags", "+bitexact", "-flags:v",
                       "+bitexact", "-movflags", "+faststart", "-f", "mp4", "file:" + temporary_.string()},
        process_);
}

VideoFile::~VideoFile()
{
    if (process_ < 0)
        return;
    wait();
    std::error_code ignored;
    std::filesystem::remove(temporary_, ignored);
}

void VideoFile::add(const Picture& picture)
{
    for (std::size_t written = 0; written < picture.rgb.size();) {
        const ssize_t n = ::write(input_, picture.rgb.data() + written, picture.rgb.size() - written);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            throw FileError("cannot write " + path_.string() + ": ffmpeg ended early");
        written += static_cast<std::size_t>(n);
    }
}

int VideoFile::wait()
{
    close(input_);
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) { }
    process_ = -1;
    return status;
}

void VideoFile::finish()
{
    const bool good = wait() == 0;
    std::error_code error;
    if (good)
        std::filesystem::rename(temporary_, path_, error);
    if (good && !error)
        return;
    std::filesystem::remove(temporary_, error);
    throw FileError("cannot write " + path_.string() + ": ffmpeg failed");
}

} // namespace stickslip
