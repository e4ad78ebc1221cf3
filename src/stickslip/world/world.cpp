#include "stickslip/world/world.h"

#include "stickslip/math/error.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// Penetration allowed at rest, as a fraction of the element size, and stiffness relative to that of one layer of
// elements.
constexpr double allowed_penetration = 0.01, relative_stiffness = 10;

// Penalty [N/m^3] of a body in `box` of `mass` under `load` [m/s^2], Young's modulus E, layers of size h.
double penalty(double young, double h, double mass, double load, const Bounds& box)
{
    const Vec3 size = box.max - box.min;
    const double side = size.prod() / size.maxCoeff();
    const double pressure = side > 0 ? mass * load / side : 0; // of one particle: none
    return std::max(relative_stiffness * young, pressure / allowed_penetration) / h;
}

void check_material_points(const World& world, const MpmState& state)
{
    const std::size_t count = world.mpm.particles();
    for (const std::size_t found :
        {state.x.size(), state.v.size(), state.C.size(), state.a.size(), state.point.size(), state.thinned.size()})
        if (found != count)
            throw InputError(
                "state: expected " + std::to_string(count) + " material points, found " + std::to_string(found));
    for (std::size_t p = 0; p < count; ++p)
        if (!state.x[p].allFinite() || !state.v[p].allFinite() || !state.C[p].allFinite()
            || !state.point[p].F.allFinite() || !state.thinned[p].allFinite())
            throw InputError("state: expected finite numbers, found others at material point " + std::to_string(p));
}

std::vector<Vec3> joined(std::vector<Vec3> a, const std::vector<Vec3>& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

} // namespace

State initial_state(
    const World& world, std::vector<Vec3> x, std::vector<Vec3> v, std::vector<RigidState> rigid, MpmState mpm)
{
    State state;
    state.x = std::move(x);
    state.v = std::move(v);
    state.rigid = std::move(rigid);
    state.mpm = std::move(mpm);
    state.a.assign(state.v.size(), world.gravity); // nothing has moved yet: what falls freely is guessed right
    check(world, state);
    return state;
}

void check(const World& world, const State& state)
{
    const DeformableSet& set = world.deformables;
    if (state.x.size() != set.rest.size() || state.v.size() != set.rest.size() || state.a.size() != set.rest.size())
        throw InputError("state: expected " + std::to_string(set.rest.size()) + " nodes, found "
            + std::to_string(state.x.size()) + " positions and " + std::to_string(state.v.size()) + " velocities");
    for (std::size_t i = 0; i < state.x.size(); ++i)
        if (!state.x[i].allFinite() || !state.v[i].allFinite())
            throw InputError(
                "state: expected finite positions and velocities, found others at node " + std::to_string(i));
    for (std::size_t i = 0; i < set.mass.size(); ++i)
        if (!(set.mass[i] > 0))
            throw InputError("state: expected a mass > 0 at every node, found " + std::to_string(set.mass[i])
                + " at node " + std::to_string(i));
    if (state.rigid.size() != world.rigids.size())
        throw InputError("state: expected " + std::to_string(world.rigids.size()) + " rigid bodies, found "
            + std::to_string(state.rigid.size()));
    for (std::size_t b = 0; b < state.rigid.size(); ++b) {
        const RigidState& r = state.rigid[b];
        if (!r.x.allFinite() || !r.v.allFinite() || !r.w.allFinite() || !(std::abs(r.R.norm() - 1) < 1e-9))
            throw InputError("state: expected a finite position, velocity and unit rotation of the rigid body "
                + world.rigids[b].name);
        if (!(world.rigids[b].mass > 0) || !(world.rigids[b].inertia.ldlt().vectorD().minCoeff() > 0))
            throw InputError(
                "state: expected a mass > 0 and a positive inertia of the rigid body " + world.rigids[b].name);
    }
    check_material_points(world, state.mpm);
    if (!std::is_sorted(state.attachments.begin(), state.attachments.end()))
        throw InputError("state: expected attachments in order");
}

double automatic_contact_stiffness(const World& world, int body, std::span<const Vec3> x)
{
    const DeformableSet& set = world.deformables;
    const DeformableBody& b = set.bodies[body];
    Bounds box;
    for (int i = b.nodes.begin; i < b.nodes.end; ++i)
        box.add(x[i]);
    const double young = young_modulus(set.materials[set.material_of_tet[b.tets.begin]]);
    return penalty(young, b.element_size, b.mass, (world.gravity + b.acceleration).norm(), box);
}

double automatic_mpm_stiffness(const World& world, int body, std::span<const Vec3> x)
{
    const MpmBody& b = world.mpm.bodies[body];
    Bounds box;
    for (int p = b.particles.begin; p < b.particles.end; ++p)
        box.add(x[p]);
    return penalty(stiffness_of(world.mpm.materials[b.material]), world.mpm.grid, b.mass,
        (world.gravity + b.acceleration).norm(), box);
}

std::vector<Vec3> point_places(const State& state)
{
    std::vector<Vec3> places = joined(state.x, state.mpm.x);
    for (std::size_t p = 0; p < state.mpm.x.size(); ++p)
        places[state.x.size() + p] += state.mpm.thinned[p];
    return places;
}

std::vector<Vec3> point_velocities(const State& state)
{
    return joined(state.v, state.mpm.v);
}

ContactBodies contact_bodies(const World& world)
{
    return {&world.deformables, &world.rigids, &world.obstacles, &world.contact, world.relaxation, world.gravity,
        &world.mpm};
}

double automatic_rigid_stiffness(double mass, double heaviest, double dt)
{
    return 20 * std::max(mass, 0.1 * heaviest) / (dt * dt);
}

double automatic_rigid_stiffness(const World& world, int rigid, double dt)
{
    double heaviest = 0;
    for (const RigidBody& body : world.rigids)
        heaviest = std::max(heaviest, body.mass);
    return automatic_rigid_stiffness(world.rigids[rigid].mass, heaviest, dt);
}

} // namespace stickslip
