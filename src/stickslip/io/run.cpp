#include "stickslip/io/run.h"

#include "stickslip/bodies/elastic.h"
#include "stickslip/io/run_folder.h"
#include "stickslip/world/diagnostics.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace stickslip {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string text(const char* format, auto... values)
{
    char line[512];
    std::snprintf(line, sizeof line, format, values...);
    return line;
}

class Run {
public:
    Run(const Scene& scene, const BuiltWorld& built, const RunOptions& options, const RunListener& listener)
        : scene_(scene)
        , built_(built)
        , options_(options)
        , listener_(listener)
        , folder_(scene, built, options)
        , stepper_(built.world, built.options)
        , expectations_(scene, built)
        , state_(built.state)
        , end_(options.until.value_or(scene.time.end))
        , started_(Clock::now())
    {
    }

    RunResult run()
    {
        start();
        RunStatus status = RunStatus::done;
        while (status == RunStatus::done && !finished()) {
            if (!take_step()) {
                status = RunStatus::failed;
            } else if (options_.interrupted && *options_.interrupted && !finished()) {
                status = RunStatus::interrupted;
            }
        }
        return stop(status);
    }

private:
    // A state counts as at a time when less than a millionth of a step is missing: times are sums.
    bool reached(double time) const { return state_.time >= time - 1e-6 * built_.options.step; }
    bool finished() const { return reached(end_); }

    void say(const std::string& line)
    {
        folder_.write_log(line);
        if (listener_.message)
            listener_.message(line);
    }

    void start()
    {
        for (const std::string& complaint : folder_.complaints())
            say(complaint);
        if (const auto& from = folder_.resumed_from()) {
            state_ = from->state;
            totals_ = from->totals;
            next_frame_ = from->next_frame_time;
            next_checkpoint_ = from->next_checkpoint_time;
            wall_before_ = totals_.wall_time;
            const std::string line =
                text("resumed at %.9g s, step %llu", state_.time, static_cast<unsigned long long>(totals_.steps));
            folder_.write_log(line);
            if (listener_.note)
                listener_.note(line);
            return;
        }
        for (const std::string& note : built_.notes)
            folder_.write_log(note);
        folder_.write_frame(state_, nullptr);
        frame_time() = state_.time;
        next_frame_ = scene_.time.frame;
        next_checkpoint_ = scene_.output.checkpoint;
    }

    bool take_step()
    {
        const StepReport step = stepper_.step(state_);
        for (const FailedSolve& f : step.failures)
            say(text("t = %.9g s: solve with dt = %.6g s did not converge (%s after %d iterations in %d tries, "
                     "residual %.3g "
                     "m/s); %s",
                f.time, f.dt, to_string(f.newton.status), f.newton.iterations, f.newton.tries, f.newton.residual,
                step.done ? "tried again with half the step" : "half the step"));
        totals_.failed_solves += step.failures.size();
        if (!step.done) {
            say(text("t = %.9g s: gave up: the step would fall below %.3g s", state_.time, built_.options.min_step));
            return false;
        }
        add_to_totals(step);
        expectations_.watch(state_, stepper_.system(), step, totals_);
        const auto before_output = Clock::now();
        folder_.write_step(state_, stepper_.system(), step, totals_);
        if (reached(next_frame_)) {
            folder_.write_frame(state_, &stepper_.system());
            while (reached(next_frame_))
                next_frame_ += scene_.time.frame;
            frame_time() = state_.time;
        }
        if (reached(next_checkpoint_)) {
            while (reached(next_checkpoint_))
                next_checkpoint_ += scene_.output.checkpoint;
            if (!finished()) // stop() is about to save, before or after the last frame as is right
                save();
        }
        totals_.stage_seconds["output"] += seconds_since(before_output);
        tell_progress(step);
        return true;
    }

