#include "stickslip/apps/commands.h"
#include "stickslip/apps/frame_choice.h"
#include "stickslip/apps/notes.h"
#include "stickslip/apps/verbs.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_input.h"
#include "stickslip/math/error.h"
#include "stickslip/render/renderer.h"
#include "stickslip/render/run_extent.h"
#include "stickslip/render/video.h"
#include "stickslip/replay/run_reading.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>

namespace stickslip {

namespace {

namespace fs = std::filesystem;

constexpr int largest_side = 8192;
constexpr float most_pale = 0.55f; // of several moments in one picture, the first
constexpr float behind = 2e-4f; // of the way to the eye, each moment lies behind the next: sides that slide in a plane
constexpr double least_way = 2e-3; // of the ball around a run: what moved less is shown once
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
        || !parse_integer(std::string_view(text).substr(x + 1), height) || std::min(width, height) < 16
        || std::max(width, height) > largest_side)
        wrong_option("--size", "WIDTHxHEIGHT, each from 16 to " + std::to_string(largest_side), text);
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

Vec3 up_of(const RunReading& run)
{
    return run.scene.gravity.norm() > 0 ? Vec3(-run.scene.gravity.normalized()) : Vec3(Vec3::UnitY());
}

/// The given camera, or one that sees the whole run.
Camera camera_of(const std::string& text, const RunReading& run, const RunExtent& extent, double aspect)
{
    const Vec3 up = up_of(run);
    if (text.empty())
        return fit_camera(extent.points, three_quarter_direction(up), up, aspect);
    Camera camera{.eye = Vec3::Zero(), .target = extent.centre, .up = up};
    const std::size_t colon = text.find(':');
    if (!parse_point(text.substr(0, colon), camera.eye)
        || (colon != std::string::npos && !parse_point(text.substr(colon + 1), camera.target))
        || camera.eye == camera.target)
        wrong_option("--camera", "x,y,z or x,y,z:tx,ty,tz, camera position and target", text);
    return camera;
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

StageSettings stage_of(const RunReading& run, const RunExtent& extent)
{
    StageSettings stage{
        .up = up_of(run), .centre = extent.centre, .radius = extent.radius, .own_ground = !extent.has_plane};
    stage.ground_height = infinity;
    for (const Vec3& x : extent.points)
        stage.ground_height = std::min(stage.ground_height, x.dot(stage.up));
    return stage;
}

DrawnFrame pale(DrawnFrame frame, float share)
{
    const auto paler = [&](Colour& colour) { colour = (1 - share) * colour + share * background_colour(); };
    for (DrawnMesh& mesh : frame.meshes)
        std::for_each(mesh.colours.begin(), mesh.colours.end(), paler);
    for (DrawnSphere& sphere : frame.spheres)
        paler(sphere.colour);
    return frame;
}

/// The same picture, but a little behind what was there: seen from `eye`, everything is where it was.
void set_back(DrawnFrame& frame, const Vec3& eye, float share)
{
    const Eigen::Vector3f from = eye.cast<float>();
    const auto back = [&](Eigen::Vector3f& x) { x += share * (x - from); };
    for (DrawnMesh& mesh : frame.meshes)
        std::for_each(mesh.positions.begin(), mesh.positions.end(), back);
    for (DrawnSphere& sphere : frame.spheres)
        back(sphere.centre);
}

/// Whether no corner is farther than `slack` [m] from where it is in the other mesh.
bool in_same_place(const DrawnMesh& a, const DrawnMesh& b, float slack)
{
    return a.body == b.body
        && std::equal(a.positions.begin(), a.positions.end(), b.positions.begin(), b.positions.end(),
            [slack](const Eigen::Vector3f& x, const Eigen::Vector3f& y) { return (x - y).norm() <= slack; });
}

/// Frame by frame from a folder to pictures.
class Studio {
public:
    Studio(const RenderCommand& command, const RunReading& run)
        : run_(run)
        , by_(parse_colour(command.color))
        , extent_(run_extent(run, by_))
        , size_(parse_size(command.size))
        , camera_(camera_of(command.camera, run, extent_, static_cast<double>(size_.first) / size_.second))
        , drawing_(run, by_, extent_.largest > 0 ? extent_.largest : 1)
        , renderer_(size_.first, size_.second, stage_of(run, extent_))
    {
    }

    /// What moves is shown at all these frames, the earlier the paler; what stands there at the last. The last frames
    /// come first, so that of equal places the latest is shown.
    Picture picture(const std::vector<std::size_t>& numbers)
    {
        std::vector<DrawnFrame> moments = {draw(numbers.back())};
        DrawnFrame drawn = moments.front();
        for (std::size_t i = numbers.size() - 1; i-- > 0;) {
            const float paleness =
                most_pale * static_cast<float>(numbers.size() - 1 - i) / static_cast<float>(numbers.size() - 1);
            moments.push_back(moving(pale(draw(numbers[i]), paleness), moments));
            DrawnFrame earlier = moments.back();
            set_back(earlier, camera_.eye, behind * static_cast<float>(numbers.size() - 1 - i));
            std::ranges::move(earlier.meshes, std::back_inserter(drawn.meshes));
            std::ranges::move(earlier.spheres, std::back_inserter(drawn.spheres));
        }
        return renderer_.render(drawn, camera_);
    }

    void print_scale() const
    {
        if (by_ != ColourBy::body)
            std::printf("colour: %s from 0 (dark) to %.3g %s (yellow)\n", by_ == ColourBy::speed ? "speed" : "stress",
                extent_.largest, by_ == ColourBy::speed ? "m/s" : "Pa");
    }

    std::pair<int, int> size() const { return size_; }

private:
    DrawnFrame draw(std::size_t number)
    {
        const RecordedFrame frame = read_frame(run_, number);
        print_notes(frame.notes);
        if (frame.shapes.empty())
            throw InputError(run_.folder.string() + ": no body of frame " + std::to_string(number) + " could be read");
        return drawing_.draw(frame);
    }

    /// Without what only stands there, and what is where it is at a later moment.
    DrawnFrame moving(DrawnFrame frame, const std::vector<DrawnFrame>& later) const
    {
        const float slack = static_cast<float>(least_way * extent_.radius);
        std::erase_if(frame.meshes, [&](const DrawnMesh& mesh) {
            const auto is_there = [&](const DrawnMesh& other) { return in_same_place(mesh, other, slack); };
            return is_obstacle(run_, mesh.body) || std::ranges::any_of(later, [&](const DrawnFrame& moment) {
                return std::ranges::any_of(moment.meshes, is_there);
            });
        });
        return frame;
    }

    const RunReading& run_;
    ColourBy by_;
    RunExtent extent_;
    std::pair<int, int> size_;
    Camera camera_;
    FrameDrawing drawing_;
    Renderer renderer_;
};

void render_video(const fs::path& path, const RunReading& run, Studio& studio)
{
    const double length = run.frames.back().time - run.frames.front().time;
    const double rate = length > 0 ? static_cast<double>(run.frames.size() - 1) / length : slowest;
    VideoFile video(path, studio.size().first, studio.size().second, std::clamp(rate, slowest, fastest));
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
    Studio studio(command, run);
    if (ending == ".png")
        write_file_atomically(output, png_bytes(studio.picture(numbers)));
    else if (ending == ".mp4")
        render_video(output, run, studio);
    else
        render_folder(output, run, studio);
    studio.print_scale();
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
