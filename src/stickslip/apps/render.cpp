#include "stickslip/apps/commands.h"
#include "stickslip/apps/frame_choice.h"
#include "stickslip/apps/notes.h"
#include "stickslip/apps/number_options.h"
#include "stickslip/apps/verbs.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_input.h"
#include "stickslip/math/error.h"
#include "stickslip/render/picture_options.h"
#include "stickslip/render/video.h"
#include "stickslip/replay/run_reading.h"
#include "stickslip/scene/text/scene_reading.h"
#include "stickslip/scene/text/wording.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <tuple>

namespace stickslip {

namespace {

namespace fs = std::filesystem;

constexpr double time_slack = 1e-9; // [s] round-off of times given in decimals
constexpr double slowest = 10, fastest = 60; // pictures a second of a video

struct RenderCommand {
    std::string folder, output, size = "1280x720", camera;
    std::string times; // [s] with commas, or "from..to"; empty: the last frame, of a video all
    std::vector<std::string> opacities; // "name=0.3"
    std::optional<double> rate;
    bool quiet = false;
    PictureOptions asked; // but for size, camera and opacity, which are read from the texts above
};

std::string rate_fault(const std::string& text)
{
    return range_fault(text, 1, 240, "from 1 to 240 pictures per second");
}

[[noreturn]] void wrong_option(const char* option, const std::string& expected, const std::string& found)
{
    throw InputError(std::string(option) + ": expected " + expected + ", got \"" + found + "\"");
}

std::pair<int, int> parse_size(const std::string& text)
{
    const std::size_t x = std::min(text.find('x'), text.empty() ? 0 : text.size() - 1);
    std::int64_t width = 0, height = 0;
    if (!parse_integer(std::string_view(text).substr(0, x), width)
        || !parse_integer(std::string_view(text).substr(x + 1), height) || std::min(width, height) < smallest_picture
        || std::max(width, height) > largest_picture)
        wrong_option("--size",
            "WIDTHxHEIGHT, each from " + std::to_string(smallest_picture) + " to " + std::to_string(largest_picture),
            text);
    return {static_cast<int>(width), static_cast<int>(height)};
}

/// "x,y,z"; false when it is something else.
bool parse_point(std::string_view text, Vec3& point)
{
    for (int axis = 0; axis < 3; ++axis) {
        const std::size_t end = axis < 2 ? text.find(',') : text.size();
        if (end == std::string_view::npos || !parse_real(text.substr(0, end), point[axis]))
            return false;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return true;
}

/// "x,y,z" or "x,y,z:tx,ty,tz"; nothing where nothing is given.
std::optional<CameraPlace> parse_camera(const std::string& text)
{
    if (text.empty())
        return {};
    CameraPlace place;
    const std::size_t colon = text.find(':');
    if (colon != std::string::npos)
        place.target = Vec3::Zero();
    if (!parse_point(text.substr(0, colon), place.eye)
        || (colon != std::string::npos && !parse_point(text.substr(colon + 1), *place.target)))
        wrong_option("--camera", "x,y,z or x,y,z:tx,ty,tz, camera position and target", text);
    return place;
}

/// The frames nearest to times given as "0.5" or "0,0.5,1"; the last one when none is given.
std::vector<std::size_t> frames_at(const RunReading& run, const std::string& times)
{
    if (times.empty())
        return {run.frames.size() - 1};
    std::vector<std::size_t> numbers;
    for (std::size_t begin = 0; begin <= times.size();) {
        const std::size_t end = std::min(times.find(',', begin), times.size());
        double time = 0;
        if (times.find("..") != std::string::npos)
            throw InputError("--time: " + in_quotes(times)
                + " is a range, for a video (-o x.mp4) or a folder of pictures (-o pictures); one picture takes a "
                  "time, "
                  "or a few with commas: --time 0,0.5,1");
        if (!parse_real(std::string_view(times).substr(begin, end - begin), time) || !std::isfinite(time))
            wrong_option("--time", "a finite time [s], or several with commas", times);
        numbers.push_back(frame_near(run, time));
        begin = end + 1;
    }
    return numbers;
}

/// The frames from one time to another, given as "0.5..1"; all when nothing is given.
std::vector<std::size_t> frames_between(const RunReading& run, const std::string& times)
{
    double from = -infinity, to = infinity;
    const std::size_t dots = times.find("..");
    if (!times.empty()
        && (dots == std::string::npos || !parse_real(std::string_view(times).substr(0, dots), from)
            || !parse_real(std::string_view(times).substr(dots + 2), to) || !(from <= to)))
        wrong_option("--time", "FROM..TO [s] for a video or a folder", times);
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < run.frames.size(); ++i)
        if (run.frames[i].time >= from - time_slack && run.frames[i].time <= to + time_slack)
            numbers.push_back(i);
    if (numbers.empty())
        wrong_option("--time", "a range with frames in it", times);
    return numbers;
}

/// How far the pictures have come, on stderr: a line that rewrites itself on a terminal, else one every tenth.
class PictureCount {
public:
    PictureCount(std::size_t all, bool quiet)
        : all_(all)
        , shown_(!quiet && all > 1)
    {
    }
    ~PictureCount()
    {
        if (shown_ && terminal_)
            std::fputs("\n", stderr);
    }
    PictureCount(const PictureCount&) = delete;
    PictureCount& operator=(const PictureCount&) = delete;

