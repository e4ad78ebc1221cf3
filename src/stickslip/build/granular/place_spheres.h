#pragma once

#include "stickslip/build/body_surfaces.h"
#include "stickslip/scene/scene.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stickslip {

/// Initial places of the spheres of a set, or of centres of mass of clumps, in the body's own frame [m].
struct Placing {
    std::vector<Vec3> places;
    std::vector<double> radii; // as many; of clumps: of a ball around each
    std::vector<Vec3> velocities, spins; // [m/s], [rad/s] as many or none: of the body all alike
};

/// Packs a `fill` or lists `positions`; nothing of an inlet. Paths relative to `folder`. Errors: FileError, InputError.
Placing place_spheres(const BodySettings& body, const std::filesystem::path& folder, BodySurfaces& surfaces);

/// Position of the key of the places, and the key.
SourcePosition placing_position(const BodySettings& body);
std::string placing_key(const BodySettings& body);

} // namespace stickslip
