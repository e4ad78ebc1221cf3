#pragma once

#include "stickslip/contact/contact_set.h"
#include "stickslip/world/world.h"

#include <vector>

namespace stickslip {

/// A material point that contact with another body does not hold back any more.
struct LostParticle {
    int body, other; // contact bodies: its own, and a deformable one or a solid
    Vec3 place; // [m]
    double depth; // [m] below the surface of a deformable body; 0: it went in and out again in the step
};

/// Material points that went through a rigid body or an obstacle from one state to the next, and do not touch it at the
/// end: the first of each pair of bodies. Costs O(n) for n particles, and as much for each solid that moved by half of
/// its smallest size against some of them.
std::vector<LostParticle> passed_particles(
    const ContactBodies& bodies, const State& before, const State& after, const ContactSet& contacts);

} // namespace stickslip
