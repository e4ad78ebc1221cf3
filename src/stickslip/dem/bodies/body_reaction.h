#pragma once

#include "stickslip/dem/bodies/granular_body.h"

namespace stickslip {

/// Reaction of the fixed degrees of freedom of a body: force [N] and torque [N m] about its centre of mass, zero along
/// the free ones. With F and T the sums of contacts (`contact`), gravity and loads:
///   force = -F,  torque = d(I w)/dt - T = I w' + w x I w - T.
Load reaction(const GranularBody& body, const Vec3& gravity, const Load& contact, const BodyMotion& motion);

} // namespace stickslip
