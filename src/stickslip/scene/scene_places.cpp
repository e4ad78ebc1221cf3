#include "stickslip/scene/scene_places.h"

#include <algorithm>

namespace stickslip {

namespace {

constexpr const char* bodies_key = "bodies";

std::vector<std::string> body_steps(const Scene& scene, const SceneTree& tree)
{
    if (tree.origin.empty()) {
        const SceneNode* const bodies = tree.root.find(bodies_key);
        return bodies ? item_steps(*bodies) : std::vector<std::string>();
    }
    std::vector<std::string> names;
    for (const BodySettings& body : scene.bodies)
        names.push_back(body.name);
    return item_steps(names);
}

} // namespace

ScenePlaces::ScenePlaces(const Scene& scene, const SceneTree& tree)
    : tree_(tree)
    , steps_(body_steps(scene, tree))
{
    for (std::size_t i = 0; i < steps_.size(); ++i)
        bodies_.emplace(steps_[i], i);
}

std::string ScenePlaces::body_path(std::size_t body) const
{
    return bodies_key + (body < steps_.size() ? steps_[body] : "");
}

SourcePosition ScenePlaces::locate(const std::string& path) const
{
    const std::size_t start = std::string(bodies_key).size();
    if (tree_.origin.empty() || !path.starts_with(bodies_key) || path.size() == start)
        return stickslip::locate(tree_.root, path);
    std::size_t end = std::min(path.find_first_of(".[", start + 1), path.size());
    if (end < path.size() && path[end] == '[') // a copy's index, or a step behind the body
        if (const std::size_t behind = path.find(']', end) + 1; bodies_.contains(path.substr(start, behind - start)))
            end = behind;
    const auto body = bodies_.find(path.substr(start, end - start));
    if (body == bodies_.end())
        return stickslip::locate(tree_.root, path);
    const std::string item = "[" + std::to_string(tree_.item_of(body->second)) + "]";
    return stickslip::locate(tree_.root, bodies_key + item + path.substr(end));
}

} // namespace stickslip
