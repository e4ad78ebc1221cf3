#include "stickslip/world/diagnostics.h"

#include "stickslip/bodies/loads.h"
#include "stickslip/math/parallel.h"
#include "stickslip/math/state_hasher.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <cstdint>
#include <span>

namespace stickslip {

namespace {

// [N]
Vec3 particle_weight(const World& world, std::size_t p)
{
    const MpmBody& body = world.mpm.bodies[world.mpm.body_of_particle[p]];
    return world.mpm.mass[p] * (world.gravity + body.acceleration);
}

template <typename Value, typename Term>
Value sum_over_nodes(const World& world, const Value& zero, const Term& term)
{
    return ordered_sum(world.deformables.rest.size(), zero, term);
}

// Forces of one step at its end [N], and torques of rigid bodies [N m], kept apart; by block as contact counts them: of
// material points those that act at them from outside.
struct StepForces {
    std::vector<Vec3> weight, elastic, pressure, contact;

    StepForces(const World& world, const BackwardEuler& system)
    {
        const DeformableSet& set = world.deformables;
        const std::size_t nodes = set.rest.size();
        const std::size_t rigid_blocks = 2 * world.rigids.size();
        weight = elastic = pressure = contact =
            std::vector<Vec3>(nodes + rigid_blocks + world.mpm.particles(), Vec3::Zero());
        add_weight(set, world.gravity, std::span(weight).first(nodes));
        add_rigid_loads(world.rigids, world.gravity, std::span(weight).subspan(nodes, rigid_blocks));
        for (std::size_t p = 0; p < world.mpm.particles(); ++p)
            weight[nodes + rigid_blocks + p] = particle_weight(world, p);
        add_elastic_force(set, system.elastic(), std::span(elastic).first(nodes));
        if (has_pressure(set))
            add_pressure_force(set, system.positions(), std::span(pressure).first(nodes));
        system.contacts().add_force(contact);
    }

