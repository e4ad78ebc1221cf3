#include "stickslip/scene/scene_difference.h"

#include "stickslip/scene/table/scene_table.h"
#include "stickslip/scene/text/scene_tree.h"

#include <algorithm>

namespace stickslip {

namespace {

constexpr std::size_t longest_value = 60; // of those that are shown

/// A value below a node, and how its path goes on.
struct Below {
    std::string step;
    const SceneNode* value;
};

std::vector<Below> values_below(const SceneNode& node)
{
    std::vector<Below> below;
    for (const SceneEntry& entry : node.entries)
        below.push_back({"." + entry.key, &entry.value});
    if (node.is_list()) {
        const std::vector<std::string> steps = item_steps(node);
        for (std::size_t i = 0; i < node.items.size(); ++i)
            below.push_back({steps[i], &node.items[i]});
    }
    return below;
}

const SceneNode* find(const std::vector<Below>& below, const std::string& step)
{
    const auto at = std::find_if(below.begin(), below.end(), [&](const Below& b) { return b.step == step; });
    return at == below.end() ? nullptr : at->value;
}

/// A number, a word, or a short list of such.
bool is_single(const SceneNode& node)
{
    return !node.is_map()
        && std::none_of(node.items.begin(), node.items.end(), [](const SceneNode& n) { return !n.is_scalar(); })
        && emit_flow(node).size() <= longest_value;
}

std::string shown(const SceneNode& node)
{
    const std::string text = emit_flow(node);
    return text.size() <= longest_value ? text : text.substr(0, longest_value) + "...";
}

void compare(const SceneNode& was, const SceneNode& is, const std::string& path, std::vector<std::string>& found)
{
    if (emit_flow(was) == emit_flow(is))
        return;
    if (was.type != is.type || (is_single(was) && is_single(is))) {
        found.push_back("`" + path + "`: was " + shown(was) + ", is " + shown(is));
        return;
    }
    const auto path_of = [&](const Below& b) {
        return path.empty() && b.step.starts_with('.') ? b.step.substr(1) : path + b.step;
    };
    const std::vector<Below> before = values_below(was), now = values_below(is);
    const std::size_t found_above = found.size();
    for (const Below& b : before) {
        if (const SceneNode* other = find(now, b.step))
            compare(*b.value, *other, path_of(b), found);
        else
            found.push_back("`" + path_of(b) + "` was removed");
    }
    for (const Below& b : now)
        if (!find(before, b.step))
            found.push_back("`" + path_of(b) + "` was added");
    if (found.size() == found_above)
        found.push_back("`" + path + "`: the order is another");
}

SceneNode tree_of(const Scene& scene)
{
    return scene_kind().write(scene).value_or(SceneNode::map());
}

} // namespace

std::vector<std::string> scene_differences(const Scene& was, const Scene& is)
{
    std::vector<std::string> found;
    compare(tree_of(was), tree_of(is), "", found);
    return found;
}

} // namespace stickslip
