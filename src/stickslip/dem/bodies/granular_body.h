#pragma once

#include "stickslip/bodies/rigid_body.h"
#include "stickslip/dem/spheres.h"

#include <vector>

namespace stickslip {

/// A rigid body of finite mass among the spheres. It touches by the walls that name it; or it is a clump, whose spheres
/// are spheres of the system that move with it and never touch each other.
struct GranularBody {
    RigidBody rigid; // mass, inertia, loads, held motions; of a clump also `rounds`, its spheres
    RigidState start; // x, R, v, w at t = 0
    bool is_clump = false;
    int material = 0, group = 0; // of a clump's spheres
    int kind = -1; // of GranularWorld::clumps: like others that come and leave; -1: stays for ever
};

/// State of such a body between steps. World axes.
struct BodyMotion {
    Vec3 x = Vec3::Zero(); // [m] centre of mass
    Quat R = Quat::Identity(); // body axes to world, unit
    Vec3 v = Vec3::Zero(); // [m/s]
    Vec3 L = Vec3::Zero(); // [kg m^2/s] about the centre of mass; zero about held axes
    Vec3 w = Vec3::Zero(); // [rad/s]
    Load rate; // of v times mass and of L: contacts, gravity and loads, local damping
    SphereAcceleration acceleration; // that these give

    Mat3 rotation() const { return R.toRotationMatrix(); }
};

/// Inverse inertia of a body: 1/mass along the world's axes, inverse inertia about the centre of mass. Zero in
/// the directions that are held.
struct Mobility {
    Vec3 inverse_mass = Vec3::Zero(); // [1/kg]
    Mat3 inverse_inertia = Mat3::Zero(); // [1/(kg m^2)]

    /// 1/kg felt along the unit vector n at a place `arm` [m] from the centre of mass.
    double along(const Vec3& n, const Vec3& arm) const
    {
        const Vec3 lever = arm.cross(n);
        return inverse_mass.dot(n.cwiseAbs2()) + lever.dot(inverse_inertia * lever);
    }
    /// No less than along() in any direction [1/kg].
    double most(const Vec3& arm) const { return inverse_mass.sum() + inverse_inertia.trace() * arm.squaredNorm(); }
};
Mobility mobility(const RigidBody& body, const Mat3& R);

BodyMotion initial_motion(const GranularBody& body);

/// Changes v and L by `rate` over a time [s]; w is left as it is.
void kick(const RigidBody& body, double time, BodyMotion& motion);

/// Moves x and R on by dt [s] without any force: L stays. w becomes the constant angular velocity that makes this turn,
/// that of the middle of the step: the rule is symmetric in time and of second order
/// (docs/derivations.md#bodies-among-spheres).
void drift(const RigidBody& body, double dt, BodyMotion& motion);

/// The angular velocity that L means where the body is.
Vec3 angular_velocity(const RigidBody& body, const BodyMotion& motion);

/// Kinetic energies [J]; w as of now.
double translation_energy(const RigidBody& body, const BodyMotion& motion);
double rotation_energy(const BodyMotion& motion);

} // namespace stickslip
