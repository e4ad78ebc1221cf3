#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

/// Energies of one state [J].
struct Energies {
    double kinetic = 0, potential = 0, elastic = 0,
           contact = 0; // potential: weight, constant accelerations and pressure
    double total() const { return kinetic + potential + elastic + contact; }
};

/// Linear momentum [kg m/s] and angular momentum about the world's origin [kg m^2/s].
struct Momentum {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

/// Pose and velocity of one body in reports.
struct BodyPose {
    Vec3 x = Vec3::Zero(); // [m] centre of mass
    Quat R = Quat::Identity(); // rotation that fits the body best
    Vec3 v = Vec3::Zero(); // [m/s] of the centre of mass
    Vec3 w = Vec3::Zero(); // [rad/s] I^-1 L about the centre of mass
};

} // namespace stickslip
