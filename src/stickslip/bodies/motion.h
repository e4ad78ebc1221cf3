#pragma once

#include "stickslip/math/types.h"

#include <vector>

namespace stickslip {

/// A sine that starts from zero displacement at t = 0, whatever its phase: sin(2 pi f t + phase) - sin(phase) times
/// the amplitudes.
struct Oscillation {
    Vec3 amplitude = Vec3::Zero(); // [m] world axes
    Vec3 turn = Vec3::Zero(); // [rad] axis times angle, world axes, about the frame's origin
    double frequency = 0; // [Hz] > 0
    double phase = 0; // [rad]
};

/// Prescribed motion of a frame, as a function of time alone. Without keyframes the frame turns about its own origin
/// with a constant world-fixed angular velocity and moves with a constant velocity. Keyframes: position linear,
/// rotation by the shortest arc between them, at rest before the first and after the last. Oscillations are added to
/// either: their displacements to its place, the sum of their turns after its rotation
/// (docs/derivations.md#scripted-motion).
struct ScriptedMotion {
    struct Keyframe {
        double time; // [s] strictly increasing
        Vec3 x; // [m]
        Quat R; // unit
    };
    Vec3 velocity = Vec3::Zero(); // [m/s]
    Vec3 angular_velocity = Vec3::Zero(); // [rad/s]
    std::vector<Keyframe> keyframes;
    bool smooth = false; // the velocity is continuous too: cubics between the keyframes that never go beyond them
    std::vector<Oscillation> oscillations;

    bool is_still() const
    {
        return velocity.isZero(0) && angular_velocity.isZero(0) && keyframes.empty() && oscillations.empty();
    }
};

/// Frame at time t [s] of a motion that starts from `start` at t = 0 (keyframes are absolute and ignore `start`).
Frame frame_at(const ScriptedMotion& motion, const Frame& start, double t);

/// Velocity of the frame's origin [m/s] and its angular velocity [rad/s], world axes: the derivative of frame_at. At a
/// keyframe of a motion that is not smooth: of the piece that begins there.
struct FrameVelocity {
    Vec3 v = Vec3::Zero(), w = Vec3::Zero();
};
FrameVelocity velocity_at(const ScriptedMotion& motion, double t);

/// [rad] The farthest that the frame turns from where it is at time t in the dt [s] after it, as its turns add up: that
/// of 2 pi between two poses is none. No less than it does, where it swings while it turns.
double farthest_turn(const ScriptedMotion& motion, double t, double dt);

/// No two displacements by the oscillations are farther apart than this, along each axis [m].
Vec3 oscillation_range(const ScriptedMotion& motion);

} // namespace stickslip
