#include "stickslip/scene/expand/overridden_copies.h"

#include "stickslip/scene/table/body_table.h"
#include "stickslip/scene/text/scene_overrides.h"
#include "stickslip/scene/text/scene_variables.h"

#include <algorithm>
#include <iterator>

namespace stickslip {

namespace {

/// What a copy says, as text: its own place, all else as the body says that it was made of.
SceneNode node_of(const BodySettings& copy, const SceneNode& body)
{
    SceneNode node = body;
    std::erase_if(node.entries, [](const SceneEntry& entry) { return entry.key == "copies"; });
    node.set("name", SceneNode::quote(copy.name), copy.name_at);
    const SourcePosition at = copy.placed_at();
    node.set("position", vector_node(at, {copy.position.x(), copy.position.y(), copy.position.z()}), at);
    if (const auto* turn = copy.rotation ? std::get_if<QuaternionRotation>(&*copy.rotation) : nullptr) {
        SceneNode rotation = SceneNode::map();
        const auto& [w, x, y, z] = turn->wxyz;
        rotation.add("quaternion", vector_node(copy.where, {w, x, y, z}));
        node.set("rotation", std::move(rotation), copy.where);
    }
    return node;
}

/// "brick[3]" of "bodies.brick[3].velocity".
std::string copy_name(const std::string& path)
{
    const std::vector<std::string> steps = split_path(path);
    return steps[1] + steps[2];
}

SceneNode& items_of_bodies(SceneNode& root)
{
    return std::ranges::find(root.entries, "bodies", &SceneEntry::key)->value;
}

} // namespace

void override_copies(
    Scene& scene, SceneTree& tree, const std::vector<int>& indices, Reading& reading, std::vector<Fault>& faults)
{
    SceneNode& items = items_of_bodies(tree.root);
    const std::size_t shared = items.items.size(); // nodes from here on are of single copies
    std::vector<std::size_t> own;
    for (const int index : indices) {
        const std::string& given = scene.source->overrides[index];
        const std::string path = given.substr(0, given.find('=')), name = copy_name(path);
        const auto copy = std::ranges::find(scene.bodies, name, &BodySettings::name);
        if (copy == scene.bodies.end()) {
            std::vector<std::string> names;
            std::ranges::transform(scene.bodies, std::back_inserter(names), &BodySettings::name);
            faults.push_back(make_fault(*scene.source, {0, 0, index}, path,
                "no body " + found_text(SceneNode::quote(name)) + did_you_mean(name, names)));
            continue;
        }
        const auto body = static_cast<std::size_t>(copy - scene.bodies.begin());
        if (tree.origin[body] < shared) {
            SceneNode node = node_of(*copy, items.items[tree.origin[body]]);
            items.items.push_back(std::move(node));
            tree.origin[body] = items.items.size() - 1;
            own.push_back(body);
        }
        apply_override(tree.root, index, *scene.source, faults);
    }
    if (own.empty())
        return;
    resolve_expressions(tree.root, reading, tree.expression_words); // of these overrides
    const KindPtr<BodySettings> kind = body_kind();
    for (const std::size_t body : own) {
        const Reading::Step bodies(reading, "bodies"), step(reading, "." + scene.bodies[body].name);
        BodySettings read;
        kind->read(items.items[tree.origin[body]], reading, read);
        if (read.copies)
            reading.fault(read.copies_at, reading.path() + ".copies", "a copy cannot have copies");
        scene.bodies[body] = std::move(read);
    }
}

} // namespace stickslip
