#pragma once

#include "stickslip/run/run.h"

#include <chrono>
#include <string>

namespace stickslip {

/// The progress line on stderr: rewrites itself on a terminal; elsewhere a plain line now and then (every tenth of the
/// run, at most one in ten seconds but for the first and the last). A step that takes longer than a second is told of:
/// on a terminal all the while, elsewhere whenever it has taken twice as long as it had.
class ProgressLine {
public:
    explicit ProgressLine(bool quiet);

    void show(const RunProgress& progress);

    /// A message above the line. Shown even when quiet.
    void message(const std::string& line);

    /// The same for what need not worry anyone; not shown when quiet.
    void note(const std::string& line);

    /// Ends the line.
    void finish();

private:
    bool due(const RunProgress& progress);
    bool due_within(const StepProgress& step);
    void show(const std::string& line);

    bool quiet_, terminal_;
    bool line_open_ = false;
    std::chrono::steady_clock::time_point last_{};
    double next_share_ = 0; // of the run, for plain lines
};

} // namespace stickslip
