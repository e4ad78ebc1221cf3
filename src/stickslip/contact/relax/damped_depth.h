#pragma once

namespace stickslip {

/// The signed distance [m] whose spring alone would give the normal force of spring and damper together, and its
/// derivative by phi: phi + damping (phi - phi_old)/dt, but no larger than 0, so that the damper never pulls. What was
/// outside at the start of the step counts from the surface on. Friction is then that of the whole normal force
/// (docs/derivations.md#contact-damping).
/// phi < 0 and phi_old: at the end and at the start of the step [m]   share: damping/dt [-] >= 0
struct DampedDepth {
    double phi, dphi;
};
inline DampedDepth damped_depth(double phi, double phi_old, double share)
{
    const double damped = phi + share * (phi - (phi_old < 0 ? phi_old : 0));
    return damped < 0 ? DampedDepth{damped, 1 + share} : DampedDepth{0, 0};
}

} // namespace stickslip
