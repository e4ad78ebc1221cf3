#pragma once

#include "stickslip/scene/import/imported_body.h"

#include <string>
#include <vector>

namespace stickslip {

/// Gives each body that is no sheet the spacing of its surface points: half the smallest feature of all bodies, but no
/// more than about a thousand points a body. Returns a note where that makes them coarser, else nothing.
std::string set_samples(std::vector<ImportedBody>& bodies);

} // namespace stickslip
