#include "stickslip/apps/commands.h"
#include "stickslip/apps/frame_choice.h"
#include "stickslip/apps/notes.h"
#include "stickslip/apps/number_options.h"
#include "stickslip/apps/verbs.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_input.h"
#include "stickslip/math/error.h"
#include "stickslip/render/studio.h"
#include "stickslip/render/video.h"
#include "stickslip/replay/run_reading.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/scene_reading.h"
#include "stickslip/scene/text/wording.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>

namespace stickslip {

namespace {

namespace fs = std::filesystem;

constexpr double farthest = 1e30; // [m] of a camera: pictures are made of single precision
constexpr double time_slack = 1e-9; // [s] round-off of times given in decimals
constexpr double slowest = 10, fastest = 60; // pictures a second of a video

struct RenderCommand {
    std::string folder, output, size = "1280x720", camera, color = "body";
    std::string times; // [s] with commas, or "from..to"; empty: the last frame, of a video all
    std::vector<std::string> hidden, opacities; // names; "name=0.3"
    std::optional<double> smallest, largest, quantile, rate;
    bool draft = false, forces = false, chains = false, labels = false, transparent = false, quiet = false;
};

std::string rate_fault(const std::string& text)
{
    return range_fault(text, 1, 240, "from 1 to 240 pictures per second");
}

std::string smallest_fault(const std::string& text)
{
    return range_fault(text, 0, std::numeric_limits<double>::max(), "a number >= 0");
}

std::string quantile_fault(const std::string& text)
{
    return range_fault(text, 0.01, 1, "from 0.01 to 1");
}

std::string largest_fault(const std::string& text)
{
    return range_fault(text, std::numeric_limits<double>::min(), std::numeric_limits<double>::max(), "a number > 0");
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

ColourBy parse_colour(const std::string& text)
{
    if (text == "body")
        return ColourBy::body;
    if (text == "speed")
        return ColourBy::speed;
    if (text == "stress")
        return ColourBy::stress;
    wrong_option("--color", "body, speed or stress", text);
}

/// "x,y,z"; false when it is something else.
bool parse_point(std::string_view text, Vec3& point)
{
    for (int axis = 0; axis < 3; ++axis) {
        const std::size_t end = axis < 2 ? text.find(',') : text.size();
        if (end == std::string_view::npos || !parse_real(text.substr(0, end), point[axis])
            || !(std::abs(point[axis]) <= farthest))
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
        || (colon != std::string::npos && !parse_point(text.substr(colon + 1), *place.target))
        || place.eye == place.target)
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

void render_folder(const fs::path& folder, const RunReading& run, const RenderCommand& command, Studio& studio)
{
    const std::vector<std::size_t> numbers = frames_between(run, command.times);
    PictureCount count(numbers.size(), command.quiet);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw FileError("cannot write " + folder.string() + ": " + error.message());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        char name[32];
        std::snprintf(name, sizeof name, "frame_%06zu.png", numbers[i]);
        write_file_atomically(folder / name, png_bytes(studio.picture({numbers[i]})));
        count.show(i + 1);
    }
}

/// Gives a value to a body, or to all of a family.
void set_opacity(
    const RunReading& run, const char* option, const std::string& name, float value, std::vector<float>& opacity)
{
    std::vector<std::string> known;
    bool found = false;
    for (std::size_t b = 0; b < opacity.size(); ++b) {
        const RecordedBody& body = run.scene.bodies[b];
        known.push_back(body.name);
        if (!names_body(name, body.name))
            continue;
        found = true;
        opacity[b] = value;
        if (value > 0 && value < 1 && (body.is_plane || body.kind == RecordedKind::spheres))
            throw InputError(std::string(option) + ": " + in_quotes(body.name) + " is a "
                + (body.is_plane ? "plane" : "body of spheres") + ", which can only be hidden (0)");
    }
    if (!found)
        throw InputError(
            std::string(option) + ": no body " + in_quotes(name) + " in this run" + did_you_mean(name, known));
}

/// By body of the scene.
std::vector<float> opacities(const RunReading& run, const RenderCommand& command)
{
    std::vector<float> opacity(run.scene.bodies.size(), 1);
    for (const std::string& text : command.opacities) {
        const std::size_t equals = text.rfind('=');
        double value = -1;
        if (equals == std::string::npos || !parse_real(std::string_view(text).substr(equals + 1), value)
            || !(value >= 0 && value <= 1))
            wrong_option("--opacity", "NAME=VALUE with a value from 0 to 1", text);
        set_opacity(run, "--opacity", text.substr(0, equals), static_cast<float>(value), opacity);
    }
    for (const std::string& name : command.hidden)
        set_opacity(run, "--hide", name, 0, opacity);
    return opacity;
}

StudioSettings settings_of(const RunReading& run, const RenderCommand& command)
{
    StudioSettings settings{.by = parse_colour(command.color),
        .smallest = command.smallest.value_or(0),
        .largest = command.largest,
        .draft = command.draft,
        .forces = command.forces,
        .chains = command.chains,
        .labels = command.labels,
        .transparent = command.transparent,
        .opacity = opacities(run, command),
        .notes = print_notes};
    settings.quantile = command.quantile.value_or(settings.quantile);
    const auto needs_colour = [&](const char* option, bool given) {
        if (given && settings.by == ColourBy::body)
            throw InputError(std::string(option) + " needs --color speed or stress");
    };
    needs_colour("--min", command.smallest.has_value());
    needs_colour("--max", command.largest.has_value());
    needs_colour("--quantile", command.quantile.has_value());
    if (command.largest && command.quantile)
        throw InputError("--quantile has no effect with --max");
    if (command.largest && !(settings.smallest < *command.largest))
        throw InputError("--max: expected a number > that of --min");
    if ((command.forces || command.chains) && !run.has_contacts())
        throw InputError(std::string(command.forces ? "--forces" : "--chains")
            + ": this run did not record contacts (output.contacts: true)");
    std::tie(settings.width, settings.height) = parse_size(command.size);
    settings.camera = parse_camera(command.camera);
    return settings;
}

void print_scale(ColourBy by, const ColourScale& scale)
{
    if (by != ColourBy::body)
        std::printf("colour: %s from %.3g (dark) to %.3g %s (yellow)\n", by == ColourBy::speed ? "speed" : "stress",
            scale.from, scale.to, by == ColourBy::speed ? "m/s" : "Pa");
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
    if (command.rate && ending != ".mp4")
        throw InputError("--fps needs a video, not " + output.string());
    if (command.transparent && ending == ".mp4")
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
    verb->add_option("DIR", command->folder, "run folder")->required();
    verb->add_option("-o,--output", command->output,
            "x.png: one picture; x.mp4: video (needs ffmpeg); a folder: one picture per frame (default: "
            "DIR/picture.png)")
        ->type_name("FILE");
    verb->add_option("--time", command->times,
            "time [s]; the nearest frame is used (default: the last); several times are shown in one picture; of a "
            "video "
            "or folder: FROM..TO")
        ->type_name("T[,T...]");
    verb->add_option("--fps", command->rate, "pictures per second of a video (default: the speed of the run)")
        ->check(CLI::Validator(rate_fault, ""))
        ->type_name("N");
    verb->add_flag("--draft", command->draft, "coarse shadows in a sixth of the time");
    verb->add_option("--hide", command->hidden, "leave out a body or family; may be repeated")
        ->type_name("NAME")
        ->expected(1)
        ->take_all();
    verb->add_option("--opacity", command->opacities, "draw a body or family transparent, from 0 to 1; may be repeated")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->take_all();
    verb->add_flag("--forces", command->forces, "contact forces as arrows: blue sticks, orange slides");
    verb->add_flag(
        "--chains", command->chains, "normal contact forces as bars between centres, the stronger the thicker");
    verb->add_flag("--labels", command->labels, "title and time of the run, and a colour bar, in the picture");
    verb->add_flag("--transparent", command->transparent, "no background; of the ground only the shadows");
    verb->add_option("--size", command->size, "size in pixels (default: 1280x720)")->type_name("WxH");
    verb->add_option("--camera", command->camera,
            "camera position and target [m] (default: the whole run from the right, front and above)")
        ->type_name("x,y,z[:tx,ty,tz]");
    verb->add_option("--color", command->color, "colour by body, speed or stress (default: body)")->type_name("BY");
    verb->add_option("--min", command->smallest, "speed [m/s] or stress [Pa] at the begin of the colours (default: 0)")
        ->check(CLI::Validator(smallest_fault, ""))
        ->type_name("VALUE");
    verb->add_option("--quantile", command->quantile,
            "share of the values of the run that the colours cover, instead of --max (default: 0.995)")
        ->check(CLI::Validator(quantile_fault, ""))
        ->type_name("Q");
    verb->add_option(
            "--max", command->largest, "speed [m/s] or stress [Pa] at the end of the colours (default: of the run)")
        ->check(CLI::Validator(largest_fault, ""))
        ->type_name("VALUE");
    verb->add_flag("--quiet", command->quiet, "no progress");
    verb->footer("Example: stickslip render incline.out -o incline.png --time 1.5\n"
                 "         stickslip render incline.out -o incline.mp4 --color speed");
    verb->callback([command, &action] { action = [command] { return render_command(*command); }; });
}

} // namespace stickslip
