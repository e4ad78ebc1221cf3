#include "stickslip/render/force_chains.h"

#include "stickslip/render/turned_shape.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace stickslip {

namespace {

constexpr double thinnest = 0.03, thickest = 2; // of the usual width
constexpr double share_of_ball = 0.35, share_of_body = 0.12; // of a radius, of half a size

/// From grey to red, as on the replay page.
Colour chain_colour(double part)
{
    const auto strong = static_cast<float>(std::pow(std::min(part, 1.0), 0.7));
    return {0.3f + 0.4f * strong, 0.3f - 0.25f * strong, 0.33f - 0.27f * strong};
}

const RecordedShape* shape_of(const RecordedFrame& frame, int body)
{
    const auto same = [&](const RecordedShape& shape) { return shape.body == body; };
    const auto found = std::find_if(frame.shapes.begin(), frame.shapes.end(), same);
    return found == frame.shapes.end() ? nullptr : &*found;
}

bool is_cloud(const RecordedShape& shape)
{
    return shape.content.tets.empty() && shape.content.triangles.empty();
}

/// Centre of a body, of a cloud that of its point; nothing of an obstacle and of what is not known.
std::optional<Vec3> centre_of(const RunReading& run, const RecordedFrame& frame, int body, int point)
{
    const RecordedShape* shape = body >= 0 ? shape_of(frame, body) : nullptr;
    if (!shape || is_obstacle(run, body))
        return {};
    const std::vector<Vec3>& points = shape->content.points;
    if (is_cloud(*shape))
        return point >= 0 && point < static_cast<int>(points.size()) ? std::optional(points[point]) : std::nullopt;
    Vec3 sum = Vec3::Zero();
    for (const Vec3& x : points)
        sum += x;
    return Vec3(sum / static_cast<double>(points.size()));
}

/// The other end of a bar that begins at `from`.
Vec3 other_end(const RunReading& run, const RecordedFrame& frame, const RecordedContact& contact, const Vec3& from)
{
    const RecordedShape* shape = shape_of(frame, contact.surface_body);
    if (shape && is_cloud(*shape) && !is_obstacle(run, contact.surface_body))
        return 2 * contact.x - from; // the frame does not say which sphere: as if it were as large
    return centre_of(run, frame, contact.surface_body, -1).value_or(contact.x);
}

} // namespace

double chain_width(const RunReading& run, const RecordedFrame& frame)
{
    std::vector<double> balls, halves;
    for (const RecordedShape& shape : frame.shapes) {
        if (is_obstacle(run, shape.body) || shape.content.points.empty())
            continue;
        const VtkField* radius = shape.content.point_field("radius");
        if (is_cloud(shape) && radius && radius->components == 1) {
            balls.insert(balls.end(), radius->values.begin(), radius->values.end());
            continue;
        }
        Bounds box;
        for (const Vec3& x : shape.content.points)
            box.add(x);
        halves.push_back(0.5 * (box.max - box.min).minCoeff());
    }
    const auto median = [](std::vector<double>& sizes) {
        const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
        std::nth_element(sizes.begin(), middle, sizes.end());
        return *middle;
    };
    return !balls.empty() ? share_of_ball * median(balls) : !halves.empty() ? share_of_body * median(halves) : 0;
}

DrawnMesh force_chains(const RunReading& run, const RecordedFrame& frame, double width)
{
    DrawnMesh mesh;
    std::vector<double> sizes;
    for (const RecordedContact& c : frame.contacts)
        sizes.push_back(std::abs(c.force.dot(c.normal)));
    const double usual = usual_size(sizes);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const RecordedContact& c = frame.contacts[i];
        const std::optional<Vec3> from = centre_of(run, frame, c.point_body, c.node);
        if (!(sizes[i] > 0) || !from || !c.x.allFinite())
            continue;
        const Vec3 way = other_end(run, frame, c, *from) - *from;
        const double length = way.norm();
        if (!(length > 0))
            continue;
        const Vec3 along = way / length, across = along.unitOrthogonal();
        Mat3 axes;
        axes << across, along.cross(across), along;
        const double part = sizes[i] / usual, half = 0.5 * width * std::clamp(part, thinnest, thickest);
        add_turned_shape(*from, axes, {{0, 0}, {0, half}, {length, half}, {length, 0}}, chain_colour(part), mesh);
    }
    return mesh;
}

} // namespace stickslip
