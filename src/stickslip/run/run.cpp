#include "stickslip/run/run.h"

#include "stickslip/run/recording.h"

#include <algorithm>

namespace stickslip {

bool RunResult::expectations_hold() const
{
    return std::all_of(expect.begin(), expect.end(), [](const ExpectationResult& r) { return r.holds; });
}

RunResult run_scene(const Scene& scene, BuiltWorld built, const RunOptions& options, const RunListener& listener)
{
    Recording* listening = nullptr; // ends before the simulation that it looks at
    Simulation simulation(scene, std::move(built),
        {.stop = options.interrupted,
            .progress = [&](const StepProgress& step) { listening->tell(step); },
            .message = [&](const std::string& line) { listening->say(line); }});
    const std::unique_ptr<Recording> recording = record(simulation, options, listener);
    listening = recording.get();
    const double end = options.until.value_or(scene.time.end);
    const auto finished = [&] { return simulation.time() >= end - 1e-6 * simulation.time_step(); }; // times are sums
    RunStatus status = RunStatus::done;
    while (status == RunStatus::done && !finished()) {
        status = simulation.advance(std::min(end, recording->next_moment()));
        recording->step_taken(status);
        if (status == RunStatus::done && options.interrupted && *options.interrupted && !finished())
            status = RunStatus::interrupted;
    }
    return recording->finish(status);
}

} // namespace stickslip
