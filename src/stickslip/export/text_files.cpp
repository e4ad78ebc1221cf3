#include "stickslip/export/text_files.h"

#include "stickslip/export/ball_mesh.h"
#include "stickslip/files/csv.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace stickslip {

namespace {

constexpr double held_until = 1e-3; // [frames] before the next: codes have nine digits

std::string numbers(const char* format, const Vec3& x)
{
    char text[128];
    std::snprintf(text, sizeof text, format, x.x(), x.y(), x.z());
    return text;
}

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

// A text of USD: in quotes, without anything that could end it.
std::string usd_string(const std::string& text)
{
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            quoted += '\\';
        quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return quoted + "\"";
}

std::string usd_points(const std::vector<Vec3>& points)
{
    std::string text = "[";
    for (const Vec3& x : points)
        text += (text.size() > 1 ? ", " : "") + numbers("(%.7g, %.7g, %.7g)", x);
    return text + "]";
}

// USD multiplies rows: the transposed matrix, with the translation below.
std::string usd_matrix(const Frame& pose)
{
    std::string text = "( ";
    for (int axis = 0; axis < 3; ++axis)
        text += numbers("(%.9g, %.9g, %.9g, 0), ", pose.R.col(axis));
    return text + numbers("(%.9g, %.9g, %.9g, 1) )", pose.x);
}

/// ".timeSamples = { code: value, ... }" over all frames; " = value" when there are not so many values, but one. `held`
/// tells of which frames the value stays until just before the next.
template <typename Value, typename Held>
std::string usd_samples(const ExportedRun& run, std::size_t count, const Value& value, const Held& held)
{
    if (count != run.times.size())
        return " = " + value(0) + "\n";
    std::string text = ".timeSamples = {\n";
    const auto add = [&](double frame, const std::string& sample) {
        text += "            " + number(frame) + ": " + sample + ",\n";
    };
    for (std::size_t f = 0; f < run.times.size(); ++f) {
        const double now = run.times[f] * run.frames_per_second();
        add(now, value(f));
        if (f + 1 < run.times.size() && held(f)) {
            const double next = run.times[f + 1] * run.frames_per_second();
            add(std::max(next - held_until, 0.5 * (now + next)), value(f)); // the last frame may be near
        }
    }
    return text + "        }\n";
}

template <typename Value>
std::string usd_samples(const ExportedRun& run, std::size_t count, const Value& value)
{
    return usd_samples(run, count, value, [](std::size_t) { return false; });
}

std::string usd_topology(const ExportedBody& body)
{
    std::string counts, indices;
    for (const Triangle& t : body.triangles) {
        counts += counts.empty() ? "3" : ", 3";
        for (const int node : t)
            indices += (indices.empty() ? "" : ", ") + std::to_string(node);
    }
    return "        int[] faceVertexCounts = [" + counts + "]\n        int[] faceVertexIndices = [" + indices
        + "]\n        uniform token subdivisionScheme = \"none\"\n";
}

/// Those of the values whose points are there, by `text`, as USD writes a list.
template <typename Text>
std::string usd_list(const ExportedBody& body, std::size_t frame, std::size_t count, const Text& text)
{
    std::string list = "[";
    for (std::size_t i = 0; i < count; ++i)
        if (body.is_there(frame, i))
            list += (list.size() > 1 ? ", " : "") + text(i);
    return list + "]";
}

/// Whether a frame has as many points as the next, but not the same ones. Between lists of the same length readers go
/// from each point to the one in its place; between others they hold the earlier.
bool swaps_points(const ExportedBody& body, std::size_t frame)
{
    const std::vector<bool>&now = body.there[frame], &next = body.there[frame + 1];
    return now != next && std::ranges::count(now, true) == std::ranges::count(next, true);
}

/// Points without faces. Where some come or go all lists have a sample a frame, of those that are there.
std::string usd_cloud(const ExportedRun& run, const ExportedBody& body)
{
    const std::size_t samples = body.comes_or_goes() ? run.times.size() : 0;
    const auto ids = [&](std::size_t f) {
        return usd_list(body, f, body.numbers.size(), [&](std::size_t i) { return std::to_string(body.numbers[i]); });
    };
    const auto widths = [&](std::size_t f) {
        return usd_list(body, f, body.radii.size(), [&](std::size_t i) { return number(2 * body.radii[i]); });
    };
    const auto points = [&](std::size_t f) {
        const std::vector<Vec3>& x = body.points_at(f);
        return usd_list(body, f, x.size(), [&](std::size_t i) { return numbers("(%.7g, %.7g, %.7g)", x[i]); });
    };
    const auto held = [&](std::size_t f) { return body.comes_or_goes() && swaps_points(body, f); };
    std::string text;
    if (!body.numbers.empty())
        text += "        int64[] ids" + usd_samples(run, samples, ids, held);
    const std::string of_points = " (interpolation = \"vertex\")\n"; // stands with the value, or before the samples
    if (!body.radii.empty() && body.comes_or_goes())
        text +=
            "        float[] widths" + of_points + "        float[] widths" + usd_samples(run, samples, widths, held);
    else if (!body.radii.empty())
        text += "        float[] widths = " + widths(0) + of_points;
    return text + "        point3f[] points" + usd_samples(run, std::max(samples, body.points.size()), points, held);
}

std::string usd_body(const ExportedRun& run, const ExportedBody& body, const std::string& name)
{
    const bool mesh = !body.triangles.empty();
    std::string text = std::string("    def ") + (mesh ? "Mesh" : "Points") + " \"" + name
        + "\" (\n        doc = " + usd_string(body.name) + "\n    )\n    {\n";
    text += mesh ? usd_topology(body) : usd_cloud(run, body);
    if (body.keeps_shape()) {
        text += "        point3f[] points = " + usd_points(body.shape) + "\n";
        text += "        matrix4d xformOp:transform"
            + usd_samples(run, body.poses.size(), [&](std::size_t f) { return usd_matrix(body.poses[f]); });
        text += "        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n";
    } else if (mesh) {
        text += "        point3f[] points"
            + usd_samples(run, body.points.size(), [&](std::size_t f) { return usd_points(body.points[f]); });
    }
    text += "        color3f[] primvars:displayColor = [" + numbers("(%.4f, %.4f, %.4f)", body.colour.cast<double>())
        + "]\n";
    return text + "    }\n";
}

std::vector<std::string> names_of(const ExportedRun& run)
{
    std::vector<std::string> names;
    for (const ExportedBody& body : run.bodies)
        names.push_back(body.name);
    return plain_names(names);
}

/// Adds an object to an OBJ file; `first` is the number of its first vertex.
void add_object(
    const std::vector<Vec3>& points, const std::vector<Triangle>& triangles, std::string& text, std::size_t& first)
{
    for (const Vec3& x : points)
        text += numbers("v %.9g %.9g %.9g\n", x);
    for (const Triangle& t : triangles) {
        text += "f";
        for (const int node : t)
            text += " " + std::to_string(first + static_cast<std::size_t>(node));
        text += "\n";
    }
    if (triangles.empty())
        for (std::size_t i = 0; i < points.size(); ++i)
            text += "p " + std::to_string(first + i) + "\n";
    first += points.size();
}

/// Of the points that are there.
std::vector<Vec3> obj_points(const ExportedBody& body, std::size_t frame)
{
    std::vector<Vec3> points;
    if (body.keeps_shape())
        for (const Vec3& X : body.shape)
            points.push_back(body.pose(frame).to_world(X));
    else
        for (std::size_t i = 0; i < body.points_at(frame).size(); ++i)
            if (body.is_there(frame, i))
                points.push_back(body.points_at(frame)[i]);
    return points;
}

void add_balls(const ExportedBody& body, std::size_t frame, const BallMesh& ball, std::string& text, std::size_t& first)
{
    for (std::size_t i = 0; i < body.radii.size(); ++i) {
        if (!body.is_there(frame, i))
            continue;
        std::vector<Vec3> surface;
        for (const Vec3& X : ball.points)
            surface.push_back(body.points_at(frame)[i] + body.radii[i] * X);
        add_object(surface, ball.triangles, text, first);
    }
}

} // namespace

