#pragma once

#include "stickslip/dem/granular_contact.h"
#include "stickslip/dem/pairs/contact_force.h"

namespace stickslip {

/// Force of a contact whose place, normal and overlap are known: contact_force between sides that do not move.
///   R  effective radius [m]   stiffness  of the linear law [N/m]
template <NormalLaw law>
void set_static_force(const PairLaw& pair, double R, double stiffness, const Vec3& slip, GranularContact& c)
{
    const NormalForce<double> f = normal_force<law>(pair, c.overlap, R, stiffness);
    const Vec3 friction = f.shear_stiffness * slip;
    const double limit = pair.friction * std::max(f.force + f.pull_off, 0.0);
    c.force = friction - f.force * c.n;
    c.slides = friction.norm() >= 0.99 * limit;
}

} // namespace stickslip
