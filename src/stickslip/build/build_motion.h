#pragma once

#include "stickslip/bodies/motion.h"
#include "stickslip/build/build_report.h"

namespace stickslip {

/// A scene's motion as a function of time. Keyframes of an obstacle without position or rotation keep those it was
/// placed with. Surface velocities are none of it.
ScriptedMotion obstacle_motion(const Motion& motion, const Frame& start);

/// The same for pinned nodes: keyframes are displacements and rotations relative to the start, about its origin.
ScriptedMotion pin_motion(const Motion& motion, const Frame& start);

/// Warns of oscillations and keyframes that steps of dt [s] do not resolve.
void warn_of_unresolved_motions(const Scene& scene, double dt, BuildReport& report);

} // namespace stickslip
