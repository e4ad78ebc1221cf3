#include "stickslip/replay/shown_body.h"

#include "stickslip/geometry/mesh/tet_mesh.h"
#include "stickslip/math/check.h"

#include <algorithm>
#include <limits>

namespace stickslip {

namespace {

// A body moves rigidly if its poses reproduce its last surface to this part of its size.
constexpr double rigid_tolerance = 1e-6;

Frame pose_of(const BodyTrack& track, int row)
{
    return {.x = track.x[row], .R = track.q[row].normalized().toRotationMatrix()};
}

bool is_pose(const BodyTrack& track, int row)
{
    return row >= 0 && track.x[row].allFinite() && track.q[row].coeffs().allFinite() && track.q[row].norm() > 0.5;
}

Bounds bounds_of(const std::vector<Vec3>& points)
{
    Bounds box;
    for (const Vec3& x : points)
        box.add(x);
    return box;
}

/// Whether the pose puts the own vertices where the frame has them.
bool reproduces(const Frame& pose, const std::vector<Vec3>& own, const std::vector<Vec3>& points)
{
    if (own.size() != points.size())
        return false;
    const Bounds box = bounds_of(points);
    const double allowed = rigid_tolerance * ((box.max - box.min).norm() + box.max.norm());
    for (std::size_t i = 0; i < own.size(); ++i)
        if ((pose.to_world(own[i]) - points[i]).norm() > allowed)
            return false;
    return true;
}

std::vector<double> lengths(const VtkField* field, const std::vector<int>& kept)
{
    std::vector<double> values;
    if (!field || field->components != 3)
        return values;
    for (const int i : kept)
        values.push_back(Vec3::Map(field->values.data() + 3 * static_cast<std::size_t>(i)).norm());
    return values;
}

/// None where they do not tell points apart.
std::vector<std::uint32_t> numbers_of(const VtkField* field)
{
    std::vector<std::uint32_t> numbers;
    if (!field || field->components != 1)
        return numbers;
    for (const double value : field->values) {
        if (!(value >= 0 && value <= std::numeric_limits<int>::max()))
            return {};
        numbers.push_back(static_cast<std::uint32_t>(value));
    }
    std::vector<std::uint32_t> sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() ? numbers : std::vector<std::uint32_t>();
}

} // namespace

const char* to_string(ShapeCoding coding)
{
    switch (coding) {
    case ShapeCoding::posed:
        return "posed";
    case ShapeCoding::points:
        return "points";
    case ShapeCoding::cloud:
        return "cloud";
    case ShapeCoding::none:
        break;
    }
    return "none";
}

ShownBody::ShownBody(const BodyTrack& track, const VtkContent& first, double first_time, const VtkContent* last,
    double last_time, RecordedKind kind)
{
    if (kind == RecordedKind::spheres) { // also when none has come in yet
        coding_ = ShapeCoding::cloud;
        return;
    }
    if (first.points.empty())
        return;
    if (first.tets.empty() && first.triangles.empty()) {
        coding_ = ShapeCoding::cloud;
        return;
    }
    keep_surface(first);
    coding_ = ShapeCoding::points;
    const int row = track.at(first_time);
    if (kind == RecordedKind::deformable || kind == RecordedKind::unknown || !first.tets.empty()
        || !is_pose(track, row))
        return;
    const Frame pose = pose_of(track, row);
    std::vector<Vec3> own;
    for (const int i : kept_)
        own.push_back(pose.to_local(first.points[i]));
    if (last) {
        const int last_row = track.at(last_time);
        std::vector<Vec3> points;
        if (last->points.size() == nodes_)
            for (const int i : kept_)
                points.push_back(last->points[i]);
        if (!is_pose(track, last_row) || !reproduces(pose_of(track, last_row), own, points))
            return;
    }
    own_vertices_ = std::move(own);
    coding_ = ShapeCoding::posed;
}

void ShownBody::keep_surface(const VtkContent& content)
{
    nodes_ = content.points.size();
    triangles_ = content.tets.empty() ? content.triangles : boundary_triangles(content.tets);
    place_.assign(nodes_, -1);
    for (const Triangle& triangle : triangles_)
        for (const int node : triangle)
            place_[node] = 0;
    for (std::size_t i = 0; i < nodes_; ++i)
        if (place_[i] == 0) {
            place_[i] = static_cast<int>(kept_.size());
            kept_.push_back(static_cast<int>(i));
        }
    for (Triangle& triangle : triangles_)
        for (int& node : triangle)
            node = place_[node];
}

BodySample ShownBody::sample(const BodyTrack& track, double time) const
{
    STICKSLIP_ASSERT(coding_ == ShapeCoding::posed);
    const int row = track.at(time);
    if (!is_pose(track, row))
        return {};
    return {.shown = true, .pose = pose_of(track, row), .pose_speed = track.v[row].norm()};
}

BodySample ShownBody::sample(const VtkContent& content) const
{
    BodySample sample;
    const VtkField* velocity = content.point_field("velocity");
    if (coding_ == ShapeCoding::cloud) {
        sample.points = content.points;
        std::vector<int> all(content.points.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = static_cast<int>(i);
        sample.speed = lengths(velocity, all);
        if (const VtkField* radius = content.point_field("radius"); radius && radius->components == 1)
            sample.radius = radius->values;
        sample.number = numbers_of(content.point_field("number"));
    } else {
        STICKSLIP_ASSERT(coding_ == ShapeCoding::points);
        if (content.points.size() != nodes_)
            return sample;
        for (const int i : kept_)
            sample.points.push_back(content.points[i]);
        sample.speed = lengths(velocity, kept_);
        sample.stress = stress_at_points(content);
    }
    sample.shown = !sample.points.empty();
    return sample;
}

// The mean of the tetrahedra around each point.
std::vector<double> ShownBody::stress_at_points(const VtkContent& content) const
{
    const VtkField* stress = content.cell_field("von_mises_stress");
    if (!stress || stress->components != 1)
        return {};
    std::vector<double> sum(kept_.size()), count(kept_.size());
    for (std::size_t t = 0; t < content.tets.size(); ++t)
        for (const int node : content.tets[t])
            if (const int place = place_[node]; place >= 0) {
                sum[place] += stress->values[t];
                count[place] += 1;
            }
    for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] /= std::max(1.0, count[i]);
    return sum;
}

int ShownBody::place_of(int node) const
{
    if (coding_ == ShapeCoding::cloud)
        return node;
    return coding_ == ShapeCoding::points && node >= 0 && node < static_cast<int>(nodes_) ? place_[node] : -1;
}

} // namespace stickslip
