#include "stickslip/simulation/body_poses.h"

#include <Eigen/LU>

namespace stickslip {

namespace {

BodyPose pose_of_set(const SphereSystem& system, int set)
{
    std::vector<MovingPart> members = system.moving_parts();
    std::erase_if(members, [&](const MovingPart& part) { return part.group != set; });
    for (MovingPart& part : members) // clumps go on without end, spheres until the next list
        part.x = system.world().box.wrapped(part.x);
    if (members.empty())
        return {.x = Vec3::Constant(nan), .R = Quat::Identity(), .v = Vec3::Constant(nan), .w = Vec3::Constant(nan)};
    BodyPose pose;
    double mass = 0;
    for (const MovingPart& part : members) {
        mass += part.mass;
        pose.x += part.mass * part.x;
        pose.v += part.mass * part.v;
    }
    pose.x /= mass;
    pose.v /= mass;
    Mat3 inertia = Mat3::Zero();
    Vec3 spin = Vec3::Zero();
    for (const MovingPart& part : members) {
        const Vec3 r = part.x - pose.x;
        inertia += part.inertia + part.mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
        spin += part.spin + part.mass * r.cross(part.v - pose.v);
    }
    pose.w = inertia.inverse() * spin;
    return pose;
}

} // namespace

BodyPose pose_of(const BuiltWorld& built, const State& state, std::size_t body)
{
    const BodyHandle& handle = built.bodies[body];
    if (handle.kind == BodyKind::deformable)
        return body_pose(built.world, state, handle.index);
    if (handle.kind == BodyKind::rigid)
        return rigid_pose(state, handle.index);
    if (handle.kind == BodyKind::mpm)
        return mpm_pose(built.world, state, handle.index);
    const Obstacle& o = built.world.obstacles[handle.index];
    const Frame frame = frame_at(o.motion, o.start, state.time);
    const FrameVelocity velocity = velocity_at(o.motion, state.time);
    return {.x = frame.x, .R = Quat(frame.R), .v = velocity.v, .w = velocity.w};
}

Vec3 contact_force_on(const BuiltWorld& built, const BackwardEuler& system, std::size_t body)
{
    const int id = contact_body(built.world, built.bodies[body]);
    Vec3 force = Vec3::Zero();
    system.contacts().for_each_contact([&](const Contact& c) {
        if (c.point_body == id)
            force -= c.j;
        if (c.surface_body == id)
            force += c.j;
    });
    return force;
}

BodyPose pose_of(const BuiltWorld& built, const SphereSystem& system, std::size_t body)
{
    const BodyHandle& handle = built.bodies[body];
    if (handle.kind == BodyKind::spheres)
        return pose_of_set(system, handle.index);
    if (handle.kind == BodyKind::rigid) {
        const BodyMotion& m = system.state().bodies[built.granular->rigids[handle.index].body];
        return {.x = system.world().box.wrapped(m.x), .R = m.R, .v = m.v, .w = m.w};
    }
    const GranularWall& wall = system.world().walls[handle.index];
    const double time = system.state().time;
    const Frame frame = frame_at(wall.motion, wall.start, time);
    const FrameVelocity velocity = velocity_at(wall.motion, time);
    return {.x = frame.x, .R = Quat(frame.R), .v = velocity.v, .w = velocity.w};
}

Vec3 contact_force_on(const BuiltWorld& built, const SphereSystem& system, std::size_t body)
{
    const BodyHandle& handle = built.bodies[body];
    return handle.kind == BodyKind::rigid ? system.state().body_load[built.granular->rigids[handle.index].body].force
                                          : system.state().wall_load[handle.index].force;
}

} // namespace stickslip
