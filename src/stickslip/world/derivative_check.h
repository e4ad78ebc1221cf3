#pragma once

#include "stickslip/world/world.h"

#include <string>
#include <vector>

namespace stickslip {

/// Agreement of one force's derivative with central differences, and of its transpose with itself, at one state.
struct DerivativeCheck {
    std::string force; // elastic, pressure, stress (of material points), contact, or residual: the whole system as
                       // assembled
    double difference = 0; // largest |df - (f(x + h d) - f(x - h d))/2h|, relative to the largest entry
    double beyond = 0; // what of it no error of the difference itself explains, which is known of contacts and material
                       // points alone
    double transpose = 0; // |<w, H v> - <H^T w, v>| / (|w| |H v|)
    int switched = 0; // forces and torques of contacts, columns of stresses left out because their branch (touching,
                      // sticking, face) differs at x +- h d, or because round-off is as large as what is compared
};

/// Checks every force of the step from `state` with length dt [s] at a candidate that is moved off the solution by a
/// seeded random displacement of the order of 1e-3 element sizes, of a rigid body 1e-3 of its own smallest.
std::vector<DerivativeCheck> check_derivatives(const World& world, const State& state, double dt, unsigned seed);

} // namespace stickslip
