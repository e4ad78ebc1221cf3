#pragma once

#include "stickslip/math/types.h"

#include <vector>

namespace stickslip {

/// Prescribed motion of a frame, as a function of time alone. Without keyframes the frame turns about its own origin
/// with a constant world-fixed angular velocity and moves with a constant velocity. Keyframes: position linear,
/// rotation by the shortest arc between them, at rest before the first and after the last.
struct ScriptedMotion {
    struct Keyframe {
        double time; // [s] strictly increasing
        Vec3 x; // [m]
        Quat R; // unit
    };
    Vec3 velocity = Vec3::Zero(); // [m/s]
    Vec3 angular_velocity = Vec3::Zero(); // [rad/s]
    std::vector<Keyframe> keyframes;

    bool is_still() const { return velocity.isZero(0) && angular_velocity.isZero(0) && keyframes.empty(); }
};

/// Frame at time t [s] of a motion that starts from `start` at t = 0 (keyframes are absolute and ignore `start`).
Frame frame_at(const ScriptedMotion& motion, const Frame& start, double t);

/// Velocity of the frame's origin [m/s] and its angular velocity [rad/s], world axes. At a keyframe: of the piece that
/// begins there.
struct FrameVelocity {
    Vec3 v = Vec3::Zero(), w = Vec3::Zero();
};
FrameVelocity velocity_at(const ScriptedMotion& motion, double t);

} // namespace stickslip
