#pragma once

#include "stickslip/run/run_report.h"
#include "stickslip/simulation/simulation.h"

#include <memory>

namespace stickslip {

/// Keeps the run folder of a simulation (docs/run_folder.md) while others drive it: tables, frames, checkpoints, log,
/// summary. Looks on, changes nothing.
class Recording {
public:
    virtual ~Recording() = default;

    /// [s] The next step, or the last of several explicit ones, must not go beyond: a frame, a row or a checkpoint is
    /// due there.
    virtual double next_moment() const = 0;
    /// To be called after each advance of the simulation. FileError: something cannot be written.
    virtual void step_taken(RunStatus status) = 0;
    /// Within a step.
    virtual void tell(const StepProgress& step) const = 0;
    /// A message of the simulation, for the log.
    virtual void say(const std::string& line) = 0;
    /// Last frame, checkpoint and summary; nothing else may be called then. status: of the last advance.
    virtual RunResult finish(RunStatus status) = 0;
};

/// Begins with the present state, or goes on with the run in the folder (options.resume), which is put into the
/// simulation. The references must outlive the recording; the simulation must not go back meanwhile. Errors as of
/// run_scene().
std::unique_ptr<Recording> record(Simulation& simulation, const RunOptions& options, const RunListener& listener);

} // namespace stickslip
