#pragma once

#include "stickslip/simulation/simulation_parts.h"

namespace stickslip {

/// All contacts of the state of a simulation; of an implicit one none before its first step.
Contacts contacts_of(const SimulationParts& parts);

} // namespace stickslip
