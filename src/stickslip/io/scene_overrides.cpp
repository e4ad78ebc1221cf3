#include "stickslip/io/scene_overrides.h"

#include "stickslip/io/scene_reading.h"

#include <algorithm>

namespace stickslip {

namespace {

/// What an item of this list is called in messages.
std::string item_word(const std::string& list)
{
    return list == "bodies" ? "body" : list == "materials" ? "material" : "item";
}

std::string no_such(const std::string& list, const std::string& step, const std::vector<std::string>& names)
{
    return "no " + item_word(list) + " " + found_text(SceneNode::quote(step)) + did_you_mean(step, names);
}

std::vector<std::string> item_names(const SceneNode& list)
{
    std::vector<std::string> names;
    for (const SceneNode& item : list.items)
        if (const SceneNode* name = item.find("name"); name && name->is_scalar())
            names.push_back(name->text);
    return names;
}

std::vector<std::string> keys_of(const SceneNode& map)
{
    std::vector<std::string> keys;
    for (const SceneEntry& entry : map.entries)
        keys.push_back(entry.key);
    return keys;
}

/// One step down; null with a message when it leads nowhere.
SceneNode* descend(
    SceneNode& node, const std::string& parent, const std::string& step, bool last, int index, std::string& message)
{
    const SourcePosition at{0, 0, index};
    if (node.is_list()) {
        const int item = find_item(node, step);
        if (item < 0)
            message = no_such(parent, step, item_names(node));
        return item < 0 ? nullptr : &node.items[item];
    }
    if (node.type == SceneNode::Type::null) { // for example `solver:` with nothing behind it
        node = SceneNode::map();
        node.at = at;
    }
    if (!node.is_map()) {
        message = (parent.empty() ? "the scene" : "\"" + parent + "\"") + " holds one value, nothing below it";
        return nullptr;
    }
    const auto same = [&](const SceneEntry& entry) { return entry.key == step; };
    auto entry = std::find_if(node.entries.begin(), node.entries.end(), same);
    if (entry == node.entries.end()) {
        if (parent == "materials" && !last) { // half a material would only puzzle
            message = no_such(parent, step, keys_of(node));
            return nullptr;
        }
        node.entries.push_back({step, at, {}});
        node.entries.back().value.at = at;
        return &node.entries.back().value;
    }
    if (last)
        entry->key_at = at;
    return &entry->value;
}

void apply(SceneNode& root, int index, const SceneSource& source, std::vector<Fault>& faults)
{
    const std::string& given = source.overrides[index];
    const std::size_t equals = given.find('=');
    const std::string path = given.substr(0, equals);
    const auto fault = [&](const std::string& message) {
        faults.push_back(make_fault(source, {0, 0, index}, path, message));
    };
    const std::vector<std::string> steps = split_path(path);
    const bool gap = std::any_of(steps.begin(), steps.end(), [](const std::string& step) { return step.empty(); });
    if (equals == std::string::npos || gap) {
        fault("expected path.to.key=value");
        return;
    }
    const std::size_t before = faults.size();
    SceneNode value = parse_override_value(given.substr(equals + 1), index, source, path, faults);
    if (faults.size() > before)
        return;
    SceneNode* node = &root;
    std::string parent, message;
    for (std::size_t i = 0; i < steps.size() && node; ++i) {
        node = descend(*node, parent, steps[i], i + 1 == steps.size(), index, message);
        parent += (parent.empty() ? "" : ".") + steps[i];
    }
    if (node)
        *node = std::move(value);
    else
        fault(message);
}

} // namespace

void apply_overrides(SceneNode& root, const SceneSource& source, std::vector<Fault>& faults)
{
    for (std::size_t i = 0; i < source.overrides.size(); ++i)
        apply(root, static_cast<int>(i), source, faults);
}

} // namespace stickslip