    void show(std::size_t done)
    {
        const std::size_t tenth = std::max<std::size_t>(1, all_ / 10);
        if (!shown_ || (!terminal_ && done % tenth != 0 && done != all_))
            return;
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
        const double left = seconds / static_cast<double>(done) * static_cast<double>(all_ - done);
        std::fprintf(stderr, terminal_ ? "\r%zu of %zu pictures, %.0f s left   " : "%zu of %zu pictures, %.0f s left\n",
            done, all_, left);
        std::fflush(stderr);
    }

private:
    std::size_t all_;
    bool shown_, terminal_ = isatty(STDERR_FILENO) != 0;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

void render_video(const fs::path& path, const RunReading& run, const RenderCommand& command,
    const StudioSettings& settings, Studio& studio)
{
    const std::vector<std::size_t> numbers = frames_between(run, command.times);
    const double length = run.frames[numbers.back()].time - run.frames[numbers.front()].time;
    const double rate = length > 0 ? static_cast<double>(numbers.size() - 1) / length : slowest;
    VideoFile video(path, settings.width, settings.height, command.rate.value_or(std::clamp(rate, slowest, fastest)));
    PictureCount count(numbers.size(), command.quiet);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        video.add(studio.picture({numbers[i]}));
        count.show(i + 1);
    }
    video.finish();
}

/// Of the given frames those nearest to moments that follow each other at a rate [1/s]; some of them again where there
/// are fewer.
std::vector<std::size_t> frames_at_rate(const RunReading& run, const std::vector<std::size_t>& numbers, double rate)
{
    const double from = run.frames[numbers.front()].time, length = run.frames[numbers.back()].time - from;
    std::vector<std::size_t> chosen;
    for (std::size_t k = 0; static_cast<double>(k) <= (length + time_slack) * rate; ++k)
        chosen.push_back(frame_near(run, from + static_cast<double>(k) / rate));
    return chosen;
}

/// Named by the frames of the run, or counted where a rate is given.
void render_folder(const fs::path& folder, const RunReading& run, const RenderCommand& command, Studio& studio)
{
    std::vector<std::size_t> numbers = frames_between(run, command.times);
    if (command.rate)
        numbers = frames_at_rate(run, numbers, *command.rate);
    PictureCount count(numbers.size(), command.quiet);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw FileError("cannot write " + folder.string() + ": " + error.message());
    std::string bytes;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        char name[32];
        std::snprintf(name, sizeof name, "frame_%06zu.png", command.rate ? i : numbers[i]);
        if (i == 0 || numbers[i] != numbers[i - 1])
            bytes = png_bytes(studio.picture({numbers[i]}));
        write_file_atomically(folder / name, bytes);
        count.show(i + 1);
    }
}

/// "name=0.3".
std::pair<std::string, double> parse_opacity(const std::string& text)
{
    const std::size_t equals = text.rfind('=');
    double value = 0;
    if (equals == std::string::npos || !parse_real(std::string_view(text).substr(equals + 1), value))
        wrong_option("--opacity", "NAME=VALUE", text);
    return {text.substr(0, equals), value};
}

StudioSettings settings_of(const RunReading& run, const RenderCommand& command)
{
    PictureOptions asked = command.asked;
    std::tie(asked.width, asked.height) = parse_size(command.size);
    asked.camera = parse_camera(command.camera);
    for (const std::string& text : command.opacities)
        asked.opacity.push_back(parse_opacity(text));
    StudioSettings settings = studio_settings(run, asked, "--");
    settings.notes = print_notes;
    return settings;
}

void print_scale(ColourBy by, const ColourScale* scale)
{
    if (scale)
        std::printf("colour: %s from %.4g (dark) to %.4g %s (yellow)\n", by == ColourBy::speed ? "speed" : "stress",
            scale->from, scale->to, by == ColourBy::speed ? "m/s" : "Pa");
}

int render_command(const RenderCommand& command)
{
    const RunReading run = read_run(command.folder);
    print_notes(run.notes);
    if (run.frames.empty())
        throw InputError(command.folder + ": this run has no frames");
    const fs::path output =
        command.output.empty() ? fs::path(command.folder) / "picture.png" : fs::path(command.output);
    const std::string ending = output.extension().string();
    if (ending != ".png" && ending != ".mp4" && !ending.empty())
        wrong_option("-o", "a name that ends in .png or .mp4, or a folder", output.string());
    if (command.rate && ending == ".png")
        throw InputError("--fps needs a video or a folder, not " + output.string());
    if (command.asked.transparent && ending == ".mp4")
        throw InputError("--transparent: videos have no transparent background; write a .png or a folder");
    const std::vector<std::size_t> numbers =
        ending == ".png" ? frames_at(run, command.times) : frames_between(run, command.times);
    const StudioSettings settings = settings_of(run, command);
    Studio studio(run, settings);
    if (ending == ".png")
        write_file_atomically(output, png_bytes(studio.picture(numbers)));
    else if (ending == ".mp4")
        render_video(output, run, command, settings, studio);
    else
        render_folder(output, run, command, studio);
    print_scale(settings.by, studio.scale());
    std::printf("picture: %s\n", output.c_str());
    return exit_done;
}

} // namespace

