#include "stickslip/dem/sphere_system.h"

#include "stickslip/math/check.h"

/// What is changed of a SphereSystem between steps.
namespace stickslip {

void SphereSystem::set_velocity(std::size_t b, const Vec3& v, const Vec3& w)
{
    const double before = ledger().stored();
    const RigidBody& rigid = world_.bodies[b].rigid;
    BodyMotion& motion = state_.bodies[b];
    const Mat3 R = motion.rotation();
    motion.v = v;
    motion.L = R * rigid.inertia * R.transpose() * w;
    for (int axis = 0; axis < 3; ++axis) {
        if (rigid.fixed[axis])
            motion.v[axis] = 0;
        if (rigid.fixed[3 + axis])
            motion.L[axis] = 0;
    }
    motion.w = angular_velocity(rigid, motion);
    place_spheres(clumps_, b, motion, R, state_.spheres);
    state_.first_energy += ledger().stored() - before;
}

void SphereSystem::set_group_velocity(int group, const Vec3& v, const Vec3& w)
{
    const double before = ledger().stored();
    Spheres& all = state_.spheres;
    const auto is_meant = [&](std::size_t i) { return all.group[i] == group && !clumps_.holds(i); };
    Vec3 centre = Vec3::Zero();
    double mass = 0;
    for (const int i : slots()) { // in the order of ids
        if (i < 0 || !is_meant(static_cast<std::size_t>(i)))
            continue;
        centre += all.place[i].x / all.motion[i].inverse_mass;
        mass += 1 / all.motion[i].inverse_mass;
    }
    centre /= mass;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!is_meant(i))
            continue;
        all.motion[i].v = v + w.cross(all.place[i].x - centre);
        all.motion[i].w = w;
    }
    state_.first_energy += ledger().stored() - before;
}

/// The rates of now, which begin the next step, change with the load.
void SphereSystem::set_load(std::size_t b, const Vec3& force, const Vec3& torque)
{
    RigidBody& rigid = world_.bodies[b].rigid;
    rigid.force = force;
    rigid.torque = torque;
    set_rate(world_.bodies[b], world_.gravity, state_.body_load[b], state_.bodies[b]);
    accelerate_spheres(clumps_, b, state_.bodies[b], state_.spheres);
}

void SphereSystem::set_script(std::size_t wall, const Frame& start, const ScriptedMotion& motion)
{
    STICKSLIP_ASSERT(world_.walls[wall].body < 0);
    world_.walls[wall].start = start;
    world_.walls[wall].motion = motion;
}

void SphereSystem::set_pair_exceptions(const std::vector<PairException>& exceptions)
{
    world_.pair_exceptions = exceptions;
    laws_ = pair_laws(world_);
}

} // namespace stickslip
