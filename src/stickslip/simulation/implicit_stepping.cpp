#include "stickslip/simulation/implicit_stepping.h"

#include "stickslip/bodies/elastic.h"
#include "stickslip/math/stopwatch.h"
#include "stickslip/mpm/sparse_grid.h"
#include "stickslip/scene/text/wording.h"
#include "stickslip/simulation/run_remarks.h"
#include "stickslip/world/diagnostics.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

StepOptions watched(StepOptions options, const StepWatch& watch)
{
    options.newton.stop = watch.stop;
    options.watch = watch.progress;
    return options;
}

bool found_a_root(NewtonStatus status)
{
    return status == NewtonStatus::turned_too_far || status == NewtonStatus::moved_too_far
        || status == NewtonStatus::gained_energy;
}

// Where most directions came from linear solves that failed, these are what failed.
std::string linear_trouble(const NewtonReport& newton)
{
    if (2 * newton.failed_linear_solves <= newton.iterations)
        return {};
    return formatted("; %d linear solves did not converge either: try another solver.preconditioner, lu for one",
        newton.failed_linear_solves);
}

} // namespace

const char* to_string(RunStatus status)
{
    switch (status) {
    case RunStatus::done:
        return "done";
    case RunStatus::failed:
        return "failed";
    case RunStatus::interrupted:
        return "interrupted";
    }
    return "unknown";
}

ImplicitStepping::ImplicitStepping(const Scene& scene, const BuiltWorld& built, const StepWatch& watch)
    : scene_(scene)
    , built_(built)
    , stepper_(built.world, watched(built.options, watch))
    , watch_(built.world, built.state, scene.time, scene.solver.audit)
    , state_(built.state)
{
}

RunStatus ImplicitStepping::advance(RunTotals& totals, const Say& say)
{
    next_ = state_;
    step_began_ = state_.time;
    has_contacts_ = false;
    step_ = stepper_.step(next_);
    add_seconds(totals); // also of a step that is taken again when the run goes on, as in wall_time
    if (step_.stopped) // it fails again, if it does, when the run goes on
        return RunStatus::interrupted;
    tell_of_failures(say);
    if (!step_.done) {
        say(why_given_up(totals));
        return RunStatus::failed;
    }
    tell_of_divided(totals, say);
    add_counts(totals);
    const Stopwatch watch(totals.stage_seconds["balance"]);
    if (!watch_.take_step(state_, next_, stepper_.system().contacts(), step_.unfelt, totals, say))
        return RunStatus::failed;
    watch_gains(energies(built_.world, state_), energies(built_.world, next_), step_.balance,
        tolerated_energy(built_.world, built_.options.newton.tolerance), next_.time, totals, say);
    state_ = next_; // copied: its arrays stay where they are
    has_contacts_ = true;
    add_step(totals);
    return RunStatus::done;
}

void ImplicitStepping::finish(RunTotals& totals, const Say& say, const Say& recall)
{
    if (!step_.done)
        add_counts(totals);
    int inverted = 0;
    for (int t = 0; t < static_cast<int>(built_.world.deformables.tets.size()); ++t)
        inverted += smallest_volume_ratio(built_.world.deformables, state_.x, {t, t + 1}) <= 0;
    totals.last.inverted_elements = inverted;
    if (inverted > 0)
        say(formatted("t = %.9g s: %d elements are inverted", state_.time, inverted));
    if (has_contacts_)
        tell_of_depth(built_.world, state_, stepper_.system(), step_.max_contact_depth, totals, say);
    watch_.look_at_last(state_, totals, say);
    tell_of_gains(totals, state_.time, say);
    watch_.tell_worst(totals, say, recall);
}

void ImplicitStepping::restore(const State& state)
{
    state_ = state;
    step_ = {.done = true};
    step_began_ = state.time;
    has_contacts_ = false;
}

/// Of all solves of the step, also those thrown away.
void ImplicitStepping::add_counts(RunTotals& totals) const
{
    const NewtonReport costs = step_.costs();
    totals.newton_iterations += costs.iterations;
    totals.krylov_iterations += costs.krylov_iterations;
    totals.evaluations += costs.evaluations;
    totals.descent_steps += costs.descent_steps;
    totals.divided_steps += step_.divided;
    if (!step_.stopped)
        totals.failed_solves += static_cast<std::uint64_t>(step_.failed_solves());
}

