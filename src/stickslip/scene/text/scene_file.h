#pragma once

#include <string>

namespace stickslip {

/// The text of a scene file; of one that is too large a little more than is allowed, which is enough to be refused.
/// Throws FileError.
std::string read_scene_file(const std::string& path);

} // namespace stickslip
