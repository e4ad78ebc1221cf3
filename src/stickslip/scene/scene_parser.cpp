#include "stickslip/scene/scene_parser.h"

#include "stickslip/scene/checks/scene_checks.h"
#include "stickslip/scene/expand/copies.h"
#include "stickslip/scene/expand/overridden_copies.h"
#include "stickslip/scene/table/scene_table.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/scene_include.h"
#include "stickslip/scene/text/scene_overrides.h"
#include "stickslip/scene/text/scene_variables.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace stickslip {

namespace {

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

/// How many bodies the scene will hold; more are refused before any is made.
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

/// Records why that cannot be.
bool make_copies(ParsedScene& parsed)
{
    Reading& reading = *parsed.reading;
    if (!few_enough(parsed.scene, reading))
        return false;
    check_copies(parsed.scene, parsed.tree, reading);
    if (reading.faults().empty())
        expand_copies(
            parsed.scene, parsed.tree, std::filesystem::path(parsed.scene.source->file).parent_path(), reading);
    return reading.faults().empty();
}

void read_tree(const std::vector<int>& overrides_of_copies, ParsedScene& parsed)
{
    const SceneSource& source = *parsed.scene.source;
    Reading& reading = parsed.reading.emplace(source);
    resolve_expressions(parsed.tree.root, reading, parsed.tree.expression_words);
    lift_resolution(parsed.tree.root, reading);
    scene_kind().read(parsed.tree.root, reading, parsed.scene);
    if (reading.faults().empty() && has_copies(parsed.scene) && make_copies(parsed))
        override_copies(parsed.scene, parsed.tree, overrides_of_copies, reading, parsed.faults);
    check_scene(parsed.scene, parsed.tree, reading);
    parsed.faults.insert(parsed.faults.end(), reading.faults().begin(), reading.faults().end());
    parsed.warnings = reading.warnings();
}

} // namespace

ParsedScene parse_scene(
    const std::string& text, const std::string& file_name, const std::vector<std::string>& overrides)
{
    SceneSource source{.file = file_name, .lines = split_lines(text), .overrides = overrides, .included = {}};
    ParsedScene parsed;
    parsed.tree.root = parse_scene_tree(text, source, parsed.faults);
    if (parsed.good())
        include_files(parsed.tree.root, source, parsed.faults, parsed.unreadable);
    const auto kept = std::make_shared<const SceneSource>(std::move(source));
    parsed.scene.source = kept;
    if (!parsed.good())
        return parsed;
    if (parsed.tree.root.type == SceneNode::Type::null) {
        parsed.faults.push_back(
            make_fault(*kept, {}, "", "the file is empty; a scene needs stickslip, time and bodies"));
        return parsed;
    }
    if (!overrides.empty())
        parsed.tree.words_before_overrides = words_of_expressions(parsed.tree.root);
    const std::vector<int> later = apply_overrides(parsed.tree.root, *kept, parsed.faults);
    read_tree(later, parsed);
    return parsed;
}

void check_settings(ParsedScene& parsed)
{
    Reading& reading = parsed.reading.emplace(*parsed.scene.source);
    check_scene(parsed.scene, parsed.tree, reading);
    parsed.faults = reading.faults();
    parsed.warnings = reading.warnings();
}

} // namespace stickslip
