#pragma once

#include "stickslip/dem/bodies/granular_body.h"

#include <vector>

namespace stickslip {

/// Velocity Verlet for all bodies, cut as that of the spheres.
struct BodyStep {
    const std::vector<GranularBody>& bodies;
    Vec3 gravity; // [m/s^2]
    double local_damping; // [-] as in GranularWorld
    double dt; // [s]
};

/// Work of the step [J].
struct BodyWork {
    double gravity = 0, loads = 0; // of the drift
    double local_damping = 0; // power at the end of the step times dt
    bool finite = true; // all places are numbers

    BodyWork& operator+=(const BodyWork& other)
    {
        gravity += other.gravity;
        loads += other.loads;
        local_damping += other.local_damping;
        finite = finite && other.finite;
        return *this;
    }
};

/// Second half of the kick that ends a step. contact: sum of the contacts on each body, about its centre of mass.
BodyWork finish_step(const BodyStep& step, const std::vector<Load>& contact, std::vector<BodyMotion>& motions);

/// First half of the next one, and the drift: velocities are then those of its middle.
BodyWork start_step(const BodyStep& step, std::vector<BodyMotion>& motions);

/// Rates from contacts, gravity and loads, without moving: for a first step.
void set_rate(const GranularBody& body, const Vec3& gravity, const Load& contact, BodyMotion& motion);

/// Reaction of the fixed degrees of freedom of a body: force [N] and torque [N m] about its centre of mass, zero along
/// the free ones. With F and T the sums of contacts (`contact`), gravity and loads:
///   force = -F,  torque = d(I w)/dt - T = I w' + w x I w - T.
Load reaction(const GranularBody& body, const Vec3& gravity, const Load& contact, const BodyMotion& motion);

} // namespace stickslip
