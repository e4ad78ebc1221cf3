#include "stickslip/simulation/explicit_stepping.h"

#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace stickslip {

namespace {

using Clock = std::chrono::steady_clock;

} // namespace

ExplicitStepping::ExplicitStepping(const Scene& scene, const BuiltGranular& granular)
    : scene_(scene)
    , granular_(granular)
    , system_(granular.world, granular.grains)
    , inlets_outlets_(scene, granular)
    , row_interval_(stickslip::row_interval(scene))
{
    if (granular.earlier)
        system_.take_contacts(*granular.earlier, granular.successors);
}

// A state counts as at a time when less than a millionth of a step is missing: times are sums.
bool ExplicitStepping::reached(double moment) const
{
    return time() >= moment - 1e-6 * dt();
}

double& ExplicitStepping::next_row(RunTotals& totals) const
{
    if (!totals.next_row_time)
        totals.next_row_time = granular_.world.start_time + row_interval_;
    return *totals.next_row_time;
}

RunStatus ExplicitStepping::advance(
    double until, RunTotals& totals, const Say& say, const std::function<void(bool is_row)>& look)
{
    departures_.clear();
    const double left = std::ceil((std::min(until, next_row(totals)) - time()) / dt() - 1e-6);
    const auto count = static_cast<int>(std::clamp(left, 1.0, most_steps_));
    const long before = system_.state().steps;
    const auto start = Clock::now();
    const bool good = system_.step(count);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    most_steps_ = std::clamp(0.1 * count / std::max(seconds, 1e-9), 1.0, 1e4);
    totals.steps += static_cast<std::uint64_t>(system_.state().steps - before);
    keep_times(totals);
    if (!good) {
        sound_ = false;
        tell_of_trouble(say);
        return RunStatus::failed;
    }
    if (!stays_outside(totals, say))
        return RunStatus::failed;
    const bool is_row = reached(next_row(totals));
    if (is_row)
        ledger_ = system_.ledger();
    while (reached(next_row(totals)))
        next_row(totals) += row_interval_;
    if (look)
        look(is_row);
    return is_row ? pass_row(totals, say) : RunStatus::done;
}

RunStatus ExplicitStepping::pass_row(RunTotals& totals, const Say& say)
{
    departures_ = inlets_outlets_.pass(system_, row_interval_, totals);
    return !scene_.output.energy || accounts_for(totals, say) ? RunStatus::done : RunStatus::failed;
}

void ExplicitStepping::finish(RunTotals& totals, const Say& say, const Say& recall) const
{
    inlets_outlets_.finish(totals, say);
    recall_troubles(totals, say, recall);
    totals.last.time_step = dt();
    totals.last.spheres = system_.state().spheres.size();
    totals.last.rebuilds = static_cast<std::uint64_t>(system_.state().rebuilds);
    if (scene_.output.energy && sound_) {
        const EnergyLedger e = system_.ledger();
        totals.friction_loss = e.friction_loss + e.rolling_loss;
    }
}

void ExplicitStepping::restore(const GranularState& state, const RunTotals& totals)
{
    system_.restore(state);
    earlier_seconds_ = totals.stage_seconds;
    sound_ = true;
    departures_.clear();
}

void ExplicitStepping::tell_of_trouble(const Say& say) const
{
    const StepTrouble& trouble = system_.trouble();
    if (trouble.is_too_fast())
        say(formatted("t = %.9g s: gave up: sphere %d moves %.3g of its radius in one step of %.3g s and may miss "
                      "contacts; use a shorter step or stiffer contacts",
            time(), trouble.sphere, trouble.travel, dt()));
    else
        say(formatted("t = %.9g s: gave up: positions diverged (not finite); the time step %.3g s may be too long",
            time(), dt()));
}

