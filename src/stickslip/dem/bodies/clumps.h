#pragma once

#include "stickslip/dem/bodies/granular_body.h"
#include "stickslip/dem/pairs/neighbours.h"
#include "stickslip/dem/periodic_box.h"

#include <vector>

namespace stickslip {

/// A sphere that moves with a body.
struct ClumpSphere {
    int slot;
    Vec3 c; // [m] from the centre of mass, body axes
    Vec3 shift; // [m] by whole periodic boxes: the place is x + R c + shift
};

/// The spheres of a body, whose ids follow one another.
struct BodySpheres {
    int first = -1; // id; -1: it is no clump
    int group = -1;
    int kind = -1; // of the body, as GranularBody::kind
};

/// Spheres of each body at this moment: slots change.
struct Clumps {
    std::vector<int> first; // [bodies + 1] spheres of each body, in the order of its `rounds`
    std::vector<ClumpSphere> spheres;
    std::vector<int> body_of_slot; // -1: by itself; empty: there are no clumps

    bool any() const { return !spheres.empty(); }
    bool holds(std::size_t slot) const { return any() && body_of_slot[slot] >= 0; }
};

/// of_body: the ids of each body's spheres. Throws InputError when one of them is missing.
Clumps find_clumps(const std::vector<GranularBody>& bodies, const std::vector<BodyMotion>& motions,
    const std::vector<BodySpheres>& of_body, const Spheres& spheres, const PeriodicBox& box);

/// Takes pairs of spheres of one body out of a list.
void drop_pairs_within(const Clumps& clumps, NeighbourList& list);

/// Puts the spheres of body b where it is. Their velocities are those that lead there in a drift that turned it from
/// `earlier`; equal to the present rotation: those of now.
void place_spheres(
    const Clumps& clumps, std::size_t b, const BodyMotion& motion, const Mat3& earlier, Spheres& spheres);

/// Sets velocities and accelerations of the spheres of body b from its own.
void accelerate_spheres(const Clumps& clumps, std::size_t b, const BodyMotion& motion, Spheres& spheres);

} // namespace stickslip
