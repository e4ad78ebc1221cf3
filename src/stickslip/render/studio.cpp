#include "stickslip/render/studio.h"

#include "stickslip/math/error.h"
#include "stickslip/render/force_arrows.h"
#include "stickslip/render/force_chains.h"
#include "stickslip/render/labels.h"
#include "stickslip/render/renderer.h"
#include "stickslip/render/run_extent.h"
#include "stickslip/replay/round_off.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

namespace stickslip {

namespace {

constexpr float most_pale = 0.55f; // of several moments in one picture, the first
constexpr float behind = 2e-4f; // of the way to the eye, each moment lies behind the next: sides that slide in a plane
constexpr int draft_lights = 6; // of the lamp, and of the sky
constexpr int draft_pixel = 2; // pixels of the picture that one of a draft is wide
constexpr double arrow_length = 0.22; // of the ball around a run: a usual contact force
constexpr double longest_key = 0.12; // of the width of the picture: the arrow beside its force
constexpr double least_way = 2e-3; // of the ball around a run: what moved less is shown once

Vec3 up_of(const RunReading& run)
{
    return run.scene.gravity.norm() > 0 ? Vec3(-run.scene.gravity.normalized()) : Vec3(Vec3::UnitY());
}

/// The given camera, or one that sees the whole run.
Camera camera_of(const std::optional<CameraPlace>& place, const RunReading& run, const RunExtent& extent, double aspect)
{
    const Vec3 up = up_of(run);
    if (!place)
        return fit_camera(extent.points, three_quarter_direction(up), up, aspect);
    const Vec3 target = place->target.value_or(extent.centre);
    if (place->eye == target)
        throw InputError("camera: expected a position away from its target");
    return {.eye = place->eye, .target = target, .up = up};
}

StageSettings stage_of(const RunReading& run, const RunExtent& extent, bool draft, bool transparent)
{
    StageSettings stage{.up = up_of(run),
        .centre = extent.centre,
        .radius = extent.radius,
        .own_ground = !extent.has_plane,
        .transparent = transparent};
    if (draft)
        stage.lamp_lights = stage.sky_lights = draft_lights;
    stage.ground_height = infinity;
    for (const Vec3& x : extent.points)
        stage.ground_height = std::min(stage.ground_height, x.dot(stage.up));
    return stage;
}

/// What bodies are coloured by: by themselves where none has what is asked for.
ColourBy colours_of(const StudioSettings& settings, const RunExtent& extent)
{
    if (settings.by == ColourBy::body || extent.largest)
        return settings.by;
    if (settings.notes)
        settings.notes({settings.by == ColourBy::stress
                ? "colours: no body of this run has a stress, only deformable ones and material points do; bodies have "
                  "their own colours"
                : "colours: this run has no speeds; bodies have their own colours"});
    return ColourBy::body;
}

/// From the given begin to the given end or that of the run; where there is nothing between them, one wide.
ColourScale scale_of(const RunReading& run, const StudioSettings& settings, const RunExtent& extent)
{
    const double least = settings.by == ColourBy::speed ? round_off(run).speed : 0;
    const double to = settings.largest.value_or(without_round_off(extent.largest.value_or(0), least));
    return {settings.smallest, to > settings.smallest ? to : settings.smallest + 1};
}

void append(DrawnMesh&& more, DrawnMesh& mesh)
{
    const int first = static_cast<int>(mesh.positions.size());
    for (const Triangle& t : more.triangles)
        mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    std::ranges::move(more.positions, std::back_inserter(mesh.positions));
    std::ranges::move(more.normals, std::back_inserter(mesh.normals));
    std::ranges::move(more.colours, std::back_inserter(mesh.colours));
}

/// "t = 0.5 s", "t = 0, 0.5, 1 s".
std::string time_label(const RunReading& run, const std::vector<std::size_t>& frames)
{
    std::string text = "t =";
    for (std::size_t i = 0; i < frames.size(); ++i) {
        char time[32];
        std::snprintf(time, sizeof time, "%s %.4g", i > 0 ? "," : "", run.frames[frames[i]].time);
        text += time;
    }
    return text + " s";
}

/// "20 N", "500 mN".
std::string force_text(double force)
{
    for (const auto& [factor, unit] : {std::pair(1e9, " GN"), {1e6, " MN"}, {1e3, " kN"}, {1.0, " N"}, {1e-3, " mN"}})
        if (force >= factor * (1 - 1e-9))
            return short_number(force / factor) + unit;
    return short_number(force) + " N";
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

} // namespace

struct Studio::Parts {
    Parts(const RunReading& given, const StudioSettings& chosen)
        : run(given)
        , settings(chosen)
        , extent(run_extent(run, settings.by, settings.quantile))
        , camera(camera_of(settings.camera, run, extent, static_cast<double>(settings.width) / settings.height))
        , by(colours_of(settings, extent))
        , scale(scale_of(run, settings, extent))
        , drawing(run, by, scale, settings.opacity)
        , renderer(drawn_side(settings.width), drawn_side(settings.height),
              stage_of(run, extent, settings.draft, settings.transparent))
    {
    }

