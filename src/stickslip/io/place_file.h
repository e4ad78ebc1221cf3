#pragma once

#include "stickslip/math/types.h"

#include <string>
#include <vector>

namespace stickslip {

/// Spheres of a table `x,y,z` or `x,y,z,radius` [m], a line each (docs/scene_format.md#places).
struct PlaceTable {
    std::vector<Vec3> places;
    std::vector<double> radii; // as many, or none
};

/// Errors: FileError when it cannot be read, InputError "file:line: error: ..." for anything wrong in it.
PlaceTable read_places(const std::string& path);

} // namespace stickslip
