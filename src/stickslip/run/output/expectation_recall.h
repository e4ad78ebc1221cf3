#pragma once

#include "stickslip/run/output/expectations.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stickslip {

/// Of a run that goes on [s].
struct RunClock {
    double start; // when the run began
    double now; // what is done
    double step; // nominal
};

/// Notes that what the scene expects is watched from the beginning of the run.
void note_expectations(const Scene& scene, RunTotals& totals);

/// Begins to watch what a scene expects of a run that goes on, and did not when it began: the past is in the tables
/// of the run folder. Where they do not tell (slip, the depth at one body, single solves, the force at a moment that
/// has passed), what accumulates counts from now on, what was to be judged at a moment does not hold, and a line says
/// so. Errors: FileError when a table cannot be read.
std::vector<std::string> recall_expectations(
    const Scene& scene, const std::filesystem::path& folder, const RunClock& clock, RunTotals& totals);

} // namespace stickslip
