#include "stickslip/dem/bodies/body_step.h"

#include "stickslip/math/parallel.h"

#include <cmath>

namespace stickslip {

namespace {

/// share |a| with the signs of v.
Vec3 opposing(double share, const Vec3& a, const Vec3& v)
{
    return {std::copysign(share * a[0], v[0]), std::copysign(share * a[1], v[1]), std::copysign(share * a[2], v[2])};
}

void set_acceleration(const RigidBody& body, BodyMotion& motion)
{
    const Mobility free = mobility(body, motion.rotation());
    const Vec3 w = free.inverse_inertia * motion.L;
    motion.acceleration.linear = free.inverse_mass.cwiseProduct(motion.rate.force);
    motion.acceleration.angular = free.inverse_inertia * (motion.rate.torque - w.cross(motion.L));
}

/// Takes off the rates what speeds the body up and adds to them what slows it down; work lost in a step [J].
double damp(const RigidBody& body, double share, double dt, BodyMotion& motion)
{
    const Mobility free = mobility(body, motion.rotation());
    const Vec3 v = motion.v + 0.5 * dt * free.inverse_mass.cwiseProduct(motion.rate.force);
    const Vec3 w = free.inverse_inertia * (motion.L + 0.5 * dt * motion.rate.torque);
    const Vec3 force = opposing(share, motion.rate.force, v), torque = opposing(share, motion.rate.torque, w);
    motion.rate.force -= force;
    motion.rate.torque -= torque;
    return dt * (force.dot(v) + torque.dot(w));
}

} // namespace

void set_rate(const GranularBody& body, const Vec3& gravity, const Load& contact, BodyMotion& motion)
{
    const RigidBody& rigid = body.rigid;
    motion.rate = contact;
    motion.rate += Load{rigid.mass * (gravity + rigid.acceleration) + rigid.force, rigid.torque};
    set_acceleration(rigid, motion);
}

BodyWork finish_step(const BodyStep& step, const std::vector<Load>& contact, std::vector<BodyMotion>& motions)
{
    const auto finish = [&](std::size_t b) {
        const RigidBody& rigid = step.bodies[b].rigid;
        BodyMotion& m = motions[b];
        BodyWork work;
        set_rate(step.bodies[b], step.gravity, contact[b], m);
        if (step.local_damping > 0 && !contact[b].force.isZero(0)) {
            work.local_damping = damp(rigid, step.local_damping, step.dt, m);
            set_acceleration(rigid, m);
        }
        kick(rigid, 0.5 * step.dt, m);
        m.w = angular_velocity(rigid, m);
        return work;
    };
    return ordered_sum(motions.size(), BodyWork{}, finish, 64);
}

BodyWork start_step(const BodyStep& step, std::vector<BodyMotion>& motions)
{
    const auto start = [&](std::size_t b) {
        const RigidBody& rigid = step.bodies[b].rigid;
        BodyMotion& m = motions[b];
        kick(rigid, 0.5 * step.dt, m);
        drift(rigid, step.dt, m);
        const Vec3 load = rigid.force + rigid.mass * rigid.acceleration;
        return BodyWork{.gravity = step.dt * rigid.mass * step.gravity.dot(m.v),
            .loads = step.dt * (load.dot(m.v) + rigid.torque.dot(m.w)),
            .finite = m.x.allFinite() && m.w.allFinite() && m.R.coeffs().allFinite()};
    };
    return ordered_sum(motions.size(), BodyWork{}, start, 64);
}

Load reaction(const GranularBody& body, const Vec3& gravity, const Load& contact, const BodyMotion& motion)
{
    const RigidBody& rigid = body.rigid;
    const Mat3 R = motion.rotation(), inertia = R * rigid.inertia * R.transpose();
    const Vec3 gyroscopic = motion.w.cross(inertia * motion.w);
    const Vec3 acceleration = mobility(rigid, R).inverse_inertia * (motion.rate.torque - gyroscopic);
    BodyMotion loaded = motion; // local damping, which is in motion.rate, does not load what is held
    set_rate(body, gravity, contact, loaded);
    Load holding{-loaded.rate.force, inertia * acceleration + gyroscopic - loaded.rate.torque};
    for (int axis = 0; axis < 3; ++axis) {
        if (!rigid.fixed[axis])
            holding.force[axis] = 0;
        if (!rigid.fixed[3 + axis])
            holding.torque[axis] = 0;
    }
    return holding;
}

} // namespace stickslip
