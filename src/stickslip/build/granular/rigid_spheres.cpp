#include "stickslip/build/granular/rigid_spheres.h"

#include "stickslip/build/body_surfaces.h"
#include "stickslip/build/granular/place_spheres.h"

#include <algorithm>

namespace stickslip {

namespace {

constexpr std::size_t most_bodies = 50000; // of a scene

SceneNode sphere_node(const SceneNode& set, const BodySettings& settings, const Placing& placing, std::size_t index)
{
    const SourcePosition at = placing_position(settings);
    SceneNode body = set;
    std::erase_if(body.entries, [](const SceneEntry& entry) {
        constexpr const char* of_sets[] = {"positions", "fill", "radius", "radii", "rotation"};
        return std::find(std::begin(of_sets), std::end(of_sets), entry.key) != std::end(of_sets);
    });
    body.set("name", SceneNode::quote(settings.name + "[" + std::to_string(index) + "]"), settings.name_at);
    body.set("kind", SceneNode::scalar("rigid"), at);
    SceneNode shape = SceneNode::map();
    shape.set("sphere", SceneNode::scalar(number_text(placing.radii[index])), at);
    body.set("shape", std::move(shape), at);
    const Frame frame = placed(settings);
    const auto set_vector = [&](const char* key, const Vec3& v) {
        body.set(key, vector_node(at, {v.x(), v.y(), v.z()}), at);
    };
    set_vector("position", frame.to_world(placing.places[index]));
    if (!placing.velocities.empty())
        set_vector("velocity", frame.R * placing.velocities[index]);
    if (!placing.spins.empty())
        set_vector("angular_velocity", frame.R * placing.spins[index]);
    return body;
}

bool is_spheres(const BodySettings& body)
{
    return body.kind == BodyKind::spheres;
}

} // namespace

bool has_rigid_spheres(const Scene& scene)
{
    return !scene.solver.is_explicit() && std::any_of(scene.bodies.begin(), scene.bodies.end(), is_spheres);
}

void expand_spheres(SceneNode& root, const Scene& scene, const std::filesystem::path& folder, BuildReport& report)
{
    const auto entry =
        std::find_if(root.entries.begin(), root.entries.end(), [](const SceneEntry& e) { return e.key == "bodies"; });
    BodySurfaces surfaces(folder, {});
    std::vector<SceneNode> bodies;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const BodySettings& settings = scene.bodies[i];
        SceneNode& node = entry->value.items[i];
        if (!is_spheres(settings)) {
            bodies.push_back(std::move(node));
            continue;
        }
        report.attempt(placing_position(settings), settings, placing_key(settings), [&] {
            const Placing placing = place_spheres(settings, folder, surfaces);
            if (bodies.size() + placing.places.size() > most_bodies)
                throw InputError("more than 50000 bodies in the scene; each sphere of an implicit run is one");
            for (std::size_t k = 0; k < placing.places.size(); ++k)
                bodies.push_back(sphere_node(node, settings, placing, k));
        });
    }
    entry->value.items = std::move(bodies);
}

} // namespace stickslip
