#include "stickslip/apps/commands.h"
#include "stickslip/apps/frame_choice.h"
#include "stickslip/apps/notes.h"
#include "stickslip/apps/verbs.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_input.h"
#include "stickslip/math/error.h"
#include "stickslip/render/studio.h"
#include "stickslip/render/video.h"
#include "stickslip/replay/run_reading.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <tuple>

namespace stickslip {

namespace {

namespace fs = std::filesystem;

constexpr double farthest = 1e30; // [m] of a camera: pictures are made of single precision
constexpr double slowest = 10, fastest = 60; // pictures a second of a video

struct RenderCommand {
    std::string folder, output, size = "1280x720", camera, color = "body";
    std::string times; // [s] with commas; empty: the last frame
};

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

void render_video(const fs::path& path, const RunReading& run, const StudioSettings& settings, Studio& studio)
{
    const double length = run.frames.back().time - run.frames.front().time;
    const double rate = length > 0 ? static_cast<double>(run.frames.size() - 1) / length : slowest;
    VideoFile video(path, settings.width, settings.height, std::clamp(rate, slowest, fastest));
    for (std::size_t i = 0; i < run.frames.size(); ++i)
        video.add(studio.picture({i}));
    video.finish();
}

void render_folder(const fs::path& folder, const RunReading& run, Studio& studio)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw FileError("cannot write " + folder.string() + ": " + error.message());
    for (std::size_t i = 0; i < run.frames.size(); ++i) {
        char name[32];
        std::snprintf(name, sizeof name, "frame_%06zu.png", i);
        write_file_atomically(folder / name, png_bytes(studio.picture({i})));
    }
}

StudioSettings settings_of(const RenderCommand& command)
{
    StudioSettings settings{.by = parse_colour(command.color), .notes = print_notes};
    std::tie(settings.width, settings.height) = parse_size(command.size);
    settings.camera = parse_camera(command.camera);
    return settings;
}

void print_scale(ColourBy by, double largest)
{
    if (by != ColourBy::body)
        std::printf("colour: %s from 0 (dark) to %.3g %s (yellow)\n", by == ColourBy::speed ? "speed" : "stress",
            largest, by == ColourBy::speed ? "m/s" : "Pa");
}

int render_command(const RenderCommand& command)
{
    const RunReading run = read_run(command.folder);
    print_notes(run.notes);
    if (run.frames.empty())
        throw InputError(command.folder + ": this run has no frames");
    const fs::path output =
        command.output.empty() ? fs::path(command.folder) / "picture.png" : fs::path(command.output);
    const std::vector<std::size_t> numbers = frames_at(run, command.times);
    const std::string ending = output.extension().string();
    if (ending != ".png" && ending != ".mp4" && !ending.empty())
        wrong_option("-o", "a name that ends in .png or .mp4, or a folder", output.string());
    if (ending != ".png" && !command.times.empty())
        throw InputError("--time needs a single picture, not " + output.string());
    const StudioSettings settings = settings_of(command);
    Studio studio(run, settings);
    if (ending == ".png")
        write_file_atomically(output, png_bytes(studio.picture(numbers)));
    else if (ending == ".mp4")
        render_video(output, run, settings, studio);
    else
        render_folder(output, run, studio);
    print_scale(settings.by, studio.largest());
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
            "time [s]; the nearest frame is used (default: the last); several times are shown in one picture")
        ->type_name("T[,T...]");
    verb->add_option("--size", command->size, "size in pixels (default: 1280x720)")->type_name("WxH");
    verb->add_option("--camera", command->camera,
            "camera position and target [m] (default: the whole run from the right, front and above)")
        ->type_name("x,y,z[:tx,ty,tz]");
    verb->add_option("--color", command->color, "colour by body, speed or stress (default: body)")->type_name("BY");
    verb->footer("Example: stickslip render incline.out -o incline.png --time 1.5\n"
                 "         stickslip render incline.out -o incline.mp4 --color speed");
    verb->callback([command, &action] { action = [command] { return render_command(*command); }; });
}

} // namespace stickslip
