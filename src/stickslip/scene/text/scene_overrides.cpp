#include "stickslip/scene/text/scene_overrides.h"

#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/scene_reading.h"

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

/// A path, and the value to put at its end.
struct Change {
    std::vector<std::string> steps;
    SceneNode value;
    SourcePosition at; // of the override
};

class Changer {
public:
    explicit Changer(const Change& change)
        : change_(change)
    {
    }

    /// Follows the path from step i on. "": done; otherwise why it leads nowhere.
    std::string put(SceneNode& node, std::size_t i, const std::string& parent) const
    {
        if (i == change_.steps.size()) {
            node = change_.value;
            return "";
        }
        if (node.is_list())
            return put_in_list(node, i, parent);
        if (node.type == SceneNode::Type::null) { // for example `solver:` with nothing behind it
            node = SceneNode::map();
            node.at = change_.at;
        }
        if (!node.is_map())
            return (parent.empty() ? "the scene" : "\"" + parent + "\"") + " is a single value and has no keys";
        return put_in_map(node, i, parent);
    }

private:
    std::string below(const std::string& parent, std::size_t i) const
    {
        return parent + (parent.empty() ? "" : ".") + change_.steps[i];
    }

    std::string put_in_list(SceneNode& node, std::size_t i, const std::string& parent) const
    {
        std::size_t last = i;
        const int item = find_item(node, change_.steps, last);
        if (item >= 0)
            return put(node.items[item], last + 1, below(parent, last));
        const bool indexed = i + 1 < change_.steps.size() && change_.steps[i + 1].starts_with('[');
        const std::string wanted = change_.steps[i] + (indexed ? change_.steps[i + 1] : "");
        std::string message = no_such(parent, wanted, item_names(node));
        if (indexed)
            return message;
        for (SceneNode& member : node.items) { // of a family
            const SceneNode* name = member.find("name");
            if (name && is_copy(name->text) && family_of(name->text) == change_.steps[i])
                message = put(member, i + 1, below(parent, i));
        }
        return message;
    }

    std::string put_in_map(SceneNode& node, std::size_t i, const std::string& parent) const
    {
        const std::string& step = change_.steps[i];
        const bool last = i + 1 == change_.steps.size();
        const auto same = [&](const SceneEntry& entry) { return entry.key == step; };
        auto entry = std::find_if(node.entries.begin(), node.entries.end(), same);
        if (entry == node.entries.end()) {
            if (parent == "materials" && !last) // half a material would only puzzle
                return no_such(parent, step, keys_of(node));
            if (parent == "variables") // which no expression of the scene uses
                return "no variable " + found_text(SceneNode::quote(step))
                    + (node.entries.empty() ? "; the scene has none" : meant_name(step, keys_of(node), "the scene"));
            node.entries.push_back({step, change_.at, {}});
            entry = node.entries.end() - 1;
            entry->value.at = change_.at;
        } else if (last) {
            entry->key_at = change_.at;
        }
        return put(entry->value, i + 1, below(parent, i));
    }

    const Change& change_;
};

/// Whether steps name a copy of a body that is still a template: bodies, brick, [3].
bool is_of_a_copy(const SceneNode& root, const std::vector<std::string>& steps)
{
    const SceneNode* bodies = root.find("bodies");
    if (!bodies || steps.size() < 3 || steps[0] != "bodies" || !steps[2].starts_with('['))
        return false;
    const int item = find_item(*bodies, steps[1]);
    return item >= 0 && bodies->items[item].find("copies");
}

} // namespace

void apply_override(SceneNode& root, int index, const SceneSource& source, std::vector<Fault>& faults)
{
    const std::string& given = source.overrides[index];
    const std::size_t equals = given.find('=');
    const std::string path = given.substr(0, equals);
    const auto fault = [&](const std::string& message) {
        faults.push_back(make_fault(source, {0, 0, index}, path, message));
    };
    const int key = column_of(path, path.find_last_of('.') + 1); // of the last one
    Change change{.steps = split_path(path), .value = {}, .at = {0, key, index}};
    const bool gap =
        std::any_of(change.steps.begin(), change.steps.end(), [](const std::string& step) { return step.empty(); });
    if (equals == std::string::npos || gap) {
        fault("expected path.to.key=value");
        return;
    }
    if (change.steps.front() == "include") {
        fault("the files to include are read before the overrides; name them in the scene");
        return;
    }
    const std::size_t before = faults.size();
    change.value = parse_override_value(given.substr(equals + 1), index, source, path, faults);
    if (faults.size() > before)
        return;
    if (const std::string message = Changer(change).put(root, 0, ""); !message.empty())
        fault(message);
}

std::vector<int> apply_overrides(SceneNode& root, const SceneSource& source, std::vector<Fault>& faults)
{
    std::vector<int> later;
    for (int i = 0; i < static_cast<int>(source.overrides.size()); ++i) {
        const std::string& given = source.overrides[i];
        if (is_of_a_copy(root, split_path(given.substr(0, given.find('=')))))
            later.push_back(i);
        else
            apply_override(root, i, source, faults);
    }
    return later;
}

} // namespace stickslip
