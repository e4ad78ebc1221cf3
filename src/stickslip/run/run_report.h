#pragma once

#include "stickslip/build/restart/checkpoint.h"
#include "stickslip/run/output/expectations.h"
#include "stickslip/simulation/step_watch.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stickslip {

struct RunOptions {
    std::filesystem::path scene_folder; // where the scene's files are
    std::filesystem::path scene_file = {}; // its own, which a run never writes over; empty: it has none
    std::filesystem::path folder; // run folder
    std::optional<double> until; // [s] stop here instead of at the scene's end; infinite: whoever drives knows
    bool resume = false; // go on from the last good checkpoint
    bool force = false; // replace a run that is there
    int threads = 1; // for the report only
    std::vector<std::string> warnings = {}; // of the scene, for log and summary
    const std::atomic<bool>* interrupted = nullptr; // polled within and after each step: save and stop
};

/// For the progress line: after a step, or within one.
struct RunProgress {
    double time, end; // [s] simulated
    const RunTotals* totals;
    std::function<std::string()> words; // of the last step
    double steps_per_second; // of this process
    double seconds_left; // estimated
    const StepProgress* within = nullptr; // the implicit step that is being solved; null: after a step
};

/// Callbacks by which a run reports; all may be empty. Nothing is printed by the run itself.
struct RunListener {
    std::function<void(const RunProgress&)> progress;
    std::function<void(const std::string& line)> message; // a complaint; also in log.txt
    std::function<void(const std::string& line)> note; // nothing to worry about; also in log.txt
    std::function<bool()> wants_frame; // after a step: one that is not due
};

struct RunResult {
    RunStatus status = RunStatus::done;
    RunTotals totals;
    std::string state_hash;
    double simulated_time = 0;
    std::vector<ExpectationResult> expect;
    std::vector<std::string> warnings; // of the scene, why the run gave up, and what it found odd at its end
    bool expectations_hold() const;
};

} // namespace stickslip
