#pragma once

#include "stickslip/dem/sphere_system.h"
#include "stickslip/files/checkpoint_bytes.h"

namespace stickslip {

/// Every bit of the state of spheres. What is read is safe to hold; check() says whether it fits together.
void put_granular(ByteWriter& to, const GranularState& state);
GranularState get_granular(ByteReader& from);

} // namespace stickslip