    Vec3 total(std::size_t i) const { return weight[i] + elastic[i] + pressure[i] + contact[i]; }
};

// By how much each block moved in the step: rigid bodies by their translation and dt omega.
std::vector<Vec3> step_motion(const BackwardEuler& system, const State& before, const State& after)
{
    std::vector<Vec3> moved;
    for (std::size_t i = 0; i < before.x.size(); ++i)
        moved.push_back(after.x[i] - before.x[i]);
    for (std::size_t b = 0; b < before.rigid.size(); ++b) {
        moved.push_back(after.rigid[b].x - before.rigid[b].x);
        moved.push_back(system.rigid().candidates()[b].theta);
    }
    for (std::size_t p = 0; p < before.mpm.x.size(); ++p)
        moved.push_back(after.mpm.x[p] - before.mpm.x[p]);
    return moved;
}

double kinetic_energy(const RigidBody& body, const RigidState& s)
{
    return 0.5 * body.mass * s.v.squaredNorm() + 0.5 * s.w.dot(spin_momentum(body, s));
}

// What backward Euler takes out of a rigid body's motion: the work of the forces is v.(m dv) + omega.dL.
double inertia_loss(const RigidBody& body, const RigidState& old, const RigidState& now)
{
    const double work =
        body.mass * now.v.dot(now.v - old.v) + now.w.dot(spin_momentum(body, now) - spin_momentum(body, old));
    return work - (kinetic_energy(body, now) - kinetic_energy(body, old));
}

// What the stress of material points does to their grid [J], and what is lost there.
double balance_grid(
    const World& world, const BackwardEuler& system, const State& before, const State& after, StepBalance& b)
{
    const GridEquations& grid = system.grid();
    if (grid.size() == 0)
        return 0;
    const GridStep& step = grid.step();
    const std::vector<Vec3>&old = step.velocity(), &now = grid.velocities();
    std::vector<Vec3> f(grid.size(), Vec3::Zero());
    step.add_force(f);
    b.inertia_loss += ordered_sum(
        grid.size(), 0.0, [&](std::size_t i) { return 0.5 * step.mass()[i] * (now[i] - old[i]).squaredNorm(); });
    b.transfer_loss = mpm_kinetic_energy(world.mpm, before.mpm) - step.kinetic_energy(old) + step.kinetic_energy(now)
        - mpm_kinetic_energy(world.mpm, after.mpm);
    b.plastic_loss = step.plastic_work();
    b.hardening_work = step.hardening_work();
    b.viscous_loss += step.viscous_loss();
    b.angular_backward_euler += ordered_sum(grid.size(), Vec3(Vec3::Zero()),
        [&](std::size_t i) { return Vec3(system.dt() * step.mass()[i] * (now[i] - old[i]).cross(now[i])); });
    return ordered_sum(grid.size(), 0.0, [&](std::size_t i) { return system.dt() * f[i].dot(now[i]); });
}

void balance_energy(const World& world, const BackwardEuler& system, const StepForces& f, const State& before,
    const State& after, StepBalance& b)
{
    const DeformableSet& set = world.deformables;
    const Energies old = energies(world, before), now = energies(world, after);
    const std::vector<Vec3> moved = step_motion(system, before, after);
    const std::size_t first_particle = moved.size() - world.mpm.particles();
    b.change = now.total() - old.total();
    const auto work = [&](const std::vector<Vec3>& force) {
        return ordered_sum(moved.size(), 0.0, [&](std::size_t i) { return force[i].dot(moved[i]); });
    };
    b.inertia_loss = sum_over_nodes(
        world, 0.0, [&](std::size_t i) { return 0.5 * set.mass[i] * (after.v[i] - before.v[i]).squaredNorm(); });
    double torques = 0;
    for (std::size_t r = 0; r < world.rigids.size(); ++r) {
        b.inertia_loss += inertia_loss(world.rigids[r], before.rigid[r], after.rigid[r]);
        torques += world.rigids[r].torque.dot(system.rigid().candidates()[r].theta);
    }
    b.viscous_loss = viscous_loss(set, after.x, before.x, system.dt());
    const double grid_work = balance_grid(world, system, before, after, b) + b.plastic_loss;
    const double conservative =
        grid_work + work(f.elastic) + b.viscous_loss + work(f.pressure) + work(f.weight) - torques;
    b.elastic_loss = -conservative - (now.elastic - b.hardening_work - old.elastic) - (now.potential - old.potential);
    b.geometric_loss = geometric_loss(set, after.x, before.x);
    double scripted = 0;
    system.contacts().for_each_contact([&](const Contact& c) {
        b.friction_loss += c.j.dot(c.at.slip);
        scripted -= c.j.dot(system.contacts().scripted_way(c));
    });
    b.stiffening_work = system.contacts().stiffening_work();
    const double contact_work = ordered_sum(moved.size(), 0.0, [&](std::size_t i) {
        const Vec3 thinned = i < first_particle
            ? Vec3(Vec3::Zero())
            : Vec3(after.mpm.thinned[i - first_particle] - before.mpm.thinned[i - first_particle]);
        return f.contact[i].dot(moved[i] + thinned);
    });
    b.contact_loss = scripted - contact_work - b.friction_loss - (now.contact - b.stiffening_work - old.contact);
    b.external_work = scripted + torques + sum_over_nodes(world, 0.0, [&](std::size_t i) {
        const Vec3 reaction = set.mass[i] / system.dt() * (after.v[i] - before.v[i]) - f.total(i);
        return system.is_pinned(i) ? reaction.dot(moved[i]) : 0.0;
    });
    b.energy_error = b.change - b.external_work - b.stiffening_work - b.hardening_work + b.inertia_loss + b.elastic_loss
        + b.viscous_loss + b.friction_loss + b.plastic_loss + b.transfer_loss + b.contact_loss;
}

void balance_momentum(const World& world, const BackwardEuler& system, const StepForces& f, const State& before,
    const State& after, StepBalance& b)
{
    const DeformableSet& set = world.deformables;
    const double dt = system.dt();
    const Vec3 zero = Vec3::Zero();
    const auto impulse = [&](std::size_t i) { // from outside: elastic forces have no sum and no torque
        if (system.is_pinned(i)) // whatever the pin needs
            return Vec3(set.mass[i] * (after.v[i] - before.v[i]) - dt * f.elastic[i]);
        return Vec3(dt * (f.weight[i] + f.pressure[i] + f.contact[i]));
    };
    const Momentum old = momentum(world, before), now = momentum(world, after);
    Vec3 impulses = sum_over_nodes(world, zero, impulse);
    Vec3 torque = sum_over_nodes(world, zero, [&](std::size_t i) { return Vec3(after.x[i].cross(impulse(i))); });
    b.angular_backward_euler += sum_over_nodes(world, zero,
        [&](std::size_t i) { return Vec3(dt * set.mass[i] * (after.v[i] - before.v[i]).cross(after.v[i])); });
    for (std::size_t r = 0; r < world.rigids.size(); ++r) {
        const RigidBody& body = world.rigids[r];
        const RigidState &from = before.rigid[r], &to = after.rigid[r];
        const std::size_t x = set.rest.size() + 2 * r;
        const Vec3 change = body.mass * (to.v - from.v), spin = spin_momentum(body, to) - spin_momentum(body, from);
        // what is held takes whatever it needs
        const auto held = [&](int block, const Vec3& needed, const Vec3& given) {
            const Vec3& free = system.rigid().free(static_cast<int>(2 * r) + block);
            return Vec3(free.cwiseProduct(given) + (Vec3::Ones() - free).cwiseProduct(needed));
        };
        const Vec3 push = held(0, change, dt * f.total(x));
        impulses += push;
        torque += to.x.cross(push) + held(1, spin, dt * f.total(x + 1));
        b.angular_backward_euler += dt * (to.v - from.v).cross(to.v) * body.mass;
    }
    const std::size_t first = set.rest.size() + 2 * world.rigids.size();
    for (std::size_t p = 0; p < world.mpm.particles(); ++p) {
        const Vec3 push = dt * f.total(first + p);
        impulses += push;
        torque += after.mpm.x[p].cross(push) + after.mpm.thinned[p].cross(dt * f.contact[first + p]);
    }
    b.momentum_error = now.linear - old.linear - impulses;
    b.angular_error = now.angular - old.angular - torque - b.angular_backward_euler;
}

Vec3 centre_of_mass(const DeformableSet& set, int body, const State& state)
{
    const Range nodes = set.bodies[body].nodes;
    Vec3 centre = Vec3::Zero();
    for (int i = nodes.begin; i < nodes.end; ++i)
        centre += set.mass[i] / set.bodies[body].mass * state.x[i];
    return centre;
}

// What pinned nodes and fixed degrees of freedom need beyond the forces on them. Pins ascend, body by body.
std::vector<Reaction> reactions(
    const World& world, const BackwardEuler& system, const StepForces& f, const State& before, const State& after)
{
    const DeformableSet& set = world.deformables;
    const int soft = static_cast<int>(set.bodies.size());
    std::vector<Reaction> all, regions;
    for (const PinFrame& frame : set.pin_frames)
        regions.push_back({.region = static_cast<int>(regions.size()),
            .x = frame_at(frame.motion, frame.start, before.time + system.dt()).x});
    for (const Pin& pin : set.pins) {
        const int i = pin.node, body = set.body_of_node[i];
        if (all.empty() || all.back().body != body)
            all.push_back({.body = body, .x = centre_of_mass(set, body, after)});
        regions[pin.frame].body = body;
        const Vec3 force = set.mass[i] / system.dt() * (after.v[i] - before.v[i]) - f.total(i);
        for (Reaction* const r : {&all.back(), &regions[pin.frame]}) {
            r->force += force;
            r->torque += (after.x[i] - r->x).cross(force);
        }
    }
    all.insert(all.end(), regions.begin(), regions.end());
    std::ranges::stable_sort(all, {}, &Reaction::body);
    for (int r = 0; r < static_cast<int>(world.rigids.size()); ++r) {
        const Vec3 held = Vec3::Ones() - system.rigid().free(2 * r),
                   kept = Vec3::Ones() - system.rigid().free(2 * r + 1);
        if (held.isZero() && kept.isZero())
            continue;
        const RigidBody& body = world.rigids[r];
        const RigidState &from = before.rigid[r], &to = after.rigid[r];
        const std::size_t x = set.rest.size() + 2 * static_cast<std::size_t>(r);
        const Vec3 spin = (spin_momentum(body, to) - spin_momentum(body, from)) / system.dt();
        all.push_back({.body = soft + r,
            .x = to.x,
            .force = held.cwiseProduct(body.mass / system.dt() * (to.v - from.v) - f.total(x)),
            .torque = kept.cwiseProduct(spin - f.total(x + 1))});
    }
    return all;
}

Mat3 best_rotation(const Mat3& covariance)
{
    return rotation_svd(covariance).U * rotation_svd(covariance).V.transpose();
}

} // namespace

Energies energies(const World& world, const State& state)
{
    const DeformableSet& set = world.deformables;
    Energies e;
    e.kinetic = sum_over_nodes(world, 0.0, [&](std::size_t i) { return 0.5 * set.mass[i] * state.v[i].squaredNorm(); });
    e.potential = -sum_over_nodes(world, 0.0, [&](std::size_t i) {
        return set.mass[i] * (world.gravity + set.bodies[set.body_of_node[i]].acceleration).dot(state.x[i]);
    });
    for (const DeformableBody& body : set.bodies)
        e.potential += pressure_energy(set, state.x, body);
    for (std::size_t r = 0; r < world.rigids.size(); ++r) {
        const RigidBody& body = world.rigids[r];
        e.kinetic += kinetic_energy(body, state.rigid[r]);
        e.potential -= (body.mass * (world.gravity + body.acceleration) + body.force).dot(state.rigid[r].x);
    }
    e.kinetic += mpm_kinetic_energy(world.mpm, state.mpm);
    e.potential -= ordered_sum(
        world.mpm.particles(), 0.0, [&](std::size_t p) { return particle_weight(world, p).dot(state.mpm.x[p]); });
    e.elastic =
        elastic_energy(set, state.x, {0, static_cast<int>(set.tets.size())}) + mpm_elastic_energy(world.mpm, state.mpm);
    for (const Attachment& a : state.attachments)
        e.contact += a.energy;
    return e;
}

Momentum momentum(const World& world, const State& state)
{
    const std::vector<double>& m = world.deformables.mass;
    const Vec3 zero = Vec3::Zero();
    Momentum p{sum_over_nodes(world, zero, [&](std::size_t i) { return Vec3(m[i] * state.v[i]); }),
        sum_over_nodes(world, zero, [&](std::size_t i) { return Vec3(m[i] * state.x[i].cross(state.v[i])); })};
    p.linear += mpm_linear_momentum(world.mpm, state.mpm);
    p.angular += mpm_angular_momentum(world.mpm, state.mpm);
    for (std::size_t r = 0; r < world.rigids.size(); ++r) {
        const Vec3 linear = world.rigids[r].mass * state.rigid[r].v;
        p.linear += linear;
        p.angular += state.rigid[r].x.cross(linear) + spin_momentum(world.rigids[r], state.rigid[r]);
    }
    return p;
}

StepBalance step_balance(const World& world, const BackwardEuler& system, const State& before, const State& after)
{
    StepBalance b;
    const StepForces f(world, system);
    balance_energy(world, system, f, before, after, b);
    balance_momentum(world, system, f, before, after, b);
    b.reactions = reactions(world, system, f, before, after);
    return b;
}

BodyPose rigid_pose(const State& state, int rigid)
{
    const RigidState& r = state.rigid[rigid];
    return {r.x, r.R, r.v, r.w};
}

BodyPose body_pose(const World& world, const State& state, int body)
{
    const DeformableSet& set = world.deformables;
    const DeformableBody& b = set.bodies[body];
    BodyPose pose;
    Vec3 rest_centre = Vec3::Zero();
    for (int i = b.nodes.begin; i < b.nodes.end; ++i) {
        const double share = set.mass[i] / b.mass;
        pose.x += share * state.x[i];
        pose.v += share * state.v[i];
        rest_centre += share * set.rest[i];
    }
    Mat3 covariance = Mat3::Zero(), inertia = Mat3::Zero();
    Vec3 spin = Vec3::Zero();
    for (int i = b.nodes.begin; i < b.nodes.end; ++i) {
        const Vec3 r = state.x[i] - pose.x;
        covariance += set.mass[i] * r * (set.rest[i] - rest_centre).transpose();
        inertia += set.mass[i] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
        spin += set.mass[i] * r.cross(state.v[i] - pose.v);
    }
    pose.R = Quat(best_rotation(covariance)).normalized();
    pose.w = inertia.ldlt().solve(spin);
    return pose;
}

BodyPose mpm_pose(const World& world, const State& state, int body)
{
    const MpmSet& set = world.mpm;
    const MpmState& s = state.mpm;
    const Range particles = set.bodies[body].particles;
    BodyPose pose;
    for (int p = particles.begin; p < particles.end; ++p) {
        const double share = set.mass[p] / set.bodies[body].mass;
        pose.x += share * s.x[p];
        pose.v += share * s.v[p];
    }
    Mat3 inertia = Mat3::Zero();
    Vec3 spin = Vec3::Zero();
    for (int p = particles.begin; p < particles.end; ++p) {
        const Vec3 r = s.x[p] - pose.x;
        inertia += set.mass[p] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
        spin += set.mass[p] * r.cross(s.v[p] - pose.v);
    }
    pose.w = inertia.completeOrthogonalDecomposition().solve(spin); // of few particles singular
    return pose;
}

double energy_in_play(const Energies& before, const Energies& after, const StepBalance& balance)
{
    return before.kinetic + before.elastic + before.contact + std::abs(after.potential - before.potential)
        + std::abs(balance.external_work);
}

std::string state_hash(const State& state)
{
    StateHasher hash;
    hash.add(state.time);
    for (const Vec3& x : state.x)
        hash.add(x);
    for (const Vec3& v : state.v)
        hash.add(v);
    for (const RigidState& r : state.rigid) {
        hash.add(r.x);
        hash.add(r.v);
        hash.add(r.w);
        hash.add(r.R);
    }
    for (std::size_t p = 0; p < state.mpm.x.size(); ++p) {
        hash.add(state.mpm.x[p]);
        hash.add(state.mpm.v[p]);
        hash.add(state.mpm.a[p]);
        hash.add(state.mpm.thinned[p]);
        for (int column = 0; column < 3; ++column) {
            hash.add(Vec3(state.mpm.C[p].col(column)));
            hash.add(Vec3(state.mpm.point[p].F.col(column)));
        }
        hash.add(state.mpm.point[p].plastic);
    }
    for (const Attachment& t : state.attachments) {
        const AttachmentNumbers at = numbers(t.to);
        for (const int value : {t.point_body, t.surface_body, t.point, at.piece, t.slot})
            hash.add(static_cast<std::uint64_t>(value));
        hash.add(at.place);
        hash.add(at.angle);
        hash.add(at.n);
        hash.add(t.stiffness_scale);
        hash.add(t.energy);
    }
    return hash.text();
}

} // namespace stickslip
