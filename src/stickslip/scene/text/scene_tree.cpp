#include "stickslip/scene/text/scene_tree.h"

#include "stickslip/scene/text/body_names.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

namespace stickslip {

SceneNode SceneNode::scalar(std::string plain)
{
    SceneNode node;
    node.type = Type::scalar;
    node.text = std::move(plain);
    return node;
}

SceneNode SceneNode::quote(std::string text)
{
    SceneNode node = scalar(std::move(text));
    node.quoted = true;
    return node;
}

SceneNode SceneNode::list()
{
    SceneNode node;
    node.type = Type::list;
    return node;
}

SceneNode SceneNode::map()
{
    SceneNode node;
    node.type = Type::map;
    return node;
}

const SceneNode* SceneNode::find(std::string_view key) const
{
    for (const SceneEntry& entry : entries)
        if (entry.key == key)
            return &entry.value;
    return nullptr;
}

void SceneNode::add(std::string key, SceneNode value)
{
    entries.push_back({std::move(key), {}, std::move(value)});
}

void SceneNode::set(const std::string& key, SceneNode value, const SourcePosition& where)
{
    value.at = where;
    for (SceneEntry& entry : entries)
        if (entry.key == key) {
            entry.value = std::move(value);
            return;
        }
    entries.push_back({key, where, std::move(value)});
}

SceneNode vector_node(const SourcePosition& at, std::initializer_list<double> values)
{
    SceneNode node = SceneNode::list();
    for (const double value : values) {
        node.items.push_back(SceneNode::scalar(number_text(value)));
        node.items.back().at = at;
    }
    return node;
}

std::string found_text(const SceneNode& node)
{
    switch (node.type) {
    case SceneNode::Type::null:
        return "nothing";
    case SceneNode::Type::list:
        return "a list";
    case SceneNode::Type::map:
        return "a mapping";
    case SceneNode::Type::scalar:
        break;
    }
    std::string text = node.text.size() > 60 ? node.text.substr(0, 57) + "..." : node.text;
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
    const bool number = !node.quoted && !text.empty() && text.find_first_not_of("+-.0123456789eE") == std::string::npos
        && text.find_first_of("0123456789") != std::string::npos;
    const bool word = !node.quoted && (text == "true" || text == "false" || text.ends_with(".inf"));
    return number || word ? text : '"' + text + '"';
}

namespace {

const SceneNode* name_of(const SceneNode& item)
{
    const SceneNode* name = item.is_map() ? item.find("name") : nullptr;
    return name && name->is_scalar() && !name->text.empty() ? name : nullptr;
}

} // namespace

int find_item(const SceneNode& list, std::string_view step)
{
    for (std::size_t i = 0; i < list.items.size(); ++i)
        if (const SceneNode* name = name_of(list.items[i]); name && name->text == step)
            return static_cast<int>(i);
    if (step.starts_with('[') && step.ends_with(']'))
        step = step.substr(1, step.size() - 2);
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
    const bool whole = error == std::errc() && end == step.data() + step.size() && !step.empty();
    return whole && index < list.items.size() ? static_cast<int>(index) : -1;
}

int find_item(const SceneNode& list, const std::vector<std::string>& steps, std::size_t& i)
{
    if (i + 1 < steps.size() && steps[i + 1].starts_with('['))
        if (const int index = find_item(list, steps[i] + steps[i + 1]); index >= 0) {
            ++i;
            return index;
        }
    return find_item(list, steps[i]);
}

bool gives_single_items(const SceneNode& node)
{
    return !node.entries.empty() && std::ranges::all_of(node.entries, [](const SceneEntry& entry) {
        return entry.key.starts_with('[') && entry.key_at.override_index >= 0;
    });
}

std::vector<std::string> item_steps(const SceneNode& list)
{
    std::vector<std::string> names;
    for (const SceneNode& item : list.items) {
        const SceneNode* name = name_of(item);
        names.push_back(name ? name->text : "");
    }
    return item_steps(names);
}

std::vector<std::string> item_steps(const std::vector<std::string>& names)
{
    std::unordered_map<std::string, int> uses;
    for (const std::string& name : names)
        ++uses[name];
    const auto addressable = [&](const std::string& name) {
        return !name.empty() && uses[name] == 1 && family_of(name).find_first_of("./[]") == std::string::npos
            && std::all_of(name.begin(), name.end(), [](unsigned char c) { return c >= 0x20 && c != 0x7F; });
    };
    std::vector<std::string> steps;
    for (std::size_t i = 0; i < names.size(); ++i)
        steps.push_back(addressable(names[i]) ? "." + names[i] : "[" + std::to_string(i) + "]");
    return steps;
}

std::vector<std::string> split_path(std::string_view path)
{
    std::vector<std::string> steps(1);
    for (const char c : path) {
        if (c == '.' || c == '[')
            steps.emplace_back();
        if (c != '.')
            steps.back() += c;
    }
    if (steps.front().empty() && steps.size() > 1)
        steps.erase(steps.begin());
    return steps;
}

SourcePosition locate(const SceneNode& root, std::string_view path)
{
    const SceneNode* node = &root;
    SourcePosition at = root.at;
    const std::vector<std::string> steps = split_path(path);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (node->is_list()) {
            const int index = find_item(*node, steps, i);
            if (index < 0)
                return at;
            node = &node->items[index];
            at = node->at;
            continue;
        }
        const auto entry = std::find_if(
            node->entries.begin(), node->entries.end(), [&](const SceneEntry& e) { return e.key == steps[i]; });
        if (entry == node->entries.end())
            return at;
        node = &entry->value;
        at = node->is_scalar() || node->is_list() ? node->at : entry->key_at;
    }
    return at;
}

} // namespace stickslip
