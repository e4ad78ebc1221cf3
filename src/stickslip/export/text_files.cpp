#include "stickslip/export/text_files.h"

#include "stickslip/export/ball_mesh.h"
#include "stickslip/files/csv.h"
#include "stickslip/math/error.h"

#include <cstdio>
#include <set>

namespace stickslip {

namespace {

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

/// ".timeSamples = { code: value, ... }" over all frames; " = value" when there are not so many values, but one.
template <typename Value>
std::string usd_samples(const ExportedRun& run, std::size_t count, const Value& value)
{
    if (count != run.times.size())
        return " = " + value(0) + "\n";
    std::string text = ".timeSamples = {\n";
    for (std::size_t f = 0; f < run.times.size(); ++f)
        text += "            " + number(run.times[f] * run.frames_per_second()) + ": " + value(f) + ",\n";
    return text + "        }\n";
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

std::string usd_widths(const ExportedBody& body)
{
    std::string widths;
    for (const double radius : body.radii)
        widths += (widths.empty() ? "" : ", ") + number(2 * radius);
    return widths.empty() ? "" : "        float[] widths = [" + widths + "] (interpolation = \"vertex\")\n";
}

std::string usd_body(const ExportedRun& run, const ExportedBody& body, const std::string& name)
{
    const bool mesh = !body.triangles.empty();
    std::string text = std::string("    def ") + (mesh ? "Mesh" : "Points") + " \"" + name
        + "\" (\n        doc = " + usd_string(body.name) + "\n    )\n    {\n";
    text += mesh ? usd_topology(body) : usd_widths(body);
    if (body.keeps_shape()) {
        text += "        point3f[] points = " + usd_points(body.shape) + "\n";
        text += "        matrix4d xformOp:transform"
            + usd_samples(run, body.poses.size(), [&](std::size_t f) { return usd_matrix(body.poses[f]); });
        text += "        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n";
    } else {
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
        text += "o " + names[b] + "\n";
        std::vector<Vec3> points;
        if (body.keeps_shape())
            for (const Vec3& X : body.shape)
                points.push_back(body.pose(frame).to_world(X));
        else
            points = body.points_at(frame);
        for (std::size_t i = 0; i < body.radii.size(); ++i) {
            std::vector<Vec3> surface;
            for (const Vec3& X : ball.points)
                surface.push_back(points[i] + body.radii[i] * X);
            add_object(surface, ball.triangles, text, first);
        }
        if (body.radii.empty())
            add_object(points, body.triangles, text, first);
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