    int drawn_side(int side) const { return settings.draft ? (side + draft_pixel - 1) / draft_pixel : side; }

    DrawnFrame draw(std::size_t number)
    {
        const RecordedFrame frame = read_frame(run, number);
        if (settings.notes)
            settings.notes(frame.notes);
        if (frame.shapes.empty())
            throw InputError(run.folder.string() + ": no body of frame " + std::to_string(number) + " could be read");
        DrawnFrame drawn = drawing.draw(frame);
        if (const double width = settings.chains ? chain_width(run, frame) : 0; width > 0)
            drawn.marks = force_chains(run, frame, width);
        if (settings.forces) {
            if (!(arrows.force > 0)) // one scale in a picture of several moments
                arrows = arrow_scale(frame.contacts, arrow_length * extent.radius);
            append(force_arrows(on_what_moves(frame.contacts, run.scene), arrows), drawn.marks);
        }
        return drawn;
    }

    /// Without what only stands there, and what is where it is at a later moment.
    DrawnFrame moving(DrawnFrame frame, const std::vector<DrawnFrame>& later) const
    {
        const float slack = static_cast<float>(least_way * extent.radius);
        std::erase_if(frame.meshes, [&](const DrawnMesh& mesh) {
            const auto is_there = [&](const DrawnMesh& other) { return in_same_place(mesh, other, slack); };
            return is_obstacle(run, mesh.body) || std::ranges::any_of(later, [&](const DrawnFrame& moment) {
                return std::ranges::any_of(moment.meshes, is_there);
            });
        });
        return frame;
    }

    Labels labels(const std::vector<std::size_t>& frames) const
    {
        Labels labels;
        if (settings.forces && arrows.force > 0)
            labels.arrow = force_key();
        if (!settings.labels)
            return labels;
        labels.title = title_of(run);
        labels.time = time_label(run, frames);
        if (by != ColourBy::body)
            labels.bar = {by == ColourBy::speed ? "speed [m/s]" : "von Mises stress [Pa]", scale.from, scale.to};
        return labels;
    }

    /// In the middle of the run.
    ForceKey force_key() const
    {
        const double depth = std::max((camera.eye - extent.centre).dot(camera.axes().col(2)), 1e-6 * extent.radius);
        const double pixel = 2 * camera.half_height * depth / settings.height;
        const double force = round_force(arrows, longest_key * settings.width * pixel);
        const double cut = cut_force(arrows);
        const std::string bound = cut > 0 ? ", longest from " + force_text(cut) : "";
        return {.force = force_text(force) + bound, .pixels = arrows.length * force / arrows.force / pixel};
    }

    const RunReading& run;
    StudioSettings settings;
    RunExtent extent;
    Camera camera;
    ColourBy by;
    ColourScale scale;
    ArrowScale arrows; // of the picture that is drawn
    FrameDrawing drawing;
    Renderer renderer;
};

Studio::Studio(const RunReading& run, const StudioSettings& settings)
    : parts_(std::make_unique<Parts>(run, settings))
{
}

Studio::~Studio() = default;

// The last frames come first, so that of equal places the latest is shown.
Picture Studio::picture(const std::vector<std::size_t>& frames)
{
    parts_->arrows = {};
    std::vector<DrawnFrame> moments = {parts_->draw(frames.back())};
    DrawnFrame drawn = moments.front();
    for (std::size_t i = frames.size() - 1; i-- > 0;) {
        const float paleness =
            most_pale * static_cast<float>(frames.size() - 1 - i) / static_cast<float>(frames.size() - 1);
        moments.push_back(parts_->moving(pale(parts_->draw(frames[i]), paleness), moments));
        DrawnFrame earlier = moments.back();
        set_back(earlier, parts_->camera.eye, behind * static_cast<float>(frames.size() - 1 - i));
        std::ranges::move(earlier.meshes, std::back_inserter(drawn.meshes));
        std::ranges::move(earlier.spheres, std::back_inserter(drawn.spheres));
    }
    Picture picture = parts_->renderer.render(drawn, parts_->camera);
    if (parts_->settings.draft)
        picture = enlarged(picture, parts_->settings.width, parts_->settings.height);
    if (parts_->settings.labels || parts_->settings.forces)
        draw_labels(picture, parts_->labels(frames));
    return picture;
}

const ColourScale* Studio::scale() const
{
    return parts_->by == ColourBy::body ? nullptr : &parts_->scale;
}

} // namespace stickslip
