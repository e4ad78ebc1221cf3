#include "stickslip/build/scene_reader.h"

#include "stickslip/build/body_surfaces.h"
#include "stickslip/build/granular/place_spheres.h"
#include "stickslip/build/granular/rigid_spheres.h"
#include "stickslip/build/place_on.h"
#include "stickslip/build/restart/earlier_run.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "stickslip/files/place_file.h"
#include "stickslip/scene/scene_parser.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/scene_file.h"

#include <algorithm>
#include <filesystem>

namespace stickslip {

namespace {

/// What is expected of a family is expected of each of its bodies.
void expand_expectations(Scene& scene)
{
    std::vector<Expectation> all;
    for (const Expectation& e : scene.expect) {
        const std::size_t before = all.size();
        for (const BodySettings& body : scene.bodies) {
            if (e.body.empty() || !names_body(e.body, body.name))
                continue;
            all.push_back(e);
            all.back().body = body.name;
        }
        if (all.size() == before)
            all.push_back(e);
    }
    scene.expect = std::move(all);
}

std::filesystem::path folder_of(const Scene& scene)
{
    return std::filesystem::path(scene.source->file).parent_path();
}

/// Makes a rigid body of each sphere.
void make_rigid_spheres(ParsedScene& parsed)
{
    BuildReport report{.source = parsed.scene.source, .faults = {}, .warnings = {}};
    expand_spheres(parsed.scene, parsed.tree, folder_of(parsed.scene), report);
    parsed.faults = report.faults;
    parsed.unreadable = report.unreadable;
    if (report.good())
        check_settings(parsed);
}

void place_bodies(ParsedScene& parsed)
{
    BuildReport report{.source = parsed.scene.source, .faults = {}, .warnings = {}};
    place_by_contact(parsed.scene, folder_of(parsed.scene), report);
    parsed.faults = report.faults;
    parsed.unreadable = report.unreadable;
}

/// Reads the files that a faulty scene names, as far as what it says of them is sound, so that what is wrong with them
/// is told with all other faults: meshes, sampled level sets, places of spheres and the run to start from. Of a good
/// scene they are read when it is built.
void check_files(const Scene& scene, const SceneTree& tree, const Reading& reading, const std::filesystem::path& folder,
    BuildReport& report)
{
    BodySurfaces surfaces(folder, {});
    const ScenePlaces places(scene, tree);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const BodySettings& body = scene.bodies[i];
        const std::string path = places.body_path(i);
        if (!reading.sound(path + ".kind") || !reading.sound(path + ".name"))
            continue;
        if (body.kind != BodyKind::spheres && reading.sound(path + ".shape")) {
            report.attempt(shape_position(body), body, shape_key(body), [&] {
                if (const auto* mesh = std::get_if<MeshShape>(&body.shape); mesh && body.kind == BodyKind::deformable)
                    read_tet_mesh((folder / mesh->file).string());
                else if (mesh)
                    surfaces.mesh(*mesh);
                else if (std::holds_alternative<LevelSetShape>(body.shape))
                    surfaces.solid(body.shape);
            });
        }
        if (body.kind == BodyKind::spheres && reading.sound(path + "." + placing_key(body))) {
            report.attempt(placing_position(body), body, placing_key(body), [&] {
                if (body.fill && body.fill->mesh)
                    surfaces.mesh(*body.fill->mesh);
                else if (body.positions && !body.positions->file.empty())
                    read_places((folder / body.positions->file).string());
            });
        }
    }
    if (scene.start && reading.sound("start.from"))
        check_start(scene, folder, reading.sound("solver.integration"), report);
}

/// All faults at once: those of files too, but for what has been told already.
void add_faults_of_files(ParsedScene& parsed)
{
    BuildReport report{.source = parsed.scene.source, .faults = {}, .warnings = {}};
    check_files(parsed.scene, parsed.tree, *parsed.reading, folder_of(parsed.scene), report);
    const auto body_of = [](const Fault& fault) {
        return fault.path.substr(0, fault.path.find('.', fault.path.find('.') + 1));
    };
    for (const Fault& fault : report.faults) {
        const auto same = [&](const Fault& f) { return body_of(f) == body_of(fault) && f.message == fault.message; };
        if (std::none_of(parsed.faults.begin(), parsed.faults.end(), same))
            parsed.faults.push_back(fault);
    }
    parsed.unreadable = parsed.unreadable || report.unreadable;
}

} // namespace

SceneResult read_scene_text(
    const std::string& text, const std::string& file_name, const std::vector<std::string>& overrides)
{
    ParsedScene parsed = parse_scene(text, file_name, overrides);
    if (parsed.good() && has_rigid_spheres(parsed.scene))
        make_rigid_spheres(parsed);
    if (parsed.good())
        place_bodies(parsed);
    if (parsed.good())
        expand_expectations(parsed.scene);
    else if (parsed.reading)
        add_faults_of_files(parsed);
    if (parsed.reading) { // of a text that cannot be read, in the order in which faults were found
        parsed.faults = in_order(std::move(parsed.faults), file_name);
        parsed.warnings = in_order(std::move(parsed.warnings), file_name);
    }
    return {.scene = std::move(parsed.scene),
        .faults = std::move(parsed.faults),
        .warnings = std::move(parsed.warnings),
        .unreadable = parsed.unreadable};
}

SceneResult read_scene(const std::string& path, const std::vector<std::string>& overrides)
{
    return read_scene_text(read_scene_file(path), path, overrides);
}

} // namespace stickslip
