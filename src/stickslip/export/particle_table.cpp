#include "stickslip/export/particle_table.h"

#include "stickslip/files/csv.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/scene_reading.h"

#include <algorithm>
#include <array>
#include <vector>

namespace stickslip {

namespace {

constexpr std::array scalars_of_particles{"density_ratio", "plastic_strain", "pressure", "von_mises_stress"};

/// What the user means, checked: a body, or the copies of a family.
std::vector<std::size_t> particles_named(const RunReading& run, const std::string& name)
{
    std::vector<std::size_t> found;
    std::vector<std::string> names;
    for (std::size_t b = 0; b < run.scene.bodies.size(); ++b) {
        const RecordedBody& body = run.scene.bodies[b];
        if (body.kind != RecordedKind::mpm)
            continue;
        names.push_back(body.name);
        if (name.empty() || names_body(name, body.name))
            found.push_back(b);
    }
    if (names.empty())
        throw InputError("the run has no body of material points");
    if (found.empty())
        throw InputError(
            "--body: no body of material points \"" + name + "\" in this run" + meant_name(name, names, "the run"));
    if (name.empty() && found.size() > 1)
        throw InputError("the run has " + std::to_string(found.size())
            + " bodies of material points, name one of them by --body: " + names.front() + ", ...");
    return found;
}

std::string rows_of(const RunReading& run, std::size_t frame, std::size_t body)
{
    const std::string& name = run.scene.bodies[body].name;
    std::vector<bool> wanted(run.scene.bodies.size(), false);
    wanted[body] = true;
    const RecordedFrame recorded = read_frame(run, frame, &wanted);
    if (recorded.shapes.empty())
        throw InputError("the particles of \"" + name + "\" cannot be read"
            + (recorded.notes.empty() ? "" : ": " + recorded.notes.front()));
    const VtkContent& content = recorded.shapes.front().content;
    const auto field = [&](const char* key, int components) {
        const VtkField* found = content.point_field(key);
        if (!found || found->components != components)
            throw InputError("the frame of \"" + name + "\" has no " + key);
        return found->values.data();
    };
    const double* v = field("velocity", 3);
    std::array<const double*, scalars_of_particles.size()> scalars;
    std::transform(scalars_of_particles.begin(), scalars_of_particles.end(), scalars.begin(),
        [&](const char* key) { return field(key, 1); });
    CsvRow row;
    std::string text;
    for (std::size_t i = 0; i < content.points.size(); ++i) {
        row.add(content.points[i]).add(Vec3(v[3 * i], v[3 * i + 1], v[3 * i + 2]));
        for (const double* values : scalars)
            row.add(values[i]);
        text += row.take();
    }
    return text;
}

} // namespace

std::string particle_table(const RunReading& run, std::size_t frame, const std::string& body)
{
    CsvRow header;
    for (const char* column : {"x", "y", "z", "vx", "vy", "vz"})
        header.add(column);
    for (const char* column : scalars_of_particles)
        header.add(column);
    std::string text = header.take();
    for (const std::size_t index : particles_named(run, body))
        text += rows_of(run, frame, index);
    return text;
}

} // namespace stickslip
