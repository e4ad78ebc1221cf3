#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/build/restart/earlier_run.h"

namespace stickslip {

/// Puts the bodies of an implicit scene, whose first state is built, where an earlier run left them: nodes, poses,
/// velocities and attachments. A body of other nodes begins as the scene says, with a warning; a clock that goes on
/// needs a step that divides it, else it is a fault.
void start_from(const EarlierRun& run, const Scene& scene, BuildResult& result);

} // namespace stickslip