/// At the end: the worst of what was said on the way; of walls again where it has become twice as bad since.
void ExplicitStepping::recall_troubles(const RunTotals& totals, const Say& say, const Say& recall) const
{
    if (const double reported = totals.reported_in_wall; reported > 0) {
        const double deepest = *totals.deepest_in_wall;
        (deepest > 2 * reported ? say : recall)(formatted(
            "t = %.9g s: warning: spheres overlapped a wall by up to %.3g of their radius and may have passed "
            "through; use a shorter step or stiffer contacts",
            time(), deepest));
    }
    if (totals.reported_violation > 0)
        recall(formatted("t = %.9g s: warning: energy balance violated by up to %.2g %% of the total input; try a "
                         "shorter step, or stiffer contacts where spheres lie in tips and dents of their own radius",
            time(), 100 * totals.worst_violation));
}

/// Says when a sphere is pressed far into a wall; false when it went through.
bool ExplicitStepping::stays_outside(RunTotals& totals, const Say& say) const
{
    constexpr double far = 0.5;
    const StepTrouble& trouble = system_.trouble();
    if (trouble.wall >= 0) {
        const double deepest = std::max(totals.deepest_in_wall.value_or(0), trouble.deepest);
        totals.deepest_in_wall = deepest;
        if (deepest > far && totals.reported_in_wall == 0) {
            totals.reported_in_wall = deepest;
            say(formatted("t = %.9g s: warning: a sphere overlaps \"%s\" by %.3g of its radius and may pass through; "
                          "use a shorter step or stiffer contacts",
                time(), name_of_wall(trouble.wall), deepest));
        }
    }
    if (trouble.passed < 0)
        return true;
    say(formatted(
        "t = %.9g s: gave up: a sphere passed through the surface of \"%s\"; use a shorter step or stiffer contacts",
        time(), name_of_wall(trouble.passed)));
    return false;
}

/// Says when energy came from nowhere or was lost, again when it is twice as much; false when half as much as there
/// ever was came from nowhere.
bool ExplicitStepping::accounts_for(RunTotals& totals, const Say& say) const
{
    constexpr double much = 0.03; // [-] of all that was given; steps at `safety` 0.4 cost 0.01
    const EnergyLedger& e = ledger_;
    double& given = totals.largest_energy_input;
    const double well = std::max(-e.elastic_normal, 0.0); // adhesion gives too
    // a wall that touches first is off by about what it gives in a step, and has given no more yet
    constexpr double first_steps = 20;
    const double begun = first_steps * std::abs(system_.state().last_step.wall);
    given = std::max(given,
        std::abs(e.first) + std::abs(e.gravity_work) + std::abs(e.wall_work) + std::abs(e.load_work) + well + begun);
    double& reported = totals.reported_violation;
    const double share = std::abs(e.imbalance()) / given;
    totals.worst_violation = std::max(totals.worst_violation, share);
    if (share > std::max(much, 2 * reported)) {
        reported = share;
        say(formatted(
            "t = %.9g s: warning: energy balance violated by %.3g J, %.2g %% of the total input; try a shorter "
            "step, or stiffer contacts where spheres lie in tips and dents of their own radius",
            time(), e.imbalance(), 100 * share));
    }
    if (!(e.imbalance() > 0.5 * given))
        return true;
    const std::string gain = formatted(
        "t = %.9g s: gave up: energy balance violated by %.3g J (total input %.3g J): ", time(), e.imbalance(), given);
    if (dt() > granular_.stability_limit)
        say(gain
            + formatted("the time step %.3g s is too long, above the stability limit of about %.3g s", dt(),
                granular_.stability_limit));
    else
        say(gain
            + formatted("the time step %.3g s is below the stability limit of about %.3g s; try a shorter one. If that "
                        "does not help, look for meshes with `edges: zones` or with dents narrower than a sphere",
                dt(), granular_.stability_limit));
    return false;
}

void ExplicitStepping::keep_times(RunTotals& totals) const
{
    const StageTimes& t = system_.times();
    for (const auto& [name, seconds] :
        {std::pair("neighbours", t.rebuild), {"pairs", t.pairs}, {"walls", t.walls}, {"motion", t.motion}}) {
        const auto earlier = earlier_seconds_.find(name);
        totals.stage_seconds[name] = seconds + (earlier == earlier_seconds_.end() ? 0 : earlier->second);
    }
}

} // namespace stickslip
