#pragma once

#include "stickslip/scene/scene.h"
#include "stickslip/scene/sweep_table.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stickslip {

/// Outcome of the run of a row.
struct SweepOutcome {
    std::optional<int> exit; // status of its process; nothing: it was not run
    std::string summary; // text of its summary.json; empty: none was written
};

/// The text of the summary of a run that has come to its end, well or by giving up, and is of this very scene; nothing
/// for one that has still to be run or to be gone on with.
/// Throws InputError when the folder holds a run of another scene.
std::optional<std::string> finished_summary(const std::filesystem::path& folder, const Scene& scene);

/// The exit status that the run of a finished summary ended with.
int exit_of(const std::string& summary);

/// `results` without the columns that this table has anyway, each once.
std::vector<std::string> further_columns(const SweepTable& table, const std::vector<std::string>& results);

/// One table of all rows: name, the columns of the sweep, exit, status, how many expectations hold of how many, state
/// hash, steps, simulated and wall time, greatest overlap, and what `results` names in the summaries: "friction_loss",
/// "expect[0].value", "packing.coordination". A field is empty where a summary has nothing there.
std::string sweep_summary(
    const SweepTable& table, const std::vector<SweepOutcome>& outcomes, const std::vector<std::string>& results);

/// Those of `results` that no summary has.
std::vector<std::string> unknown_results(
    const std::vector<SweepOutcome>& outcomes, const std::vector<std::string>& results);

} // namespace stickslip
