#include "stickslip/contact/points/round_contact.h"

#include "stickslip/math/parallel_transport.h"

namespace stickslip {

namespace {

// Distance and unit normal of the whole solid with their derivatives; a sampled distance has a gradient g of nearly
// unit length.
struct Touch {
    double phi;
    Vec3 g, n;
    Mat3 dn_dU;

    Touch(const LevelSet& solid, const Vec3& U)
    {
        const LevelSetSample at = sample(solid, U);
        phi = at.phi;
        g = at.n;
        n = g.normalized();
        dn_dU = (Mat3::Identity() - n * n.transpose()) * at.hessian / g.norm();
    }
};

} // namespace

PoseContact round_contact(
    const SurfaceMotionInStep& motion, const BallAtSurface<6>& ball, const Vec3& c, const Vec3& phi, double mu)
{
    const RelaxedBall<6> relaxed = relax_ball(ball, mu, motion.damping > 0 ? motion.damping / motion.dt : 0);
    const Frame& frame = motion.frame;
    const auto to_world = [&](const Mat3& D) { return Mat3(frame.R * D * frame.R.transpose()); };
    const Vec3& n = ball.n.v;
    const Vec3 damped = relaxed.Z.v - relaxed.P.v, belt = motion.dt * motion.surface_velocity;
    const PoseVec Y = relaxed.K + (relaxed.Z - relaxed.P);
    PoseContact contact;
    contact.Y = frame.to_world(relaxed.K.v + damped);
    contact.dY_dZ = Mat3::Zero(); // Z is no unknown here: see dY_dplace
    contact.sticks = relaxed.sticks;
    contact.to = RollingOnSolid{-1, relaxed.offset};
    contact.slip = frame.R * relaxed.slid;
    contact.belt = frame.R * (relaxed.after_touch * (belt - n.dot(belt) * n));
    contact.depth = ball.radius - ball.distance.v;
    contact.n = frame.R * n;
    contact.damped = frame.R * damped;
    contact.Z = frame.to_world(relaxed.Z.v);
    contact.place = c;
    contact.dZ_dplace = to_world(relaxed.Z.by(0));
    contact.dY_dplace = to_world(Y.by(0));
    contact.dZ_dturn = Mat3::Zero();
    contact.dY_dturn = to_world(Y.by(1));
    contact.turn = PoseContact::Turn::rotation_vectors;
    contact.phi = phi;
    return contact;
}

std::optional<PoseContact> LevelSetSurface::relax_round(
    const Vec3& c_old, const Vec3& c, double r, const Vec3& phi, const Attachment* kept, double mu) const
{
    const Frame& frame = motion_.frame;
    const Vec3 U = frame.to_local(c), U_old = motion_.old_frame.to_local(c_old);
    const Touch now(*solid_, U);
    if (!(now.phi < r))
        return std::nullopt;
    const PoseVec centre = unknown<6>(U, 0), turned = unknown<6>(frame.R.transpose() * phi, 1);
    const PoseVec n = mapped(now.n, now.dn_dU, centre);
    const Vec3 belt = motion_.dt * motion_.surface_velocity;
    const Transported xi = kept ? parallel_transport(kept->rolling_on_solid().xi, Touch(*solid_, U_old).n, now.n)
                                : Transported{Vec3::Zero(), Mat3::Zero()};
    PoseContact contact = round_contact(motion_,
        {.radius = r,
            .centre = centre,
            .n = n,
            .distance = mapped(now.phi, now.g, centre),
            .old_distance = {signed_distance(*solid_, U_old)},
            .slip = rolling_slip(centre - still(U_old + belt), turned, n, r),
            .offset = mapped(xi.v, xi.dv_db, n),
            .is_new = kept == nullptr},
        c, phi, mu);
    contact.stiffness_scale = kept ? kept->stiffness_scale : 1;
    return contact;
}

} // namespace stickslip
