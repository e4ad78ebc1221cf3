#pragma once

#include "stickslip/dem/contact_force.h"
#include "stickslip/dem/walls.h"

namespace stickslip {

/// What all contacts with one wall in one step have in common.
struct WallMeeting {
    const PairSystem& system;
    const GranularWall& wall;
    const GranularMaterial& material;
    const WallPose& pose;
    bool ledger;
};

/// One sphere against the surface of a wall in one place.
struct WallTouch {
    int slot; // of the sphere
    Vec3 n; // unit, from the sphere to the wall, world axes
    double overlap; // [m]
    Vec3 normal_turn; // [rad] rotation of n since the last step, apart from that of the frame the springs are kept in
    Vec3 frame_spin; // [rad/s] of that frame
    bool fresh;
};

inline const PairLaw& wall_law(const WallMeeting& w, int slot)
{
    return w.system.laws[w.system.spheres.material[slot] * w.system.materials + w.wall.material];
}

inline double wall_stiffness(const WallMeeting& w, int slot)
{
    const double radius = w.system.spheres.place[slot].radius;
    return 1 / (w.system.spheres.motion[slot].compliance + side_compliance(w.material, radius));
}

/// Force of one contact, onto the sphere's sum; moves the springs on. turn: null without rolling resistance.
template <NormalLaw law, bool ledger>
WallForce touch(const WallMeeting& w, const WallTouch& at, Vec3& slip, Vec3* turn, std::vector<LoadRows>& sums)
{
    const PairSystem& s = w.system;
    const SpherePlace& a = s.spheres.place[at.slot];
    const SphereMotion& p = s.spheres.motion[at.slot];
    const PairLaw& pair = wall_law(w, at.slot);
    const Vec3 arm = (a.radius - at.overlap) * at.n; // from the centre to the contact
    const Vec3 from_frame = a.x + arm - w.pose.frame.x;
    const Vec3 conveyed = w.pose.frame.R * w.wall.surface_velocity;
    const Vec3 carried = conveyed - conveyed.dot(at.n) * at.n;
    const Vec3& wall_w = w.pose.middle.w;
    const Vec3 half_way = from_frame - 0.5 * s.dt * wall_w.cross(from_frame); // dt wall_v is the way made, exactly
    const Vec3 wall_v = w.pose.middle.v + wall_w.cross(half_way) + carried;
    Meeting<double> m;
    m.n = triple(at.n);
    m.overlap = at.overlap;
    m.radius = a.radius;
    const bool damped = turn || pair.damping_ratio > 0;
    m.mass = damped ? 1 / (p.inverse_mass + w.pose.mobility.along(at.n, a.x + arm - w.pose.centre)) : nan;
    m.velocity = triple(wall_v - p.v - p.w.cross(arm));
    m.separation = (wall_v - p.v).dot(at.n);
    m.spin = triple(wall_w - p.w);
    const Vec3 mean_spin = 0.5 * (p.w + wall_w) - at.frame_spin;
    m.frame_turn = triple(at.normal_turn + (s.dt * mean_spin.dot(at.n)) * at.n);
    m.fresh = at.fresh;
    const Vec3 later_wall_v = w.pose.end.v + w.pose.end.w.cross(from_frame) + carried;
    if (ledger) {
        const SphereAcceleration& rate = s.spheres.acceleration[at.slot];
        m.later_velocity =
            triple(later_wall_v - p.v - p.w.cross(arm) - 0.5 * s.dt * (rate.linear + rate.angular.cross(arm)));
        m.later_spin = triple(w.pose.end.w - p.w - 0.5 * s.dt * rate.angular);
    }
    const Elasticity<double> elastic =
        elasticity<law>(pair, at.overlap, at.overlap + s.dt * m.separation, a.radius, wall_stiffness(w, at.slot));
    Springs<double> springs = {.slip = triple(slip)};
    if (turn)
        springs.turn = triple(*turn);
    const Resistance<double> resist = resistance<law>(pair);
    const ContactForce<double> f = turn ? contact_force<true, true, ledger>(resist, elastic, m, s.dt, springs)
        : damped                        ? contact_force<true, false, ledger>(resist, elastic, m, s.dt, springs)
                                        : contact_force<false, false, ledger>(resist, elastic, m, s.dt, springs);
    slip = vec3(springs.slip);
    if (turn)
        *turn = vec3(springs.turn);
    const Vec3 force = vec3(f.force), moment = vec3(f.moment);
    sums[at.slot] += Load{force, arm.cross(force) + moment};
    return {.load = {-force, -from_frame.cross(force) - moment},
        .power = force.dot(later_wall_v) + moment.dot(w.pose.end.w),
        .losses = {f.friction_loss, f.rolling_loss, f.damping_loss, 0}};
}

/// near_wall for triangles: those nearer to the sphere than `margin` [m], each sphere's rising.
NearWall near_mesh(const WallMesh& mesh, const Frame& frame, const Spheres& spheres, double margin);

/// Contacts of the entries [begin, end) of contacts.near with a triangulated wall.
template <NormalLaw law>
WallForce meet_mesh(
    const WallMeeting& w, WallContacts& contacts, std::size_t begin, std::size_t end, std::vector<LoadRows>& sums);

} // namespace stickslip
