#include "stickslip/export/exported_run.h"

#include "stickslip/geometry/mesh/tet_mesh.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

namespace stickslip {

namespace {

// Points of a body that keeps its shape are where its pose says, but for round-off and this share of its size.
constexpr double shape_tolerance = 1e-6;

Frame pose_at(const BodyTrack& track, int row)
{
    return {.x = track.x[row], .R = track.q[row].normalized().toRotationMatrix()};
}

bool same_shape(const std::vector<Vec3>& shape, const Frame& pose, const std::vector<Vec3>& points)
{
    if (shape.size() != points.size())
        return false;
    double size = 0;
    for (const Vec3& X : shape)
        size = std::max(size, X.norm());
    for (std::size_t i = 0; i < shape.size(); ++i)
        if ((pose.to_world(shape[i]) - points[i]).norm() > shape_tolerance * size)
            return false;
    return true;
}

/// Poses of a body whose points follow its row in bodies.csv in every frame; nothing otherwise.
void find_poses(const BodyTrack& track, const std::vector<double>& times, ExportedBody& body)
{
    std::vector<Frame> poses;
    for (const double time : times) {
        const int row = track.at(time);
        if (row < 0)
            return;
        poses.push_back(pose_at(track, row));
    }
    std::vector<Vec3> shape;
    for (const Vec3& x : body.points.front())
        shape.push_back(poses.front().to_local(x));
    for (std::size_t f = 0; f < poses.size(); ++f)
        if (!same_shape(shape, poses[f], body.points[f]))
            return;
    body.poses = std::move(poses);
    body.shape = std::move(shape);
    body.points.clear();
}

bool same_pose(const Frame& a, const Frame& b)
{
    return a.x == b.x && a.R == b.R;
}

/// Of a body that never moves one frame is kept.
void drop_repetitions(ExportedBody& body)
{
    const auto keep_one = [](auto& frames, const auto& same) {
        if (std::all_of(frames.begin(), frames.end(), [&](const auto& frame) { return same(frame, frames.front()); }))
            frames.resize(std::min<std::size_t>(frames.size(), 1));
    };
    keep_one(body.poses, same_pose);
    keep_one(body.points, std::equal_to<>());
    const auto all_there = [](const std::vector<bool>& frame) {
        return std::ranges::find(frame, false) == frame.end();
    };
    if (std::ranges::all_of(body.there, all_there))
        body.there.clear();
}

/// Nodes of the faces only, in their old order; the triangles are renumbered.
std::vector<int> drop_inner_nodes(std::vector<Triangle>& triangles)
{
    std::set<int> used;
    for (const Triangle& t : triangles)
        used.insert(t.begin(), t.end());
    std::vector<int> kept(used.begin(), used.end());
    for (Triangle& t : triangles)
        for (int& node : t)
            node = static_cast<int>(std::lower_bound(kept.begin(), kept.end(), node) - kept.begin());
    return kept;
}

/// The faces of a body and their points, frame by frame.
class FaceFrames {
public:
    void add(const VtkContent& content, std::size_t frame, ExportedBody& body)
    {
        if (body.points.empty()) {
            body.triangles = content.tets.empty() ? content.triangles : boundary_triangles(content.tets);
            nodes_ = drop_inner_nodes(body.triangles);
        }
        if (nodes_.empty() || nodes_.back() >= static_cast<int>(content.points.size()))
            return;
        std::vector<Vec3> points;
        for (const int node : nodes_)
            points.push_back(content.points[node]);
        body.points.resize(frame + 1, points); // also of frames before that were missing
    }

private:
    std::vector<int> nodes_; // of the first shape, that are points of faces
};

const VtkField* scalar_field(const VtkContent& content, const char* name)
{
    const VtkField* field = content.point_field(name);
    return field && field->components == 1 ? field : nullptr;
}

/// The points of a body without faces, frame by frame. Spheres enter and leave: a point is known by its number, or by
/// its row where there are no numbers.
class PointFrames {
public:
    void add(const VtkContent& content, std::size_t frame, ExportedBody& body);
    /// Gives every frame all points.
    void finish(ExportedBody& body) const;

private:
    std::map<int, std::size_t> points_; // by number, in the order in which they came
};

void PointFrames::add(const VtkContent& content, std::size_t frame, ExportedBody& body)
{
    const VtkField *number = scalar_field(content, "number"), *radius = scalar_field(content, "radius");
    std::vector<Vec3> x = body.points.empty() ? std::vector<Vec3>() : body.points.back();
    std::vector<bool> there(x.size(), false);
    for (std::size_t row = 0; row < content.points.size(); ++row) {
        const double name = number ? number->values[row] : static_cast<double>(row);
        if (!(std::abs(name) <= std::numeric_limits<int>::max()))
            continue; // of a damaged file
        const auto [found, is_new] = points_.try_emplace(static_cast<int>(name), x.size());
        if (is_new) {
            x.emplace_back();
            there.push_back(true);
            if (number)
                body.numbers.push_back(found->first);
            if (radius)
                body.radii.push_back(radius->values[row]);
        }
        x[found->second] = content.points[row];
        there[found->second] = true;
    }
    body.points.resize(frame + 1, x); // also of frames before that were missing
    body.there.resize(frame + 1, there);
}

void PointFrames::finish(ExportedBody& body) const
{
    const std::size_t count = points_.size();
    for (std::size_t f = body.points.size(); f-- > 0;) {
        for (std::size_t i = body.points[f].size(); i < count; ++i)
            body.points[f].push_back(body.points[f + 1][i]); // where it will enter
        body.there[f].resize(count, false);
    }
    if (body.radii.size() != count) // some frame does not tell them
        body.radii.clear();
    if (body.numbers.size() != count)
        body.numbers.clear();
}

/// In a frame in which the body could not be read it is as in the last one.
void repeat_last(std::size_t frames, ExportedBody& body)
{
    if (!body.points.empty())
        body.points.resize(frames, body.points.back());
    if (!body.there.empty())
        body.there.resize(frames, body.there.back());
}

} // namespace

double ExportedRun::frames_per_second() const
{
    return times.size() > 1 ? static_cast<double>(times.size() - 1) / times.back() : 25;
}

ExportedRun exported_run(const RunReading& run, std::vector<std::string>& notes)
{
    if (run.frames.empty())
        throw InputError(run.folder.string() + ": there are no frames to export in this run");
    ExportedRun exported{.title = run.scene.title, .times = {}, .bodies = {}};
    if (run.scene.gravity.norm() > 0)
        exported.up = -run.scene.gravity.normalized();
    std::vector<ExportedBody> bodies(run.scene.bodies.size());
    std::vector<FaceFrames> faces(bodies.size());
    std::vector<PointFrames> points(bodies.size());
    std::vector<double> times;
    for (std::size_t f = 0; f < run.frames.size(); ++f) {
        const RecordedFrame frame = read_frame(run, f);
        notes.insert(notes.end(), frame.notes.begin(), frame.notes.end());
        times.push_back(frame.time);
        for (const RecordedShape& shape : frame.shapes) {
            ExportedBody& body = bodies[shape.body];
            const bool has_faces = !shape.content.tets.empty() || !shape.content.triangles.empty();
            if (has_faces || !body.triangles.empty())
                faces[shape.body].add(shape.content, f, body);
            else if (!shape.content.points.empty() || run.scene.bodies[shape.body].kind == RecordedKind::spheres)
                points[shape.body].add(shape.content, f, body);
        }
        for (ExportedBody& body : bodies)
            repeat_last(f + 1, body);
    }
    std::size_t moving = 0;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const bool obstacle = run.scene.bodies[b].kind == RecordedKind::obstacle;
        bodies[b].name = run.scene.bodies[b].name;
        bodies[b].colour = obstacle ? obstacle_colour() : body_colour(moving++);
        if (bodies[b].triangles.empty())
            points[b].finish(bodies[b]);
        if (bodies[b].points.empty() || bodies[b].points.front().empty())
            continue;
        if (!bodies[b].triangles.empty())
            find_poses(run.tracks[b], times, bodies[b]);
        drop_repetitions(bodies[b]);
        exported.bodies.push_back(std::move(bodies[b]));
    }
    for (const double time : times)
        exported.times.push_back(time - times.front());
    return exported;
}

std::vector<std::string> plain_names(const std::vector<std::string>& names)
{
    std::vector<std::string> plain;
    std::set<std::string> taken;
    for (std::string name : names) {
        for (char& c : name)
            if (!std::isalnum(static_cast<unsigned char>(c)))
                c = '_';
        if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())))
            name = "_" + name;
        const std::string wanted = name;
        for (int number = 2; !taken.insert(name).second; ++number)
            name = wanted + "_" + std::to_string(number);
        plain.push_back(name);
    }
    return plain;
}

} // namespace stickslip
