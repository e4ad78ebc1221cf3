#pragma once

#include "stickslip/build/restart/checkpoint.h"
#include "stickslip/simulation/steering.h"

#include <memory>

namespace stickslip {

struct SimulationParts;

struct SnapshotContent {
    Checkpoint checkpoint; // state and totals; of what tells of files nothing but the scene's hash
    Controls controls;
};

std::shared_ptr<const SnapshotContent> content_of(const SimulationParts& parts);

/// InputError for a snapshot of another scene.
void take(const SnapshotContent& content, SimulationParts& parts);

} // namespace stickslip
