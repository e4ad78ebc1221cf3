#include "stickslip/dem/bodies/body_reaction.h"

#include "stickslip/dem/bodies/body_step.h"

namespace stickslip {

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
