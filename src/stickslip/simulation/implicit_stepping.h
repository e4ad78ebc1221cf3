#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/build/restart/checkpoint.h"
#include "stickslip/simulation/run_watch.h"
#include "stickslip/simulation/step_watch.h"

#include <string>

namespace stickslip {

/// A scene in implicit steps: its state, who solves them, and the watch for what contact does not detect.
class ImplicitStepping {
public:
    /// Keeps references.
    ImplicitStepping(const Scene& scene, const BuiltWorld& built, const StepWatch& watch);

    double time() const { return state_.time; } // [s]
    double dt() const { return built_.options.step; } // [s] nominal

    /// One step, or part of one after a failure. Adds to the totals.
    RunStatus advance(RunTotals& totals, const Say& say);

    /// Last words and sums of a run. `recall`: what was told before.
    void finish(RunTotals& totals, const Say& say, const Say& recall);

    const State& state() const { return state_; }
    State& state() { return state_; }
    void restore(const State& state);

    /// The last step and when it began [s]; done, of none yet.
    const StepReport& report() const { return step_; }
    double step_began() const { return step_began_; }

    /// Contacts and forces at the end of the last step; null where no step led to the state: at first, after restore().
    const BackwardEuler* system() const { return has_contacts_ ? &stepper_.system() : nullptr; }

private:
    void add_counts(RunTotals& totals) const;
    void add_seconds(RunTotals& totals) const;
    void add_step(RunTotals& totals) const;
    void tell_of_failures(const Say& say) const;
    void tell_of_divided(const RunTotals& totals, const Say& say) const;
    const char* what_follows(const FailedSolve& f) const;
    std::string why_given_up(const RunTotals& totals) const;

    const Scene& scene_;
    const BuiltWorld& built_;
    TimeStepper stepper_;
    RunWatch watch_;
    State state_; // its arrays never move: views of them stay valid
    State next_; // where a step may bring it; of use within advance()
    StepReport step_{.done = true};
    double step_began_ = 0; // [s]
    bool has_contacts_ = false;
};

} // namespace stickslip
