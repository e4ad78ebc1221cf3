#pragma once

#include "stickslip/build/build_report.h"
#include "stickslip/build/restart/checkpoint.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stickslip {

/// The checkpoint that `start.from` means: itself, or the last good one of a run folder. InputError: it has none.
std::filesystem::path checkpoint_of(const std::filesystem::path& from);

/// The end of an earlier run, from which a scene starts.
struct EarlierRun {
    Checkpoint checkpoint;
    std::vector<const CheckpointBody*> bodies; // by body of the scene; null: begins as the scene says
    double start_time = 0; // [s] of the run to come
};

/// Faults of scene.start alone, for a scene that has others and cannot be built: nothing to start from, or, where
/// solver.integration is known, a run of the other kind. Pre: scene.start.
void check_start(const Scene& scene, const std::filesystem::path& folder, bool integration_known, BuildReport& report);

/// Reads scene.start and finds the scene's bodies there. Faults where that cannot be; a warning for each body of the
/// same name that is another, and for obstacles that stand elsewhere; notes for the rest.
std::optional<EarlierRun> read_earlier_run(
    const Scene& scene, const std::filesystem::path& folder, BuildReport& report, std::vector<std::string>& notes);

} // namespace stickslip