void add_render(CLI::App& app, std::function<int()>& action)
{
    const auto command = std::make_shared<RenderCommand>();
    CLI::App* verb = app.add_subcommand("render", "render frames of a run as pictures or a video; needs no display");
    verb->add_option("DIR", command->folder, "run folder")->required()->type_name("DIR");
    verb->add_option("-o,--output", command->output,
            "x.png: one picture; x.mp4: video (needs ffmpeg); a folder: one picture per frame (default: "
            "DIR/picture.png)")
        ->type_name("FILE");
    verb->add_option("--time", command->times,
            "time [s]; the nearest frame is used (default: the last); several times are shown in one picture; of a "
            "video "
            "or folder: FROM..TO")
        ->type_name("T[,T...]");
    verb->add_option("--fps", command->rate,
            "pictures per second: of a video as it is played (default: the speed of the run), of a folder as time "
            "passes in the run (default: every frame)")
        ->check(CLI::Validator(rate_fault, ""))
        ->type_name("N");
    verb->add_flag(
        "--draft", command->asked.draft, "a quarter of the pixels and few lights, drawn large: two fifths of the time");
    verb->add_option("--hide", command->asked.hide, "leave out a body or family; may be repeated")
        ->type_name("NAME")
        ->expected(1)
        ->take_all();
    verb->add_option("--opacity", command->opacities, "draw a body or family transparent, from 0 to 1; may be repeated")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->take_all();
    verb->add_flag("--forces", command->asked.forces, "contact forces as arrows: blue sticks, orange slides");
    verb->add_flag(
        "--chains", command->asked.chains, "normal contact forces as bars between centres, the stronger the thicker");
    verb->add_flag("--labels", command->asked.labels, "title and time of the run, and a colour bar, in the picture");
    verb->add_flag("--transparent", command->asked.transparent, "no background; of the ground only the shadows");
    verb->add_option("--size", command->size, "size in pixels (default: 1280x720)")->type_name("WxH");
    verb->add_option("--camera", command->camera,
            "camera position and target [m] (default: the whole run from the right, front and above)")
        ->type_name("x,y,z[:tx,ty,tz]");
    verb->add_option("--color", command->asked.color, "colour by body, speed or stress (default: body)")
        ->type_name("BY");
    verb->add_option("--min", command->asked.min, "speed [m/s] or stress [Pa] at the begin of the colours (default: 0)")
        ->type_name("VALUE");
    CLI::Option* quantile =
        verb->add_option("--quantile", command->asked.quantile,
                "share of the values of the run that the colours cover, instead of --max (default: 0.995)")
            ->type_name("Q");
    verb->add_option(
            "--max", command->asked.max, "speed [m/s] or stress [Pa] at the end of the colours (default: of the run)")
        ->type_name("VALUE")
        ->excludes(quantile);
    verb->add_flag("--quiet", command->quiet, "no progress");
    verb->footer("Example: stickslip render incline.out -o incline.png --time 1.5\n"
                 "         stickslip render incline.out -o incline.mp4 --color speed");
    verb->callback([command, &action] { action = [command] { return render_command(*command); }; });
}

} // namespace stickslip
