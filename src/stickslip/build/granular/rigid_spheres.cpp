#include "stickslip/build/granular/rigid_spheres.h"

#include "stickslip/build/body_surfaces.h"
#include "stickslip/build/granular/place_spheres.h"

#include <algorithm>

namespace stickslip {

namespace {

constexpr std::size_t most_bodies = 50000; // of a scene

BodySettings sphere_of(const BodySettings& set, const Placing& placing, std::size_t index)
{
    const SourcePosition at = placing_position(set);
    const Frame frame = placed(set);
    BodySettings body = set;
    body.name = set.name + "[" + std::to_string(index) + "]";
    body.kind = BodyKind::rigid;
    body.shape = Sphere{placing.radii[index]};
    body.shape_at = at;
    body.position = frame.to_world(placing.places[index]);
    body.position_at = at;
    if (!placing.velocities.empty())
        body.velocity = frame.R * placing.velocities[index];
    if (!placing.spins.empty())
        body.angular_velocity = frame.R * placing.spins[index];
    body.rotation.reset();
    body.positions.reset();
    body.fill.reset();
    body.radius.reset();
    body.radii.clear();
    body.positions_at = body.fill_at = {};
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

void expand_spheres(Scene& scene, SceneTree& tree, const std::filesystem::path& folder, BuildReport& report)
{
    BodySurfaces surfaces(folder, {});
    std::vector<BodySettings> bodies;
    std::vector<std::size_t> origin;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const BodySettings& set = scene.bodies[i];
        if (!is_spheres(set)) {
            bodies.push_back(set);
        } else {
            report.attempt(placing_position(set), set, placing_key(set), [&] {
                const Placing placing = place_spheres(set, folder, surfaces);
                if (bodies.size() + placing.places.size() > most_bodies)
                    throw InputError("more than 50000 bodies in the scene; each sphere of an implicit run is one");
                for (std::size_t k = 0; k < placing.places.size(); ++k)
                    bodies.push_back(sphere_of(set, placing, k));
            });
        }
        origin.resize(bodies.size(), tree.item_of(i));
    }
    if (!report.good())
        return;
    scene.bodies = std::move(bodies);
    tree.origin = std::move(origin);
}

} // namespace stickslip
