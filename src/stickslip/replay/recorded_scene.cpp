#include "stickslip/replay/recorded_scene.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_input.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/scene_tree.h"

#include <algorithm>
#include <utility>

namespace stickslip {

namespace {

constexpr std::pair<RecordedKind, const char*> kinds[] = {{RecordedKind::deformable, "deformable"},
    {RecordedKind::obstacle, "obstacle"}, {RecordedKind::rigid, "rigid"}, {RecordedKind::spheres, "spheres"},
    {RecordedKind::mpm, "mpm"}, {RecordedKind::unknown, "unknown"}};

/// The node at the end of a path of keys, or null.
const SceneNode* child(const SceneNode& node, std::initializer_list<std::string_view> path)
{
    const SceneNode* at = &node;
    for (const std::string_view key : path) {
        at = at && at->is_map() ? at->find(key) : nullptr;
        if (!at)
            return nullptr;
    }
    return at;
}

std::string text_of(const SceneNode* node)
{
    return node && node->is_scalar() ? node->text : std::string();
}

double number_of(const SceneNode* node)
{
    double value = nan;
    std::string text = text_of(node);
    if (text == ".inf" || text == "+.inf")
        return infinity;
    return parse_real(text, value) ? value : nan;
}

std::vector<RecordedBody> bodies_of(const SceneNode* list)
{
    std::vector<RecordedBody> bodies;
    if (!list || !list->is_list())
        return bodies;
    for (const SceneNode& item : list->items) {
        RecordedBody body{.name = text_of(child(item, {"name"}))};
        body.is_plane = child(item, {"shape", "plane"}) != nullptr;
        const std::string kind = text_of(child(item, {"kind"}));
        for (const auto& [known, word] : kinds)
            if (kind == word)
                body.kind = known;
        if (body.kind == RecordedKind::rigid)
            body.ball_radius = number_of(child(item, {"shape", "sphere"}));
        bodies.push_back(std::move(body));
    }
    return bodies;
}

void read_pairs(const SceneNode* list, RecordedScene& scene)
{
    if (!list || !list->is_list())
        return;
    for (const SceneNode& item : list->items) {
        const SceneNode* names = child(item, {"bodies"});
        const double friction = number_of(child(item, {"friction"}));
        if (!names || !names->is_list() || names->items.size() != 2 || std::isnan(friction))
            continue;
        scene.pairs.push_back({.bodies = {scene.find(text_of(&names->items[0])), scene.find(text_of(&names->items[1]))},
            .friction = friction});
    }
}

} // namespace

const char* to_string(RecordedKind kind)
{
    for (const auto& [known, word] : kinds)
        if (known == kind)
            return word;
    return "unknown";
}

int RecordedScene::find(std::string_view name) const
{
    const auto found =
        std::find_if(bodies.begin(), bodies.end(), [&](const RecordedBody& b) { return b.name == name; });
    return found == bodies.end() ? -1 : static_cast<int>(found - bodies.begin());
}

std::vector<std::string> RecordedScene::missing_in(const RecordedScene& other) const
{
    std::vector<std::string> missing;
    for (const RecordedBody& body : bodies) {
        if (other.find(body.name) >= 0)
            continue;
        const std::string family = family_of(body.name);
        const bool is_known =
            std::ranges::any_of(other.bodies, [&](const RecordedBody& one) { return names_body(family, one.name); });
        const std::string name = is_known ? body.name : family;
        if (missing.empty() || missing.back() != name)
            missing.push_back(name);
    }
    return missing;
}

RecordedScene read_recorded_scene(const std::filesystem::path& path)
{
    const std::string text = read_file(path);
    std::vector<Fault> faults;
    const SceneNode root =
        parse_scene_tree(text, {.file = path.string(), .lines = split_lines(text), .overrides = {}}, faults);
    if (!faults.empty())
        throw InputError(format(faults.front()));
    RecordedScene scene;
    scene.title = text_of(child(root, {"title"}));
    scene.is_explicit = text_of(child(root, {"solver", "integration"})) == "explicit";
    scene.bodies = bodies_of(child(root, {"bodies"}));
    scene.end = number_of(child(root, {"time", "end"}));
    scene.friction = number_of(child(root, {"contact", "friction"}));
    const SceneNode* gravity = child(root, {"gravity"});
    if (gravity && gravity->is_list() && gravity->items.size() == 3)
        for (int i = 0; i < 3; ++i)
            scene.gravity[i] = number_of(&gravity->items[i]);
    if (!scene.gravity.allFinite())
        scene.gravity.setZero();
    read_pairs(child(root, {"contact", "pairs"}), scene);
    return scene;
}

} // namespace stickslip
