#include "stickslip/contact/points/rolling_contact.h"

namespace stickslip {

void set_ends(PoseContact& contact, const Frame& to, const PoseVec& Z, const PoseVec& Y, const Vec3& place)
{
    const auto to_world = [&](const Mat3& D) { return Mat3(to.R * D * to.R.transpose()); };
    contact.place = place;
    contact.Z = to.to_world(Z.v);
    contact.Y = to.to_world(Y.v);
    contact.dZ_dplace = to_world(Z.by(0));
    contact.dY_dplace = to_world(Y.by(0));
    contact.dZ_dturn = to_world(Z.by(1));
    contact.dY_dturn = to_world(Y.by(1));
}

PoseContact rolling_contact(const SurfaceMotionInStep& motion, const BallAtSurface<6>& ball,
    const RelaxedBall<6>& relaxed, const PoseVec& Y, const Vec3& place)
{
    const Frame& frame = motion.frame;
    const Vec3 &n = ball.n.v, belt = motion.dt * motion.surface_velocity;
    PoseContact contact;
    set_ends(contact, frame, relaxed.Z, Y, place);
    contact.sticks = relaxed.sticks;
    contact.to = RollingOnSolid{-1, relaxed.offset};
    contact.slip = frame.R * relaxed.slid;
    contact.belt = frame.R * (relaxed.after_touch * (belt - n.dot(belt) * n));
    contact.depth = ball.radius - ball.distance.v;
    contact.n = frame.R * n;
    contact.damped = frame.R * (relaxed.Z.v - relaxed.P.v);
    return contact;
}

PoseContact round_contact(
    const SurfaceMotionInStep& motion, const BallAtSurface<6>& ball, const Vec3& c, const Vec3& phi, double mu)
{
    const RelaxedBall<6> relaxed = relax_ball(ball, mu, motion.damping_share());
    PoseContact contact = rolling_contact(motion, ball, relaxed, relaxed.K + (relaxed.Z - relaxed.P), c);
    contact.turn = PoseContact::Turn::rotation_vectors;
    contact.phi = phi;
    return contact;
}

void carry_by_body(PoseContact& contact, const Vec3& c, const Vec3& place, const Frame& to, const Vec3& phi)
{
    const Mat3 dc_dturn = -skew(c - place), dphi = to.R * left_jacobian(phi).inverse() * to.R.transpose();
    contact.dZ_dturn = contact.dZ_dplace * dc_dturn + contact.dZ_dturn * dphi;
    contact.dY_dturn = contact.dY_dplace * dc_dturn + contact.dY_dturn * dphi;
    contact.place = place;
    contact.turn = PoseContact::Turn::rotation;
}

} // namespace stickslip
