#include "stickslip/simulation/steering.h"

#include "stickslip/math/error.h"
#include "stickslip/simulation/simulation_parts.h"
#include "stickslip/world/reach.h"

#include <algorithm>

namespace stickslip {

namespace {

/// Sample points and stiffnesses are chosen for those that may meet by themselves.
void demand_reach(const SimulationParts& parts)
{
    const World& world = parts.built.world;
    const TimeSettings& time = parts.scene.time;
    const Reach own(world, parts.built.state.rigid, 0, std::max(time.step, time.largest_step()));
    const Reach all = Reach::everywhere(world);
    for (int b = 0; b < contact_bodies(world).count(); ++b)
        for (int a = 0; a < b; ++a)
            if (all.may_meet(a, b) && !own.may_meet(a, b))
                throw InputError("\"" + contact_body_name(world, a) + "\" and \"" + contact_body_name(world, b)
                    + "\" never meet by what the scene says, so that it was built without regard to it; bodies are "
                      "steered in a simulation with the option `steered`");
}

Unsteered as_built(const SimulationParts& parts)
{
    Unsteered scene;
    if (parts.spheres) {
        const GranularWorld& world = parts.spheres->system().world();
        for (const GranularBody& body : world.bodies)
            scene.loads.push_back({body.rigid.force, body.rigid.torque});
        for (const GranularWall& wall : world.walls)
            scene.scripts.emplace_back(wall.start, wall.motion);
        scene.exceptions = world.pair_exceptions;
        return scene;
    }
    const World& world = parts.built.world;
    for (const DeformableBody& body : world.deformables.bodies)
        scene.accelerations.push_back(body.acceleration);
    for (const RigidBody& body : world.rigids)
        scene.loads.push_back({body.force, body.torque});
    for (const Obstacle& obstacle : world.obstacles)
        scene.scripts.emplace_back(obstacle.start, obstacle.motion);
    scene.law = world.contact;
    return scene;
}

/// Where a rigid body is among Unsteered::loads.
std::size_t load_index(const SimulationParts& parts, int body)
{
    const int index = parts.built.bodies[body].index;
    return static_cast<std::size_t>(parts.spheres ? parts.built.granular->rigids[index].body : index);
}

bool is_deformable(const SimulationParts& parts, int body)
{
    return parts.built.bodies[body].kind == BodyKind::deformable;
}

/// What the scene says.
BodyLoad own_load(const SimulationParts& parts, int body)
{
    return is_deformable(parts, body) ? BodyLoad{Vec3::Zero(), Vec3::Zero()}
                                      : parts.unsteered->loads[load_index(parts, body)];
}

void set_script(SimulationParts& parts, std::size_t index, const Frame& start, const ScriptedMotion& motion)
{
    if (parts.spheres)
        return parts.spheres->system().set_script(index, start, motion);
    parts.built.world.obstacles[index].start = start;
    parts.built.world.obstacles[index].motion = motion;
}

/// A kind that no other body is of, with the same rules.
int own_kind(ContactLaw& law, int body)
{
    if (law.kinds.empty())
        return body;
    const int old = law.kinds[body];
    if (std::count(law.kinds.begin(), law.kinds.end(), old) == 1)
        return old;
    const int own = 1 + *std::max_element(law.kinds.begin(), law.kinds.end());
    const auto rules = law.rules;
    for (const auto& [pair, rule] : rules) {
        if (pair.first == old)
            law.rules[std::minmax(pair.second, own)] = rule;
        if (pair.second == old)
            law.rules[std::minmax(pair.first, own)] = rule;
        if (pair == std::pair(old, old))
            law.rules[{own, own}] = rule;
    }
    return law.kinds[body] = own;
}

/// Of a body among spheres: an entry of GranularWorld::materials.
int material_of(const SimulationParts& parts, int body)
{
    const BuiltGranular& granular = *parts.built.granular;
    const BodyHandle& handle = parts.built.bodies[body];
    if (handle.kind == BodyKind::spheres)
        return granular.sets[handle.index].material;
    if (handle.kind == BodyKind::obstacle)
        return granular.world.walls[handle.index].material;
    const GranularRigid& rigid = granular.rigids[handle.index];
    return rigid.wall >= 0 ? granular.world.walls[rigid.wall].material : granular.world.bodies[rigid.body].material;
}

/// Spheres have friction by materials.
void demand_own_material(const SimulationParts& parts, int body)
{
    for (int other = 0; other < static_cast<int>(parts.bodies.size()); ++other)
        if (other != body && material_of(parts, other) == material_of(parts, body))
            throw InputError("\"" + parts.bodies[body].name + "\" has the same material as \""
                + parts.bodies[other].name
                + "\", and friction goes by materials in an explicit simulation: expected a material of its own");
}

void keep_unsteered(SimulationParts& parts)
{
    if (!parts.unsteered)
        parts.unsteered = as_built(parts);
}

} // namespace

void begin_steering(SimulationParts& parts, bool moves)
{
    keep_unsteered(parts);
    parts.is_steered = true;
    if (!moves || parts.unsteered->reaches_all)
        return;
    if (!parts.options.steered && !parts.scene.start && parts.implicit)
        demand_reach(parts);
    parts.unsteered->reaches_all = true;
}

void apply_load(SimulationParts& parts, int body, const BodyLoad& load)
{
    World& world = parts.built.world;
    const int index = parts.built.bodies[body].index;
    if (is_deformable(parts, body)) {
        DeformableBody& soft = world.deformables.bodies[index];
        soft.acceleration = parts.unsteered->accelerations[index] + load.force / soft.mass;
    } else if (parts.spheres) {
        parts.spheres->system().set_load(load_index(parts, body), load.force, load.torque);
    } else {
        world.rigids[index].force = load.force;
        world.rigids[index].torque = load.torque;
    }
}

void apply_script(SimulationParts& parts, int body, const SteadyScript& script)
{
    ScriptedMotion motion;
    motion.velocity = script.velocity;
    motion.angular_velocity = script.angular_velocity;
    set_script(parts, static_cast<std::size_t>(parts.built.bodies[body].index), script.start, motion);
}

void apply_friction(SimulationParts& parts)
{
    if (parts.spheres) {
        std::vector<PairException> exceptions = parts.unsteered->exceptions;
        for (const auto& [pair, mu] : parts.controls.pair_friction) {
            demand_own_material(parts, pair.first);
            demand_own_material(parts, pair.second);
            exceptions.push_back(
                {.first = material_of(parts, pair.first), .second = material_of(parts, pair.second), .friction = mu});
        }
        return parts.spheres->system().set_pair_exceptions(exceptions);
    }
    ContactLaw law = parts.unsteered->law;
    law.friction = parts.controls.friction.value_or(law.friction);
    for (const auto& [pair, mu] : parts.controls.pair_friction) {
        const int a = own_kind(law, contact_body(parts.built.world, parts.built.bodies[pair.first]));
        const int b = own_kind(law, contact_body(parts.built.world, parts.built.bodies[pair.second]));
        law.rules[std::minmax(a, b)].friction = mu;
    }
    parts.built.world.contact = law;
}

void steer(SimulationParts& parts, const Controls& controls)
{
    if (parts.controls.empty() && controls.empty())
        return;
    keep_unsteered(parts);
    for (const auto& [body, load] : parts.controls.loads)
        apply_load(parts, body, own_load(parts, body));
    for (const auto& [body, script] : parts.controls.scripts) {
        const std::size_t index = static_cast<std::size_t>(parts.built.bodies[body].index);
        const auto& [start, motion] = parts.unsteered->scripts[index];
        set_script(parts, index, start, motion);
    }
    parts.controls = controls;
    for (const auto& [body, load] : controls.loads)
        apply_load(parts, body, load);
    for (const auto& [body, script] : controls.scripts)
        apply_script(parts, body, script);
    apply_friction(parts);
}

} // namespace stickslip
