#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/run/run_report.h"
#include "stickslip/scene/scene.h"

#include <string>

namespace stickslip {

/// This program's version, "0.1.0".
const char* version();

/// The text of summary.json: how the run ended, what it cost, what its expectations came to.
std::string summary_json(
    const Scene& scene, const BuiltWorld& built, const RunResult& result, int threads, const RunOptions& options);

} // namespace stickslip
