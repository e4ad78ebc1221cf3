#include "stickslip/render/run_extent.h"

#include "stickslip/replay/shown_body.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace stickslip {

namespace {

constexpr std::size_t most_frames = 24;

// Obstacles beside what moves count as far as this many of its sizes around it; as a whole when they are no larger
// than so many.
constexpr double obstacle_reach = 0.35, whole_obstacle = 2;

Bounds box_of(const VtkContent& content)
{
    Bounds box;
    const VtkField* radius = content.point_field("radius");
    for (std::size_t i = 0; i < content.points.size(); ++i)
        if (radius && radius->components == 1) {
            box.add(content.points[i] - Vec3::Constant(radius->values[i]));
            box.add(content.points[i] + Vec3::Constant(radius->values[i]));
        } else {
            box.add(content.points[i]);
        }
    return box;
}

void add_corners(const Bounds& box, std::vector<Vec3>& points)
{
    for (int corner = 0; corner < 8; ++corner)
        points.emplace_back((corner & 1 ? box.max : box.min).x(), (corner & 2 ? box.max : box.min).y(),
            (corner & 4 ? box.max : box.min).z());
}

std::optional<double> scale_end(std::vector<double>& values, double quantile)
{
    if (values.empty())
        return std::nullopt;
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(quantile * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

/// What the frames of a run hold, box by box.
struct Found {
    std::map<int, std::vector<Bounds>> moving; // by body
    std::vector<Bounds> standing;
    std::vector<double> values; // of what is coloured by
    bool has_plane = false;
};

/// The shapes of any frame. Rigid bodies and obstacles are read once, and placed by their poses then: their files are
/// long, and only where they are differs.
class ShapesOfRun {
public:
    ShapesOfRun(const RunReading& run, ColourBy by)
        : run_(run)
        , part_(by == ColourBy::body ? VtkPart::places : VtkPart::all)
        , posed_(run.scene.bodies.size())
        , read_each_frame_(run.scene.bodies.size(), true)
    {
        const RecordedFrame first = read_frame(run, 0);
        const RecordedFrame last = read_frame(run, run.frames.size() - 1, nullptr, VtkPart::places);
        for (const RecordedShape& shape : first.shapes) {
            const auto b = static_cast<std::size_t>(shape.body);
            if (run.scene.bodies[b].kind != RecordedKind::rigid && run.scene.bodies[b].kind != RecordedKind::obstacle)
                continue;
            const auto later = std::ranges::find(last.shapes, shape.body, &RecordedShape::body);
            posed_[b] = ShownBody(run.tracks[b], shape.content, first.time,
                later == last.shapes.end() ? nullptr : &later->content, last.time, run.scene.bodies[b].kind);
            read_each_frame_[b] = posed_[b].coding() != ShapeCoding::posed;
        }
    }

    RecordedFrame at(std::size_t number)
    {
        RecordedFrame frame = read_frame(run_, number, &read_each_frame_, part_);
        for (std::size_t b = 0; b < posed_.size(); ++b)
            if (const BodySample body =
                    read_each_frame_[b] ? BodySample() : posed_[b].sample(run_.tracks[b], frame.time);
                body.shown) {
                VtkContent& content =
                    frame.shapes.emplace_back(RecordedShape{.body = static_cast<int>(b), .content = {}}).content;
                content.triangles = posed_[b].triangles();
                for (const Vec3& X : posed_[b].own_vertices())
                    content.points.push_back(body.pose.to_world(X));
            }
        return frame;
    }

private:
    const RunReading& run_;
    VtkPart part_;
    std::vector<ShownBody> posed_; // by body
    std::vector<bool> read_each_frame_;
};

void look_at(const RunReading& run, const RecordedFrame& frame, ColourBy by, Found& found)
{
    for (const RecordedShape& shape : frame.shapes) {
        if (shape.content.points.empty())
            continue;
        if (is_obstacle(run, shape.body)) {
            const bool flat = is_flat(shape.content);
            found.has_plane |= flat;
            if (!flat)
                found.standing.push_back(box_of(shape.content));
            continue;
        }
        found.moving[shape.body].push_back(box_of(shape.content));
        if (by != ColourBy::body)
            for (const double value : point_values(run, frame, shape, by))
                if (std::isfinite(value))
                    found.values.push_back(value);
    }
}

double size_of(const Bounds& box)
{
    return (box.max - box.min).norm();
}

double distance(const Bounds& box, const Vec3& x)
{
    return (box.min - x).cwiseMax(x - box.max).cwiseMax(0).norm();
}

/// Where bodies begin, with obstacles that are not much larger: a table, not the earth. Pre: each has a box.
Bounds home_of(const std::vector<std::vector<Bounds>>& bodies, const std::vector<Bounds>& obstacles)
{
    constexpr double largest_obstacle = 10;
    Bounds home;
    for (const std::vector<Bounds>& boxes : bodies)
        home.add(boxes.front());
    const double start = size_of(home);
    for (const Bounds& box : obstacles)
        if (size_of(box) < largest_obstacle * start)
            home.add(box);
    return home;
}

} // namespace

std::vector<Bounds> boxes_of_staying(
    const std::vector<std::vector<Bounds>>& bodies, const std::vector<Bounds>& obstacles)
{
    constexpr double several_sizes = 4;
    const Bounds home = home_of(bodies, obstacles);
    std::vector<std::pair<double, std::size_t>> ways; // [m] the farthest from home, of each body
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        ways.emplace_back(0, b);
        for (const Bounds& box : bodies[b])
            ways.back().first = std::max(ways.back().first, distance(home, 0.5 * (box.min + box.max)));
    }
    std::ranges::sort(ways);
    Bounds reached = home;
    std::vector<Bounds> stay, all;
    bool stays = true;
    for (const auto& [way, b] : ways) {
        stays = stays && way <= several_sizes * size_of(reached);
        for (const Bounds& box : bodies[b]) {
            all.push_back(box);
            if (!stays)
                continue;
            stay.push_back(box);
            reached.add(box);
        }
    }
    return stay.empty() ? all : stay;
}

std::vector<Bounds> without_run_aways(std::vector<Bounds> boxes, std::size_t few)
{
    constexpr double fence = 1.5, sizes = 4;
    if (boxes.size() <= few)
        return boxes;
    Vec3 low, high;
    std::vector<double> values(boxes.size());
    for (int axis = 0; axis < 3; ++axis) {
        const auto quantile = [&](double share, const auto& value) {
            std::transform(boxes.begin(), boxes.end(), values.begin(), value);
            const auto place =
                values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
            std::nth_element(values.begin(), place, values.end());
            return *place;
        };
        const auto middle = [axis](const Bounds& box) { return 0.5 * (box.min[axis] + box.max[axis]); };
        const auto half_size = [axis](const Bounds& box) { return 0.5 * (box.max[axis] - box.min[axis]); };
        const double from = quantile(0.25, middle), to = quantile(0.75, middle);
        const double room = fence * (to - from) + sizes * quantile(0.5, half_size);
        low[axis] = from - room;
        high[axis] = to + room;
    }
    std::erase_if(boxes, [&](const Bounds& box) {
        const Vec3 middle = 0.5 * (box.min + box.max);
        return !(middle.array() >= low.array() && middle.array() <= high.array()).all();
    });
    return boxes;
}

RunExtent run_extent(const RunReading& run, ColourBy by, double quantile)
{
    Found found;
    const std::size_t count = run.frames.size(), looks = std::min(count, most_frames);
    ShapesOfRun shapes(run, by);
    for (std::size_t i = 0; i < looks; ++i)
        look_at(run, shapes.at(looks > 1 ? i * (count - 1) / (looks - 1) : 0), by, found);
    constexpr std::size_t few_bodies = 4;
    std::vector<std::vector<Bounds>> bodies;
    for (auto& [body, boxes] : found.moving)
        bodies.push_back(std::move(boxes));
    const std::vector<Bounds> shown = without_run_aways(boxes_of_staying(bodies, found.standing), few_bodies * looks);
    Bounds moving;
    for (const Bounds& box : shown.empty() ? found.standing : shown)
        moving.add(box);
    if (!(moving.min.array() <= moving.max.array()).all()) // nothing but planes
        moving = {.min = Vec3::Constant(-1), .max = Vec3::Constant(1)};
    RunExtent extent{.has_plane = found.has_plane, .largest = scale_end(found.values, quantile)};
    for (const Bounds& box : shown)
        add_corners(box, extent.points);
    const double size = (moving.max - moving.min).norm();
    const Vec3 reach = Vec3::Constant(obstacle_reach * size);
    const Bounds near{.min = moving.min - reach, .max = moving.max + reach};
    for (const Bounds& box : found.standing)
        if (box.overlaps(near) && (box.max - box.min).norm() <= whole_obstacle * size)
            add_corners(box, extent.points);
        else if (box.overlaps(near))
            add_corners({.min = box.min.cwiseMax(near.min), .max = box.max.cwiseMin(near.max)}, extent.points);
    if (extent.points.empty())
        add_corners(moving, extent.points);
    Bounds all;
    for (const Vec3& x : extent.points)
        all.add(x);
    extent.centre = 0.5 * (all.min + all.max);
    extent.radius = std::max(0.5 * (all.max - all.min).norm(), 1e-3);
    return extent;
}

} // namespace stickslip
