#pragma once

#include "stickslip/dem/granular_contact.h"
#include "stickslip/dem/walls/granular_wall.h"

#include <span>
#include <vector>

namespace stickslip {

/// A point of one wall near the solid of another; indices of walls, and of the point in GranularWall::points.
struct PointPlace {
    int wall, point, solid;
};

/// Where a point came into the solid that it is in.
struct PointEntry {
    Vec3 n = Vec3::Zero(); // [-] into the solid, in its frame; of a ball that of the last step
    double depth = 0; // [-] of the last step over half of what the solid is thick
};

/// Points near solids when the list was made, in rising order of wall, solid, point, with what their contacts keep.
struct PointContacts {
    std::vector<PointPlace> near;
    ContactHistory history; // never with turn: points do not resist rolling
    std::vector<Vec3> normal; // [-] of the last step, from the point into the solid, world axes
    std::vector<PointEntry> entry; // forces do not depend on it
};

/// Signs that bodies go through each other, or through walls, by their points.
struct PointTrouble {
    double deepest = 0; // [-] deepest point over half of what the thinner one is thick; of a ball over its radius
    PointPlace at = {-1, -1, -1}; // that point
    PointPlace passed = {-1, -1, -1}; // point that is pushed out at another side than it came in by
    double jump = 0; // [m] way of a point into a solid in one step, where it is longer than half of what that is thick
    PointPlace jumped = {-1, -1, -1}; // that point
};

/// Laws, materials and poses for contact forces between solids. Each point answers as a sphere would that is as large
/// as its ball, or as the smaller of the two bodies where it is no ball; its stiffness is its weight times that. The
/// laws dmt and jkr act here as hertz: only spheres adhere.
struct SolidMeeting {
    NormalLaw law;
    const std::vector<GranularWall>& walls;
    const std::vector<GranularMaterial>& materials;
    const std::vector<PairLaw>& laws; // of two materials
    const PeriodicBox& box;
    std::span<const WallPose> poses; // of the walls, in this step
    std::span<const double> half_thickness; // [m] of the walls
    double dt; // [s]
};

/// Points with a gap below `margin` [m] where one of the two walls is a body's, and not both the same body's. In a
/// periodic box a point meets the solid of a body by the image nearest to it, other solids by the one in the box.
std::vector<PointPlace> near_points(
    std::span<const GranularWall> walls, std::span<const Frame> frames, const PeriodicBox& box, double margin);

/// Penetration [m] of a point, or of its ball, into the solid.
double point_depth(
    std::span<const GranularWall> walls, std::span<const Frame> frames, const PeriodicBox& box, const PointPlace& at);

PointContacts carried(const PointContacts& old, std::vector<PointPlace> near);

/// Adds the forces of all points to `loads` of the walls (about their frames' origins) and moves the springs on by a
/// step. Losses and the power that walls of no body gave [W], with ledger.
WallForce add_point_forces(
    const SolidMeeting& meeting, bool ledger, PointContacts& contacts, std::vector<Load>& loads, PointTrouble& trouble);

/// Looks for points whose way in this step leads into a solid by more than half of what it is thick, of a ball by more
/// than its radius: it may be out again at the other side.
void watch_for_jumps(const SolidMeeting& meeting, PointTrouble& trouble);

ElasticEnergy point_energy(const SolidMeeting& meeting, const PointContacts& contacts);

/// Present contacts as reports show them, behind what is there.
void list_point_contacts(
    const SolidMeeting& meeting, const PointContacts& held, std::vector<GranularContact>& contacts);

} // namespace stickslip
