#include "stickslip/export/sphere_table.h"

#include "stickslip/files/csv.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/scene_reading.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stickslip {

namespace {

/// Rows under a header, a sphere each.
class Table {
public:
    Table()
    {
        for (const char* column : {"x", "y", "z", "radius", "vx", "vy", "vz", "wx", "wy", "wz"})
            row_.add(column);
        text_ = row_.take();
    }
    void add(const Vec3& x, double radius, const Vec3& v, const Vec3& w)
    {
        row_.add(x).add(radius).add(v).add(w);
        text_ += row_.take();
    }
    const std::string& text() const { return text_; }

private:
    CsvRow row_;
    std::string text_;
};

bool is_ball(const RecordedBody& body)
{
    return std::isfinite(body.ball_radius);
}

/// Whether it is the body's name or that of its family, or of that family's: a copy of a set is a family of balls.
bool is_of(const std::string& name, std::string body)
{
    while (body != name && is_copy(body))
        body = family_of(body);
    return body == name;
}

/// Sets of explicit runs and families of balls, in the order of the scene.
std::vector<std::string> sphere_sets(const RecordedScene& scene)
{
    std::vector<std::string> names;
    for (const RecordedBody& body : scene.bodies) {
        const bool of_family = is_ball(body) && is_copy(body.name);
        if (body.kind != RecordedKind::spheres && !of_family)
            continue;
        const std::string name = of_family ? family_of(body.name) : body.name;
        if (std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    }
    return names;
}

std::string listed(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// What the user means, checked.
std::string set_named(const RunReading& run, const std::string& name)
{
    const std::vector<std::string> sets = sphere_sets(run.scene);
    const auto& bodies = run.scene.bodies;
    const bool is_set = std::any_of(sets.begin(), sets.end(), [&](const std::string& set) { return is_of(name, set); });
    const int body = run.scene.find(name);
    if (is_set || (body >= 0 && is_ball(bodies[body])))
        return name;
    if (name.empty()) {
        if (sets.empty())
            throw InputError("the run has no set of spheres");
        if (sets.size() > 1)
            throw InputError("the run has several sets of spheres, name one of them: " + listed(sets));
        return sets.front();
    }
    if (body >= 0
        || std::any_of(bodies.begin(), bodies.end(), [&](const RecordedBody& b) { return family_of(b.name) == name; }))
        throw InputError("\"" + name + "\" is no set of spheres"
            + (sets.empty() ? "; the run has none" : "; the run has: " + listed(sets)));
    std::vector<std::string> names = sets;
    for (const RecordedBody& b : bodies)
        names.push_back(b.name);
    throw InputError("--body: no body \"" + name + "\" in this run" + meant_name(name, names, "the run"));
}

void add_set(const RunReading& run, std::size_t frame, int body, Table& table)
{
    std::vector<bool> wanted(run.scene.bodies.size(), false);
    wanted[body] = true;
    const RecordedFrame recorded = read_frame(run, frame, &wanted);
    const std::string& name = run.scene.bodies[body].name;
    if (recorded.shapes.empty())
        throw InputError("the spheres of \"" + name + "\" cannot be read"
            + (recorded.notes.empty() ? "" : ": " + recorded.notes.front()));
    const VtkContent& content = recorded.shapes.front().content;
    if (content.point_field("clump"))
        throw InputError(
            "\"" + name + "\" is made of clumps, which a table of spheres cannot hold; `start: {from: ...}` can");
    const auto field = [&](const char* key, int components) {
        const VtkField* found = content.point_field(key);
        if (!found || found->components != components)
            throw InputError("the frame of \"" + name + "\" has no " + key);
        return found->values.data();
    };
    const double *radius = field("radius", 1), *v = field("velocity", 3), *w = field("angular_velocity", 3);
    for (std::size_t i = 0; i < content.points.size(); ++i)
        table.add(content.points[i], radius[i], Vec3(v[3 * i], v[3 * i + 1], v[3 * i + 2]),
            Vec3(w[3 * i], w[3 * i + 1], w[3 * i + 2]));
}

/// A ball's frame is its row of bodies.csv.
void add_ball(const RunReading& run, std::size_t frame, std::size_t body, Table& table)
{
    const BodyTrack& track = run.tracks[body];
    const int row = track.at(run.frames[frame].time);
    if (row < 0)
        throw InputError("bodies.csv has no row of \"" + run.scene.bodies[body].name + "\" at the time of this frame");
    table.add(track.x[row], run.scene.bodies[body].ball_radius, track.v[row], track.w[row]);
}

} // namespace

std::string sphere_table(const RunReading& run, std::size_t frame, const std::string& body)
{
    const std::string name = set_named(run, body);
    Table table;
    for (std::size_t b = 0; b < run.scene.bodies.size(); ++b) {
        const RecordedBody& recorded = run.scene.bodies[b];
        if (recorded.kind == RecordedKind::spheres && is_of(name, recorded.name))
            add_set(run, frame, static_cast<int>(b), table);
        else if (is_ball(recorded) && is_of(name, recorded.name))
            add_ball(run, frame, b, table);
    }
    return table.text();
}

} // namespace stickslip
