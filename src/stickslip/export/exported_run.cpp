#include "stickslip/export/exported_run.h"

#include "stickslip/geometry/mesh/tet_mesh.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cctype>
#include <functional>
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

/// The body as its first shape shows it, and which points of the shape it takes.
std::vector<int> begin_body(const VtkContent& content, ExportedBody& body)
{
    body.triangles = content.tets.empty() ? content.triangles : boundary_triangles(content.tets);
    if (!body.triangles.empty())
        return drop_inner_nodes(body.triangles);
    std::vector<int> all(content.points.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<int>(i);
    if (const VtkField* radius = content.point_field("radius"); radius && radius->components == 1)
        body.radii = radius->values;
    return all;
}

std::vector<Vec3> taken(const VtkContent& content, const std::vector<int>& nodes)
{
    std::vector<Vec3> points;
    for (const int node : nodes)
        points.push_back(content.points[node]);
    return points;
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
    std::vector<std::vector<int>> nodes(bodies.size());
    std::vector<double> times;
    for (std::size_t f = 0; f < run.frames.size(); ++f) {
        const RecordedFrame frame = read_frame(run, f);
        notes.insert(notes.end(), frame.notes.begin(), frame.notes.end());
        times.push_back(frame.time);
        for (const RecordedShape& shape : frame.shapes) {
            ExportedBody& body = bodies[shape.body];
            if (body.points.empty())
                nodes[shape.body] = begin_body(shape.content, body);
            const std::vector<int>& n = nodes[shape.body];
            if (n.empty() || n.back() >= static_cast<int>(shape.content.points.size()))
                continue;
            body.points.resize(f + 1, taken(shape.content, n)); // also of frames before that were missing
        }
        for (ExportedBody& body : bodies)
            if (!body.points.empty() && body.points.size() <= f)
                body.points.push_back(body.points.back());
    }
    std::size_t moving = 0;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const bool obstacle = run.scene.bodies[b].kind == RecordedKind::obstacle;
        bodies[b].name = run.scene.bodies[b].name;
        bodies[b].colour = obstacle ? obstacle_colour() : body_colour(moving++);
        if (bodies[b].points.empty())
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
