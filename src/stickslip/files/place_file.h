#pragma once

#include "stickslip/math/types.h"

#include <string>
#include <vector>

namespace stickslip {

/// Spheres of a table, a line each: `x,y,z` [m], then `radius` [m], `vx,vy,vz` [m/s], `wx,wy,wz` [rad/s], as far as
/// they are given (docs/scene_format.md#places).
struct PlaceTable {
    std::vector<Vec3> places;
    std::vector<double> radii; // as many, or none
    std::vector<Vec3> velocities, spins; // likewise
};

/// Errors: FileError when it cannot be read, InputError "file:line: error: ..." for anything wrong in it.
PlaceTable read_places(const std::string& path);

} // namespace stickslip
