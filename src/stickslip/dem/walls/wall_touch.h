#pragma once

#include "stickslip/dem/pairs/contact_force.h"
#include "stickslip/dem/walls/granular_wall.h"

namespace stickslip {

/// Wall, material and pose that all contacts with one wall in one step have in common.
struct WallMeeting {
    const PairSystem& system;
    const GranularWall& wall;
    const GranularMaterial& material;
    const WallPose& pose;
    bool ledger;
    bool damped = true; // some material loses energy in collisions
};

/// One sphere against the surface of a wall in one place. World axes.
struct WallTouch {
    Vec3 n; // unit, from the sphere to the wall
    double overlap; // [m]
    Vec3 slip, turn; // [m], [rad] springs as in ContactHistory
    Vec3 normal_turn; // [rad] rotation of n since the last step, apart from that of the frame the springs are kept in
    int slot, entry; // of the sphere; of WallContacts::near
    bool fresh;
    double share = 1; // [-] of its force and its losses that counts
};

inline const PairLaw& wall_law(const WallMeeting& w, int slot)
{
    return w.system.laws[w.system.spheres.material[slot] * w.system.materials + w.wall.material];
}

inline double wall_stiffness(const WallMeeting& w, int slot)
{
    const double radius = w.system.spheres.place[slot].radius;
    return contact_stiffness(
        wall_law(w, slot), w.system.spheres.motion[slot].compliance + side_compliance(w.material, radius));
}

/// The centre of a sphere where it meets the wall [m]: in a periodic box that image which is nearest to the wall's
/// body.
inline Vec3 place_at_wall(const WallMeeting& w, int slot)
{
    const Vec3& x = w.system.spheres.place[slot].x;
    return w.wall.body >= 0 ? w.system.box.nearest(x, w.pose.centre) : x;
}

/// Way of a sphere's centre in this step past the wall, as that moves [m], world axes.
inline Vec3 way_past(const WallMeeting& w, int slot)
{
    const Vec3 from_frame = place_at_wall(w, slot) - w.pose.frame.x;
    return w.system.dt * (w.system.spheres.motion[slot].v - w.pose.middle.v - w.pose.middle.w.cross(from_frame));
}

/// Adds the forces of contacts, all of which touch, to the sums of their spheres; moves their springs on by a step.
template <NormalLaw law>
WallForce touch_all(const WallMeeting& w, std::span<WallTouch> touches, std::vector<LoadRows>& sums);

} // namespace stickslip
