#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/run/run_report.h"
#include "stickslip/scene/scene.h"

namespace stickslip {

/// Runs a scene into its run folder: history, bodies, balance, frames, checkpoints, summary (docs/run_folder.md).
/// Throws FileError when something cannot be written (what is there stays valid), InputError when the folder holds a
/// run and neither resume nor force is set, or when the run to resume is of another scene.
RunResult run_scene(const Scene& scene, BuiltWorld built, const RunOptions& options, const RunListener& listener);

} // namespace stickslip
