#include "stickslip/contact/polyhedra/posed_contact.h"

#include "stickslip/contact/points/rolling_contact.h"

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
    PoseContact contact;
    set_ends(contact, to, s.Z, s.Z + s.weight * s.stretch, pair.a.frame.x);
    contact.to = s.to;
    contact.sticks = s.sticks;
    contact.slip = to.R * s.slid;
    contact.belt = to.R * s.belt;
    contact.depth = s.weight.v * s.depth;
    contact.n = to.R * s.n.v;
    contact.damped = s.weight.v * s.damped * contact.n;
    contact.share = s.weight.v;
    return contact;
}

} // namespace stickslip
