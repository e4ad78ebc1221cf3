#pragma once

#include "stickslip/geometry/solids/grid_level_set.h"

#include <memory>
#include <string>

namespace stickslip {

/// Reads a signed distance [m] from VTK image data (.vti: ASCII, base64, appended raw or base64, zlib or not): one
/// piece with the same spacing along all axes, which are those of the file's coordinates. Of the point data the array
/// that `Scalars` names, else the only one of one component.
///
/// Errors: FileError if the file cannot be read; InputError with the place for anything else. Any file content is safe.
GridSamples read_vti(const std::string& path);

/// grid_through what was read from this file, which its errors name.
std::shared_ptr<const GridLevelSet> grid_of_vti(const GridSamples& samples, const std::string& path);

} // namespace stickslip
