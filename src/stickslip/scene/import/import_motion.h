#pragma once

#include "stickslip/scene/scene.h"

#include <utility>
#include <vector>

namespace stickslip {

/// Script of a kinematic body of rigid-ipc: to one pose after the other, a step for each, then on at a steady velocity;
/// after `until` it stands still.
struct KinematicScript {
    struct Pose {
        Vec3 centre = Vec3::Zero(); // [m] of mass
        Vec3 turn = Vec3::Zero(); // [rad] axis times angle, of the principal axes
    };
    std::vector<Pose> poses; // at the ends of the first steps
    Vec3 velocity = Vec3::Zero(); // [m/s] of the centre of mass
    Vec3 spin = Vec3::Zero(); // [rad/s] world axes, about it
    double step = 0, until = infinity, end = 0; // [s] end: of the run

    /// The frame turns about its centre of mass, so that this must be its origin.
    bool turns() const { return !poses.empty() || !spin.isZero(0); }
};

/// The frame that is led, at the start. Its origin is the centre of mass where the script turns it.
struct LedFrame {
    Vec3 origin = Vec3::Zero(); // [m]
    Mat3 R = Mat3::Identity();
    Mat3 principal = Mat3::Identity(); // columns: the principal axes in the world's
};

/// The axes that rigid-ipc counts the turn of a pose from, for inertia [kg m^2] in the world's axes: moments ascending,
/// right-handed. Moments equal within 1e-9 leave them open; then those of the world are taken where they are principal.
Mat3 principal_axes(const Mat3& inertia);

/// The script as a motion of ours: steady where it is, else keyframes, exact for any spin.
Motion led_motion(const KinematicScript& script, const LedFrame& start);

} // namespace stickslip
