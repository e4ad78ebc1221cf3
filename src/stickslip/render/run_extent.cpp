#include "stickslip/render/run_extent.h"

#include <algorithm>
#include <cmath>

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
    for (std::size_t i = 0; i < content.points.size(); ++i) {
        const Vec3 reach = Vec3::Constant(radius && radius->components == 1 ? radius->values[i] : 0);
        box.add(content.points[i] - reach);
        box.add(content.points[i] + reach);
    }
    return box;
}

void add_corners(const Bounds& box, std::vector<Vec3>& points)
{
    for (int corner = 0; corner < 8; ++corner)
        points.emplace_back((corner & 1 ? box.max : box.min).x(), (corner & 2 ? box.max : box.min).y(),
            (corner & 4 ? box.max : box.min).z());
}

double scale_end(std::vector<double>& values, double quantile)
{
    if (values.empty())
        return 0;
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(quantile * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

/// What the frames of a run hold, box by box.
struct Found {
    std::vector<Bounds> moving, standing;
    std::vector<double> values; // of what is coloured by
    bool has_plane = false;
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
        found.moving.push_back(box_of(shape.content));
        if (by != ColourBy::body)
            for (const double value : point_values(run, frame, shape, by))
                if (std::isfinite(value))
                    found.values.push_back(value);
    }
}

} // namespace

RunExtent run_extent(const RunReading& run, ColourBy by, double quantile)
{
    Found found;
    const std::size_t count = run.frames.size(), looks = std::min(count, most_frames);
    for (std::size_t i = 0; i < looks; ++i)
        look_at(run, read_frame(run, looks > 1 ? i * (count - 1) / (looks - 1) : 0), by, found);
    Bounds moving;
    for (const Bounds& box : found.moving.empty() ? found.standing : found.moving) {
        moving.add(box.min);
        moving.add(box.max);
    }
    if (!(moving.min.array() <= moving.max.array()).all()) // nothing but planes
        moving = {.min = Vec3::Constant(-1), .max = Vec3::Constant(1)};
    RunExtent extent{.has_plane = found.has_plane, .largest = scale_end(found.values, quantile)};
    for (const Bounds& box : found.moving)
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
