#include "stickslip/math/error.h"
#include "stickslip/scene/table/number_kinds.h"
#include "stickslip/simulation/simulation.h"
#include "stickslip/simulation/simulation_parts.h"
#include "stickslip/world/diagnostics.h"

#include <algorithm>
#include <cmath>

/// What is changed of a Simulation between steps.
namespace stickslip {

namespace {

void demand(bool holds, const std::string& name, const std::string& expected)
{
    if (!holds)
        throw InputError("\"" + name + "\": expected " + expected);
}

/// As scenes do.
void demand_sensible(const BodyInfo& body, const Vec3& a, const Vec3& b)
{
    const auto is_sensible = [](double x) { return any_number().contains(x); };
    demand(std::all_of(a.begin(), a.end(), is_sensible) && std::all_of(b.begin(), b.end(), is_sensible), body.name,
        "numbers from -1e30 to 1e30");
}

void demand_coefficient(double mu)
{
    if (!(mu >= 0))
        throw InputError("expected a coefficient of friction >= 0, found " + std::to_string(mu));
}

void set_rigid_velocity(const BodyInfo& info, const RigidBody& body, const Vec3& v, const Vec3& w, RigidState& state)
{
    for (int axis = 0; axis < 3; ++axis)
        demand((!body.fixed[axis] || v[axis] == 0) && (!body.fixed[3 + axis] || w[axis] == 0), info.name,
            "no velocity along a motion that its fixed_dofs hold");
    state.v = v;
    state.w = w;
}

void set_node_velocities(const DeformableSet& set, int body, const Vec3& centre, const Vec3& v, const Vec3& w, State& s)
{
    const Range nodes = set.bodies[body].nodes;
    std::vector<bool> is_pinned(set.rest.size());
    for (const Pin& pin : set.pins)
        is_pinned[pin.node] = true;
    for (int i = nodes.begin; i < nodes.end; ++i)
        if (!is_pinned[i])
            s.v[i] = v + w.cross(s.x[i] - centre);
}

void set_sphere_velocities(
    SphereSystem& system, const SphereSet& set, int group, const BodyPose& pose, const Vec3& v, const Vec3& w)
{
    if (set.clump < 0)
        return system.set_group_velocity(group, v, w);
    for (std::size_t b = 0; b < system.state().bodies.size(); ++b)
        if (system.state().body_spheres[b].group == group)
            system.set_velocity(b, v + w.cross(system.state().bodies[b].x - pose.x), w);
}

/// The steady script that has a frame where it is at a time [s].
SteadyScript script_from(const Frame& now, double time, const Vec3& velocity, const Vec3& angular_velocity)
{
    const double rate = angular_velocity.norm();
    const Vec3 axis = rate > 0 ? Vec3(angular_velocity / rate) : Vec3(Vec3::UnitX());
    const Mat3 back = Eigen::AngleAxisd(-rate * time, axis).toRotationMatrix();
    return {{now.x - time * velocity, back * now.R}, velocity, angular_velocity};
}

void demand_contact(const SimulationParts& parts, int a, int b)
{
    if (parts.spheres)
        return;
    const World& world = parts.built.world;
    if (!world.contact.lets_meet(
            contact_body(world, parts.built.bodies[a]), contact_body(world, parts.built.bodies[b])))
        throw InputError("\"" + parts.bodies[a].name + "\" and \"" + parts.bodies[b].name
            + "\": expected two bodies that touch; the scene lets them pass through each other");
}

} // namespace

void Simulation::set_velocity(std::string_view name, const Vec3& v, const Vec3& w)
{
    const std::size_t index = parts_->body(name);
    const BodyInfo& info = parts_->bodies[index];
    const BodyHandle& handle = parts_->built.bodies[index];
    demand(info.kind != BodyKind::obstacle, info.name, "a body that moves by its own mass; of an obstacle: set_motion");
    demand(info.kind != BodyKind::mpm, info.name, "a body that is not of material points");
    demand_sensible(info, v, w);
    const BodyPose centre = pose(name);
    begin_steering(*parts_, true);
    if (parts_->implicit) {
        State& state = parts_->implicit->state();
        if (info.kind == BodyKind::rigid)
            set_rigid_velocity(info, parts_->built.world.rigids[handle.index], v, w, state.rigid[handle.index]);
        else
            set_node_velocities(parts_->built.world.deformables, handle.index, centre.x, v, w, state);
        return;
    }
    SphereSystem& system = parts_->spheres->system();
    if (info.kind == BodyKind::rigid)
        system.set_velocity(static_cast<std::size_t>(info.first), v, w);
    else
        set_sphere_velocities(system, parts_->built.granular->sets[handle.index], info.first, centre, v, w);
}

void Simulation::set_load(std::string_view name, const Vec3& force, const Vec3& torque)
{
    const std::size_t index = parts_->body(name);
    const BodyInfo& info = parts_->bodies[index];
    const bool is_soft = info.kind == BodyKind::deformable;
    demand(is_soft || info.kind == BodyKind::rigid, info.name,
        "a deformable body, or a rigid body without a motion: only these carry loads");
    demand_sensible(info, force, torque);
    demand(!is_soft || torque.isZero(0), info.name, "no torque on a deformable body, which carries forces alone");
    begin_steering(*parts_, true);
    const BodyLoad load{force, torque};
    parts_->controls.loads[static_cast<int>(index)] = load;
    apply_load(*parts_, static_cast<int>(index), load);
}

void Simulation::set_motion(std::string_view name, const Vec3& velocity, const Vec3& angular_velocity)
{
    const std::size_t index = parts_->body(name);
    const BodyInfo& info = parts_->bodies[index];
    demand(info.kind == BodyKind::obstacle, info.name,
        "an obstacle or a rigid body with a motion; of a body that moves by its own mass: set_velocity, set_load");
    demand_sensible(info, velocity, angular_velocity);
    begin_steering(*parts_, true);
    const BodyPose now = pose(name);
    const SteadyScript script = script_from({now.x, now.R.toRotationMatrix()}, time(), velocity, angular_velocity);
    parts_->controls.scripts[static_cast<int>(index)] = script;
    apply_script(*parts_, static_cast<int>(index), script);
}

void Simulation::set_friction(std::string_view first, std::string_view second, double mu)
{
    demand_coefficient(mu);
    const auto a = static_cast<int>(parts_->body(first)), b = static_cast<int>(parts_->body(second));
    demand_contact(*parts_, a, b);
    begin_steering(*parts_, false);
    const Controls before = parts_->controls;
    parts_->controls.pair_friction[std::minmax(a, b)] = mu;
    try {
        apply_friction(*parts_);
    } catch (const InputError&) {
        parts_->controls = before;
        throw;
    }
}

void Simulation::set_friction(double mu)
{
    demand_coefficient(mu);
    if (parts_->spheres)
        throw InputError("expected the names of two bodies: spheres have no common coefficient of friction, it goes by "
                         "materials");
    begin_steering(*parts_, false);
    parts_->controls.friction = mu;
    apply_friction(*parts_);
}

} // namespace stickslip