std::string usda_file(const ExportedRun& run)
{
    const double rate = run.frames_per_second();
    const bool z_up = std::abs(run.up.z()) > std::abs(run.up.y());
    std::string text = "#usda 1.0\n(\n    defaultPrim = \"run\"\n    doc = " + usd_string(run.title)
        + "\n    metersPerUnit = 1\n    upAxis = " + (z_up ? "\"Z\"" : "\"Y\"")
        + "\n    startTimeCode = 0\n    endTimeCode = " + number(run.times.back() * rate)
        + "\n    timeCodesPerSecond = " + number(rate) + "\n    framesPerSecond = " + number(rate)
        + "\n)\n\ndef Xform \"run\"\n{\n";
    const std::vector<std::string> names = names_of(run);
    for (std::size_t b = 0; b < run.bodies.size(); ++b)
        text += usd_body(run, run.bodies[b], names[b]);
    return text + "}\n";
}

std::string obj_file(const ExportedRun& run, std::size_t frame)
{
    const BallMesh ball = ball_mesh();
    const std::vector<std::string> names = names_of(run);
    std::string text = "# time " + number(run.times[frame]) + " s\n";
    std::size_t first = 1;
    for (std::size_t b = 0; b < run.bodies.size(); ++b) {
        const ExportedBody& body = run.bodies[b];
        const std::vector<Vec3> points = obj_points(body, frame);
        if (points.empty())
            continue;
        text += "o " + names[b] + "\n";
        if (body.radii.empty())
            add_object(points, body.triangles, text, first);
        else
            add_balls(body, frame, ball, text, first);
    }
    return text;
}

std::string track_table(const RunReading& run)
{
    std::set<double> times;
    CsvRow row;
    row.add("time");
    for (std::size_t b = 0; b < run.tracks.size(); ++b) {
        times.insert(run.tracks[b].time.begin(), run.tracks[b].time.end());
        for (const char* column : {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"})
            row.add(run.scene.bodies[b].name + "." + column);
    }
    std::string text = row.take();
    for (const double time : times) {
        row.add(time);
        for (const BodyTrack& track : run.tracks) {
            const int i = track.at(time);
            const Vec3 none = Vec3::Constant(nan);
            row.add(i < 0 ? none : track.x[i]).add(i < 0 ? Quat(nan, nan, nan, nan) : track.q[i]);
            row.add(i < 0 ? none : track.v[i]).add(i < 0 ? none : track.w[i]);
        }
        text += row.take();
    }
    return text;
}

} // namespace stickslip
