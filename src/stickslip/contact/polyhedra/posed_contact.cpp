#include "stickslip/contact/polyhedra/posed_contact.h"

namespace stickslip {

PolyhedronPair::PolyhedronPair(const PolyhedronPose& point_side, const PolyhedronPose& surface_side,
    const Vec3& moved_by_belts, double friction, double damping_share)
    : a(point_side)
    , b(surface_side)
    , pose(relative(b.frame, a.frame))
    , old_pose(relative(b.old_frame, a.old_frame))
    , belt(moved_by_belts)
    , mu(friction)
    , damping(damping_share)
{
}

PoseContact posed_contact(const PolyhedronPair& pair, const PolyhedronSpring& s)
{
    const Frame& to = pair.b.frame;
    const auto to_world = [&](const Mat3& D) { return Mat3(to.R * D * to.R.transpose()); };
    const PoseVec Y = s.Z + s.weight * s.stretch;
    PoseContact contact;
    contact.Y = to.to_world(Y.v);
    contact.dY_dZ = Mat3::Zero(); // see dY_dplace
    contact.to = s.to;
    contact.sticks = s.sticks;
    contact.slip = to.R * s.slid;
    contact.belt = to.R * s.belt;
    contact.depth = s.weight.v * s.depth;
    contact.n = to.R * s.n.v;
    contact.damped = s.weight.v * s.damped * contact.n;
    contact.share = s.weight.v;
    contact.place = pair.a.frame.x;
    contact.Z = to.to_world(s.Z.v);
    contact.dZ_dplace = to_world(s.Z.by(0));
    contact.dZ_dturn = to_world(s.Z.by(1));
    contact.dY_dplace = to_world(Y.by(0));
    contact.dY_dturn = to_world(Y.by(1));
    return contact;
}

} // namespace stickslip