    void add_to_totals(const StepReport& step)
    {
        ++totals_.steps;
        ++steps_here_;
        totals_.newton_iterations += step.newton.iterations;
        totals_.krylov_iterations += step.newton.krylov_iterations;
        totals_.friction_loss += step.balance.friction_loss;
        totals_.max_penetration = std::max(totals_.max_penetration, step.max_penetration);
        totals_.wall_time = wall_before_ + seconds_since(started_);
        totals_.stage_seconds["evaluation"] += step.newton.evaluation_seconds;
        totals_.stage_seconds["assembly"] += step.newton.assembly_seconds;
        totals_.stage_seconds["linear_solve"] += step.newton.linear_seconds;
        const auto keep_largest = [&](const char* name, double value) {
            totals_.numbers[name] = std::max(totals_.numbers[name], value);
        };
        keep_largest("largest_energy_error", std::abs(step.balance.energy_error));
        keep_largest("largest_energy_rise", step.balance.change - step.balance.external_work);
        keep_largest("largest_momentum_error", step.balance.momentum_error.norm());
    }

    void tell_progress(const StepReport& step)
    {
        if (!listener_.progress)
            return;
        const double wall = seconds_since(started_);
        const double begun = folder_.resumed_from() ? folder_.resumed_from()->state.time : 0;
        listener_.progress({.time = state_.time,
            .end = end_,
            .step = &step,
            .totals = &totals_,
            .steps_per_second = static_cast<double>(steps_here_) / std::max(wall, 1e-9),
            .seconds_left = wall * (end_ - state_.time) / std::max(state_.time - begun, 1e-12)});
    }

    // [s] of the last frame; kept in checkpoints, so that going on with a finished run writes none twice.
    double& frame_time() { return totals_.numbers["frame_time"]; }

    void save()
    {
        folder_.save({.state = state_,
            .totals = totals_,
            .files = {},
            .frames_written = 0,
            .next_frame_time = next_frame_,
            .next_checkpoint_time = next_checkpoint_,
            .scene_hash = {}});
    }

    // The last frame of a run that ends is part of it. One that is only stopped for now gets a frame too, but after its
    // checkpoint: going on from there, the frame is taken back.
    RunResult stop(RunStatus status)
    {
        const bool whole = status == RunStatus::done
            && std::abs(end_ - scene_.time.end) <= 1e-6 * built_.options.step; // --until may name the end
        if (!whole)
            save();
        if (frame_time() < state_.time) {
            folder_.write_frame(state_, steps_here_ > 0 ? &stepper_.system() : nullptr);
            frame_time() = state_.time;
        }
        if (whole)
            save();
        int inverted = 0;
        for (int t = 0; t < static_cast<int>(built_.world.deformables.tets.size()); ++t)
            inverted += smallest_volume_ratio(built_.world.deformables, state_.x, {t, t + 1}) <= 0;
        totals_.numbers["inverted_elements"] = inverted;
        if (inverted > 0)
            say(text("t = %.9g s: %d elements are inverted", state_.time, inverted));
        RunResult result{.status = status,
            .totals = totals_,
            .state_hash = state_hash(state_),
            .simulated_time = state_.time,
            .expect = expectations_.judge(state_, totals_, status == RunStatus::failed ? 3 : 0)};
        folder_.write_summary(result, options_.threads, options_);
        return result;
    }

    const Scene& scene_;
    const BuiltWorld& built_;
    const RunOptions& options_;
    const RunListener& listener_;
    RunFolder folder_;
    TimeStepper stepper_;
    Expectations expectations_;
    State state_;
    RunTotals totals_;
    double end_; // [s]
    double next_frame_ = 0, next_checkpoint_ = 0; // [s]
    double wall_before_ = 0; // [s] of the runs that this one goes on with
    Clock::time_point started_;
    std::uint64_t steps_here_ = 0;
};

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

bool RunResult::expectations_hold() const
{
    return std::all_of(expect.begin(), expect.end(), [](const ExpectationResult& r) { return r.holds; });
}

RunResult run_scene(const Scene& scene, const BuiltWorld& built, const RunOptions& options, const RunListener& listener)
{
    return Run(scene, built, options, listener).run();
}

} // namespace stickslip
