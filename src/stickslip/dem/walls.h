#pragma once

#include "stickslip/bodies/motion.h"
#include "stickslip/dem/pair_forces.h"
#include "stickslip/dem/spheres.h"
#include "stickslip/geometry/level_set.h"

#include <string>
#include <vector>

namespace stickslip {

/// A solid that spheres meet, of infinite mass, at rest or moved by a script. It answers to a sphere as one of its own
/// size would, of the wall's material, that is flat.
struct GranularWall {
    std::string name;
    LevelSet solid;
    int material = 0;
    Frame start; // pose at t = 0
    ScriptedMotion motion;
    Vec3 surface_velocity = Vec3::Zero(); // [m/s] in the wall's frame: a conveyor, whose surface moves, not its shape
};

/// Spheres near one wall, with what their contacts keep.
struct WallContacts {
    std::vector<int> sphere; // slots, rising
    ContactHistory history;
    std::vector<Vec3> normal; // [-] of the last step, from sphere to wall
};

/// The wall in one step.
struct WallPose {
    Frame frame; // at the end of the step
    FrameVelocity middle, end; // at the middle and the end of the step
};
WallPose wall_pose(const GranularWall& wall, double end_time, double dt);

/// Spheres with a gap below `margin` [m], in rising order.
std::vector<int> spheres_near(const GranularWall& wall, const Frame& frame, const Spheres& spheres, double margin);

/// Sum on a wall in this step, and the power it gave to the spheres.
struct WallForce {
    Load load;
    double power = 0; // [W]
    ContactLosses losses;

    WallForce& operator+=(const WallForce& other)
    {
        load += other.load;
        power += other.power;
        losses += other.losses;
        return *this;
    }
};

/// Adds the forces of the wall to sums (one entry a sphere) and moves the springs on by a step.
WallForce add_wall_forces(const PairSystem& system, bool ledger, const GranularWall& wall,
    const GranularMaterial& material, const WallPose& pose, WallContacts& contacts, std::vector<Load>& sums);

ElasticEnergy wall_energy(const PairSystem& system, const GranularWall& wall, const GranularMaterial& material,
    const Frame& frame, const WallContacts& contacts);

} // namespace stickslip
