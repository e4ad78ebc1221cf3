#pragma once

#include "stickslip/bodies/motion.h"
#include "stickslip/io/scene.h"

namespace stickslip {

/// A scene's motion as a function of time. Keyframes of an obstacle without position or rotation keep those it was
/// placed with. Pre: not a SurfaceMotion.
ScriptedMotion obstacle_motion(const Motion& motion, const Frame& start);

/// The same for pinned nodes: keyframes are displacements and rotations relative to the start, about the nodes' mean
/// place.
ScriptedMotion pin_motion(const Motion& motion, const Frame& start);

} // namespace stickslip
