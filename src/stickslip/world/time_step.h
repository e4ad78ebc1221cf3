#pragma once

#include "stickslip/solver/preconditioners/make_preconditioner.h"
#include "stickslip/world/ahead/turns_ahead.h"
#include "stickslip/world/audit/step_audit.h"
#include "stickslip/world/diagnostics.h"
#include "stickslip/world/step_progress.h"
#include "stickslip/world/step_solve.h"
#include "stickslip/world/world.h"

#include <chrono>
#include <functional>
#include <limits>
#include <vector>

namespace stickslip {

struct StepOptions {
    double step = 0.01; // [s] nominal dt
    double min_step = 0; // [s] the solver gives up below; 0: step/1024
    double max_step = 0; // [s] of an adaptive run; 0: step
    bool adaptive = false;
    double max_seconds = std::numeric_limits<double>::infinity(); // of wall time, for one call of step()
    std::function<void(const StepProgress&)> watch; // called between two iterations
    NewtonOptions newton; // tolerance in m/s; its deadline and watch are the stepper's own
    PreconditionerKind preconditioner = PreconditionerKind::automatic;
};

/// Default Newton tolerance [m/s]: 1e-6 |g| dt, 1e-9 without gravity.
double automatic_tolerance(const World& world, double step);

/// Twice the velocity error [m/s] that rounding of positions by eps |x| makes in one step, of the body for which it is
/// largest: no solve need get lower (docs/derivations.md#one-step).
double attainable_tolerance(const World& world, const State& state, double step);

/// A solve that was thrown away: it did not converge, bodies have gone into one another without a contact, or what
/// deforms gained energy that nothing gave it. Or it was not begun: a body that touches others turns too far for the
/// step, or a material point is off the grid.
struct FailedSolve {
    double time; // [s] start of the step
    double dt; // [s] tried
    NewtonReport newton;
    std::vector<UnfeltOverlap> unfelt; // ContactSet::unfelt_overlaps

    bool was_begun() const
    {
        return newton.status != NewtonStatus::turns_too_far && newton.status != NewtonStatus::off_grid;
    }
};

struct StepReport {
    bool done = false; // false: the solver gave up or was ended, the state is as it was
    bool stopped = false; // by NewtonOptions::stop, whatever failed before
    bool out_of_time = false; // ended by max_seconds, whatever failed before
    bool divided = false; // before it was solved: see TimeStepper
    int turning = -1; // the body for which it was, as in contact_law.h, since that turns too fast; -1: material points
    double dt = 0; // [s] of the step taken
    NewtonReport newton; // of the accepted solve
    std::vector<FailedSolve> failures; // before it, also those that were not begun
    std::vector<UnfeltOverlap> unfelt; // taken although shorter steps did not keep them apart either
    StepBalance balance;
    int contacts = 0, sticking = 0, sliding = 0;
    double max_contact_depth = 0; // [m]
    double balance_seconds = 0; // wall time of what comes after the solve: attachments, balances

    /// Costs of all solves of the step, also those thrown away.
    NewtonReport costs() const;
    int failed_solves() const; // of those that were begun
};

/// Advances a state step by step. A solve that does not converge is thrown away, reported and tried again with half the
/// step; the two halves (or four quarters, ...) make up a whole step again, so that a run's steps stay on their grid.
/// A step in which material points would cross more than a cell of their grid, or a body whose turn matters would turn
/// by more than 1 rad (TurnsAhead), if nothing slowed them down, is halved before it is solved. So is the step after a
/// solve of more than 100 Newton iterations, down to an eighth; a larger step is tried again after a solve of at
/// most 15. Stiffness does not depend on it. An adaptive run has no grid: dt halves after a failure or more than 15
/// Newton iterations, grows by a quarter after at most 6, within [min_step, max_step], and is kept below half an
/// element size (of material points: half a spacing of their grid) over the largest speed.
class TimeStepper {
public:
    /// Keeps a reference to `world`.
    TimeStepper(const World& world, const StepOptions& options);
    TimeStepper(const TimeStepper&) = delete;
    TimeStepper& operator=(const TimeStepper&) = delete;

    /// One step, or part of one after a failure. Paper: Alg 1 TIME_STEP
    StepReport step(State& state);

    /// Contacts and forces of the last accepted step.
    const BackwardEuler& system() const { return system_; }
    const StepOptions& options() const { return options_; }

private:
    NewtonReport solve(const State& state, double dt);
    void begin_clock();
    void show(const NewtonReport& newton);
    double choose_dt(const State& state) const;
    double slowed(double dt, const State& state) const;
    void divide(State& state, StepReport& report) const;
    Turn not_to_be_shown(const State& state, double dt) const;
    static void refine(StepClock& clock);
    bool halve(State& state, double dt) const;
    void advance_clock(State& state, double dt, const NewtonReport& newton) const;
    bool take(State& state, FailedSolve& tried, StepReport& report);
    State end_of_step(const State& state, const FailedSolve& solved) const;

    const World* world_;
    StepOptions options_;
    BackwardEuler system_;
    StepSolve solve_;
    TurnsAhead turns_;
    StepAudit audit_;
    std::chrono::steady_clock::time_point began_; // the step that is being solved
    StepProgress progress_;
};

} // namespace stickslip
