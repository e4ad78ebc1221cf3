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
    if (trouble.points.jump > 0)
        say(formatted("t = %.9g s: gave up: \"%s\" moves %.3g m into \"%s\" in one step of %.3g s, more than half the "
                      "thickness of one of them, and may miss contacts; use a shorter step or stiffer contacts",
            time(), name_of_wall(trouble.points.jumped.wall), trouble.points.jump,
            name_of_wall(trouble.points.jumped.solid), dt()));
    else if (trouble.is_too_fast())
        say(formatted("t = %.9g s: gave up: sphere %d moves %.3g of its radius in one step of %.3g s and may miss "
                      "contacts; use a shorter step or stiffer contacts",
            time(), trouble.sphere, trouble.travel, dt()));
    else
        say(formatted("t = %.9g s: gave up: positions diverged (not finite); the time step %.3g s may be too long",
            time(), dt()));
}

/// At the end: the worst of what was said on the way; of overlaps again where it has become twice as bad since.
void ExplicitStepping::recall_troubles(const RunTotals& totals, const Say& say, const Say& recall) const
{
    const auto recall_overlap = [&](const OverlapRecord& overlap, const char* who, const char* whom, const char* of) {
        if (overlap.reported > 0)
            (*overlap.deepest > 2 * overlap.reported ? say : recall)(
                formatted("t = %.9g s: warning: %s overlapped %s by up to %.3g of %s and may have passed through; use "
                          "a shorter step or stiffer contacts",
                    time(), who, whom, *overlap.deepest, of));
    };
    recall_overlap(totals.in_wall, "spheres", "a wall", "their radius");
    recall_overlap(totals.in_sphere, "spheres", "each other", "the smaller radius");
    recall_overlap(totals.in_solid, "points of bodies", "a solid", "half the thickness of the thinner one");
    if (totals.reported_violation > 0)
        recall(formatted("t = %.9g s: warning: energy balance violated by up to %.2g %% of the total input; try a "
                         "shorter step, or stiffer contacts where spheres lie in tips and dents of their own radius",
            time(), 100 * totals.worst_violation));
}

/// Says when a sphere is pressed far into a wall or another, or a body into another; false when it went through.
bool ExplicitStepping::stays_outside(RunTotals& totals, const Say& say) const
{
    constexpr double far = far_overlap;
    const StepTrouble& trouble = system_.trouble();
    const PointTrouble& points = trouble.points;
    const auto keep = [&](double now, OverlapRecord& overlap, const std::string& who, const std::string& whom,
                          const char* of) {
        const double deepest = std::max(overlap.deepest.value_or(0), now);
        overlap.deepest = deepest;
        if (deepest <= far || overlap.reported > 0)
            return;
        overlap.reported = deepest;
        say(formatted("t = %.9g s: warning: %s overlaps %s by %.3g of %s and may pass through; use a shorter step or "
                      "stiffer contacts",
            time(), who.c_str(), whom.c_str(), deepest, of));
    };
    const auto passed = [&](const std::string& who, int whom) {
        say(formatted(
            "t = %.9g s: gave up: %s passed through the surface of \"%s\"; use a shorter step or stiffer contacts",
            time(), who.c_str(), name_of_wall(whom)));
        return false;
    };
    if (trouble.wall >= 0)
        keep(trouble.deepest, totals.in_wall, "a sphere", quoted_wall(trouble.wall), "its radius");
    if (trouble.first >= 0)
        keep(trouble.deepest_pair, totals.in_sphere, formatted("sphere %d", trouble.first),
            formatted("sphere %d", trouble.second), "the smaller radius");
    if (points.at.wall >= 0) {
        const bool is_ball = granular_.world.walls[points.at.wall].points[points.at.point].radius > 0;
        keep(points.deepest, totals.in_solid, quoted_wall(points.at.wall), quoted_wall(points.at.solid),
            is_ball ? "its radius" : "half the thickness of the thinner one");
    }
    if (trouble.passed_first >= 0) {
        say(formatted("t = %.9g s: gave up: sphere %d passed through sphere %d; use a shorter step or stiffer contacts",
            time(), trouble.passed_first, trouble.passed_second));
        return false;
    }
    if (trouble.passed >= 0)
        return passed("a sphere", trouble.passed);
    return points.passed.wall < 0 || passed(quoted_wall(points.passed.wall), points.passed.solid);
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
