#pragma once

#include "stickslip/math/types.h"

#include <vector>

namespace stickslip {

/// One of the many small lights that together make soft shadows.
struct Light {
    Vec3 direction; // [-] towards the light
    double weight; // what it gives to a surface that faces it
};

/// A large lamp from the upper left and a bright sky. What lies flat and unshadowed gets 1 in all.
/// Pre: unit `up`.
std::vector<Light> studio_lights(const Vec3& up, int of_lamp, int of_sky);

} // namespace stickslip
