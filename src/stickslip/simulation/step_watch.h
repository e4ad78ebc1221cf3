#pragma once

#include "stickslip/world/step_progress.h"

#include <atomic>
#include <functional>
#include <string>

namespace stickslip {

/// Outcome of a step, or of a run of steps.
enum class RunStatus {
    done,
    failed, // the solver gave up, or what moves went astray: the message says why
    interrupted // stopped from outside within a step: all is as it was before that step
};
const char* to_string(RunStatus status);

/// Takes one message, a line without its end.
using Say = std::function<void(const std::string& line)>;

/// Callbacks while a long implicit step is solved, which may end it. Explicit steps are short and have none.
struct StepWatch {
    const std::atomic<bool>* stop = nullptr; // polled between two Newton iterations; null: nobody
    std::function<void(const StepProgress&)> progress; // called there; may be empty
};

} // namespace stickslip
