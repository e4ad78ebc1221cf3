#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/build/restart/checkpoint.h"
#include "stickslip/run/output/expectations.h"
#include "stickslip/run/run_report.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace stickslip {

class RunFolder;

/// Who looks on while a long step is solved, and may end it.
struct StepWatch {
    const std::atomic<bool>* stop = nullptr; // polled; null: nobody
    std::function<void(const StepProgress&)> progress; // may be empty
};

/// What a run steps and writes, chosen once when it begins: bodies by implicit steps, or spheres by explicit ones.
/// The run itself (run.cpp) keeps the moments of frames and checkpoints, totals and the end.
class Simulation {
public:
    using Say = std::function<void(const std::string&)>;

    virtual ~Simulation() = default;

    virtual double time() const = 0; // [s]
    virtual double step() const = 0; // [s] nominal
    /// First row of each table.
    virtual std::map<std::string, std::string> tables() const = 0;

    /// One step; or several, up to the first at `until` [s]. Adds to the totals, watches expectations. Failed: it gave
    /// up, which it says. Interrupted: it was stopped within a step; all is as it was before that.
    virtual RunStatus advance(double until, RunTotals& totals, const Say& say) = 0;
    /// Whether the state may be saved and shown; not after some ways of giving up.
    virtual bool is_sound() const { return true; }

    /// After each advance. False when it gives up because of what the rows show, which it says.
    virtual bool write_rows(RunFolder& folder, RunTotals& totals, const Say& say) = 0;
    virtual void write_frame(RunFolder& folder) = 0;
    /// Last words, numbers for the summary; what a step cost that was not finished, after the last checkpoint: going
    /// on, it is taken again. `recall`: what was told before, for log and summary only.
    virtual void finish(RunFolder& folder, RunTotals& totals, const Say& say, const Say& recall) = 0;

    virtual void save(Checkpoint& checkpoint) const = 0;
    /// Goes on from there; totals are those of the checkpoint. InputError when the state does not belong to the scene.
    virtual void restore(const Checkpoint& checkpoint, RunTotals& totals) = 0;
    virtual std::string hash() const = 0;
    virtual std::vector<ExpectationResult> judge(const RunTotals& totals, int status) const = 0;
    virtual std::string progress() const = 0; // of the last step, for the progress line
};

/// Keeps references. `folder`: of the run. Explicit steps are short: nobody watches them.
std::unique_ptr<Simulation> make_simulation(
    const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder, const StepWatch& watch);
std::unique_ptr<Simulation> make_implicit_simulation(
    const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder, const StepWatch& watch);
std::unique_ptr<Simulation> make_granular_simulation(
    const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder);

} // namespace stickslip