void ImplicitStepping::add_seconds(RunTotals& totals) const
{
    const NewtonReport costs = step_.costs();
    totals.stage_seconds["evaluation"] += costs.evaluation_seconds;
    totals.stage_seconds["assembly"] += costs.assembly_seconds;
    totals.stage_seconds["linear_solve"] += costs.linear_seconds;
    totals.stage_seconds["balance"] += step_.balance_seconds;
}

void ImplicitStepping::add_step(RunTotals& totals) const
{
    ++totals.steps;
    totals.friction_loss += step_.balance.friction_loss;
    totals.max_contact_depth = std::max(totals.max_contact_depth, step_.max_contact_depth);
    const auto keep_largest = [](double& largest, double value) { largest = std::max(largest, value); };
    keep_largest(totals.largest_energy_error, std::abs(step_.balance.energy_error));
    keep_largest(totals.largest_energy_rise, step_.balance.change - step_.balance.external_work);
    keep_largest(totals.largest_momentum_error, step_.balance.momentum_error.norm());
}

void ImplicitStepping::tell_of_failures(const Say& say) const
{
    for (const FailedSolve& f : step_.failures)
        if (!f.unfelt.empty()) {
            const UnfeltOverlap& o = f.unfelt.front();
            say(formatted("t = %.9g s: \"%s\" and \"%s\" overlap by %.3g m undetected in a step of %.6g s; %s", f.time,
                contact_body_name(built_.world, o.body).c_str(), contact_body_name(built_.world, o.other).c_str(),
                o.depth, f.dt, what_follows(f)));
        } else if (f.was_begun()) {
            say(formatted("t = %.9g s: solve with dt = %.6g s %s (%s after %d iterations in %d tries, residual %.3g "
                          "m/s%s); %s",
                f.time, f.dt, found_a_root(f.newton.status) ? "was thrown away" : "did not converge",
                to_string(f.newton.status), f.newton.iterations, f.newton.tries, f.newton.residual,
                linear_trouble(f.newton).c_str(), what_follows(f)));
        }
}

/// The first time.
void ImplicitStepping::tell_of_divided(const RunTotals& totals, const Say& say) const
{
    if (!step_.divided || totals.divided_steps > 0)
        return;
    if (step_.turning >= 0)
        say(formatted("t = %.9g s: \"%s\" would turn by more than 1 rad in a step of %.6g s: such steps are divided "
                      "(summary.json: divided_steps)",
            step_began_, contact_body_name(built_.world, step_.turning).c_str(), built_.options.step));
    else
        say(formatted(
            "t = %.9g s: material points would cross more than a cell of %.6g m in a step of %.6g s: such steps "
            "are divided (summary.json: divided_steps)",
            step_began_, built_.world.mpm.grid, built_.options.step));
}

const char* ImplicitStepping::what_follows(const FailedSolve& f) const
{
    if (step_.done)
        return "retrying with half the step";
    return step_.out_of_time && &f == &step_.failures.back() ? "no time is left" : "half the step";
}

std::string ImplicitStepping::why_given_up(const RunTotals& totals) const
{
    if (const auto lost = first_off_grid(state_.mpm.x, built_.world.mpm.grid)) {
        const MpmSet& set = built_.world.mpm;
        const Vec3& x = state_.mpm.x[*lost];
        return formatted("t = %.9g s: gave up: a particle of \"%s\" is at (%.6g, %.6g, %.6g) m, farther than 2^20 grid "
                         "spacings of %.6g m from the origin",
            state_.time, set.bodies[set.body_of_particle[*lost]].name.c_str(), x.x(), x.y(), x.z(), set.grid);
    }
    if (!step_.out_of_time && step_.turning >= 0 && step_.failures.back().newton.status == NewtonStatus::turns_too_far)
        return formatted("t = %.9g s: gave up: \"%s\" turns by more than 1 rad in the shortest step, of %.3g s",
            state_.time, contact_body_name(built_.world, step_.turning).c_str(), step_.failures.back().dt);
    if (!step_.out_of_time)
        return formatted(
            "t = %.9g s: gave up: the solver needs a step below %.3g s", state_.time, built_.options.min_step);
    return (scene_.source ? scene_.source->file + ": " : "")
        + formatted("t = %.9g s: gave up: step %llu took longer than solver.max_seconds = %.6g s; residual %.3g m/s, "
                    "tolerance %.3g m/s",
            state_.time, static_cast<unsigned long long>(totals.steps + 1), built_.options.max_seconds,
            step_.failures.back().newton.residual, built_.options.newton.tolerance);
}

} // namespace stickslip
