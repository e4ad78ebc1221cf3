#pragma once

#include "stickslip/dem/granular_contact.h"

#include <vector>

namespace stickslip {

class SphereSystem;

/// All present contacts: pairs in the order of the neighbour list, then walls in their order, then points of walls.
std::vector<GranularContact> list_contacts(const SphereSystem& system);

} // namespace stickslip
