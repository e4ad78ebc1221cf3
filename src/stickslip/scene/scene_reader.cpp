#include "stickslip/scene/scene_reader.h"

#include "stickslip/build/file_checks.h"
#include "stickslip/build/rigid_spheres.h"
#include "stickslip/scene/checks/scene_checks.h"
#include "stickslip/scene/expand/copies.h"
#include "stickslip/scene/table/scene_table.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/scene_file.h"
#include "stickslip/scene/text/scene_include.h"
#include "stickslip/scene/text/scene_overrides.h"
#include "stickslip/scene/text/scene_variables.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace stickslip {

namespace {

constexpr std::size_t most_faults = 20;

/// In the order of the file; what is too many becomes one line.
std::vector<Fault> in_order(std::vector<Fault> faults, const std::string& file)
{
    const auto place = [&](const Fault& f) { // the scene itself before what it includes
        return std::tuple(f.line > 0, f.line > 0 && f.file != file, f.line > 0 ? f.file : "", f.line, f.column);
    };
    std::stable_sort(faults.begin(), faults.end(), [&](const Fault& a, const Fault& b) { return place(a) < place(b); });
    if (faults.size() > most_faults) {
        const bool counted = faults.size() < most_recorded_faults;
        const std::string rest = counted ? std::to_string(faults.size() - most_faults) : "many";
        Fault more{.file = file, .message = "and " + rest + " more"};
        more.warning = faults.front().warning;
        faults.resize(most_faults);
        faults.push_back(std::move(more));
    }
    return faults;
}

/// `resolution` may stand inside `shape`, beside the shape's name; the table binds it to the body.
void lift_resolution(SceneNode& root, Reading& reading)
{
    const auto find = [](SceneNode& map, const char* key) {
        const auto same = [&](const SceneEntry& entry) { return entry.key == key; };
        return std::find_if(map.entries.begin(), map.entries.end(), same);
    };
    const auto bodies = find(root, "bodies");
    if (bodies == root.entries.end())
        return;
    for (std::size_t i = 0; i < bodies->value.items.size(); ++i) {
        SceneNode& body = bodies->value.items[i];
        const auto shape = find(body, "shape");
        if (shape == body.entries.end())
            continue;
        const auto inner = find(shape->value, "resolution");
        if (inner == shape->value.entries.end())
            continue;
        if (body.find("resolution")) {
            const std::string path = "bodies" + item_steps(bodies->value)[i] + ".shape.resolution";
            reading.fault(inner->key_at, path, "given twice, here and beside the shape");
            continue;
        }
        SceneEntry moved = *inner;
        body.entries.push_back(std::move(moved)); // the copy in the shape is passed over there
    }
}

/// How many bodies the tree will hold; more are refused before any is made.
bool few_enough(const Scene& scene, Reading& reading)
{
    constexpr double most_bodies = 50000;
    double count = 0;
    for (const BodySettings& body : scene.bodies) {
        count += body.copies ? copy_count(*body.copies) : 1;
        if (count > most_bodies) {
            reading.fault(body.copies_at, "bodies." + body.name + ".copies", "more than 50000 bodies in the scene");
            return false;
        }
    }
    return true;
}

bool has_copies(const Scene& scene)
{
    return std::any_of(
        scene.bodies.begin(), scene.bodies.end(), [](const BodySettings& body) { return body.copies.has_value(); });
}

/// Puts the copies into the tree; records why that cannot be.
bool make_copies(SceneNode& root, const Scene& scene, Reading& reading)
{
    if (!few_enough(scene, reading))
        return false;
    check_copies(scene, root, reading);
    if (reading.faults().empty())
        expand_copies(root, scene, std::filesystem::path(scene.source->file).parent_path(), reading);
    return reading.faults().empty();
}

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

/// Makes a rigid body of each sphere and reads the tree again with these.
void read_rigid_spheres(SceneNode& root, const SceneSource& source, SceneResult& result)
{
    BuildReport report{.source = result.scene.source, .faults = {}, .warnings = {}};
    expand_spheres(root, result.scene, std::filesystem::path(source.file).parent_path(), report);
    result.faults = report.faults;
    result.unreadable = report.unreadable;
    if (!report.good())
        return;
    Reading reading(source);
    result.scene = Scene{.source = result.scene.source};
    scene_kind().read(root, reading, result.scene);
    check_scene(result.scene, root, reading);
    result.faults = reading.faults();
    result.warnings = reading.warnings();
}

/// All faults at once: those of files too, but for what has been told already.
void add_faults_of_files(const SceneNode& root, const SceneSource& source, const Reading& reading, SceneResult& result)
{
    BuildReport report{.source = result.scene.source, .faults = {}, .warnings = {}};
    check_files(result.scene, root, reading, std::filesystem::path(source.file).parent_path(), report);
    const auto body_of = [](const Fault& fault) {
        return fault.path.substr(0, fault.path.find('.', fault.path.find('.') + 1));
    };
    for (const Fault& fault : report.faults) {
        const auto same = [&](const Fault& f) { return body_of(f) == body_of(fault) && f.message == fault.message; };
        if (std::none_of(result.faults.begin(), result.faults.end(), same))
            result.faults.push_back(fault);
    }
    result.unreadable = result.unreadable || report.unreadable;
}

/// Reads the tree; where bodies have copies, makes them and reads it again with these.
void read_tree(
    SceneNode& root, const std::vector<int>& overrides_of_copies, const SceneSource& source, SceneResult& result)
{
    Reading reading(source);
    resolve_expressions(root, reading);
    lift_resolution(root, reading);
    scene_kind().read(root, reading, result.scene);
    if (reading.faults().empty() && has_copies(result.scene) && make_copies(root, result.scene, reading)) {
        for (const int index : overrides_of_copies)
            apply_override(root, index, source, result.faults);
        resolve_expressions(root, reading); // of these overrides
        result.scene = Scene{.source = result.scene.source};
        scene_kind().read(root, reading, result.scene);
    }
    check_scene(result.scene, root, reading);
    result.faults.insert(result.faults.end(), reading.faults().begin(), reading.faults().end());
    result.warnings = reading.warnings();
    if (result.good() && has_rigid_spheres(result.scene))
        read_rigid_spheres(root, source, result);
    if (result.good())
        expand_expectations(result.scene);
    else
        add_faults_of_files(root, source, reading, result);
}

} // namespace

SceneResult read_scene_text(
    const std::string& text, const std::string& file_name, const std::vector<std::string>& overrides)
{
    SceneSource source{.file = file_name, .lines = split_lines(text), .overrides = overrides, .included = {}};
    SceneResult result;
    SceneNode root = parse_scene_tree(text, source, result.faults);
    if (result.good())
        include_files(root, source, result.faults, result.unreadable);
    const auto kept = std::make_shared<const SceneSource>(std::move(source));
    result.scene.source = kept;
    if (!result.good())
        return result;
    if (root.type == SceneNode::Type::null) {
        result.faults.push_back(
            make_fault(*kept, {}, "", "the file is empty; a scene holds stickslip, time and bodies"));
        return result;
    }
    const std::vector<int> later = apply_overrides(root, *kept, result.faults);
    read_tree(root, later, *kept, result);
    result.faults = in_order(std::move(result.faults), file_name);
    result.warnings = in_order(std::move(result.warnings), file_name);
    return result;
}

SceneResult read_scene(const std::string& path, const std::vector<std::string>& overrides)
{
    return read_scene_text(read_scene_file(path), path, overrides);
}

} // namespace stickslip
