#include "stickslip/run/recording.h"

#include "stickslip/math/stopwatch.h"
#include "stickslip/run/granular_recorder.h"
#include "stickslip/run/implicit_recorder.h"
#include "stickslip/run/output/expectation_recall.h"
#include "stickslip/run/output/output_moments.h"
#include "stickslip/run/run_folder.h"
#include "stickslip/scene/text/wording.h"
#include "stickslip/simulation/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace stickslip {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The moments of frames and checkpoints, log and summary. Recorder: of implicit or of explicit simulations.
template <typename Recorder>
class RecordingBy final : public Recording {
public:
    RecordingBy(Simulation& simulation, const RunOptions& options, const RunListener& listener)
        : options_(options)
        , listener_(listener)
        , simulation_(simulation)
        , parts_(simulation_.parts())
        , scene_(parts_.scene)
        , totals_(parts_.totals)
        , recorder_(parts_, options.folder)
        , folder_(scene_, parts_.built, options, recorder_.tables())
        , end_(options.until.value_or(scene_.time.end))
        , started_(Clock::now())
        , saved_(started_)
    {
        start();
        parts_.look = [this](bool is_row) { look(is_row); };
    }

    ~RecordingBy() override { parts_.look = {}; }
    RecordingBy(const RecordingBy&) = delete;
    RecordingBy& operator=(const RecordingBy&) = delete;

    double next_moment() const override
    {
        return std::min({next_frame_, next_checkpoint_, recorder_.next_moment(totals_)});
    }

    void step_taken(RunStatus status) override
    {
        keep_wall_time();
        recorder_.write_departures(folder_);
        if (status != RunStatus::done)
            return;
        write();
        tell_progress();
    }

    void tell(const StepProgress& step) const override { tell_progress(&step); }

    void say(const std::string& line) override
    {
        last_said_ = line;
        folder_.write_log(line);
        if (listener_.message)
            listener_.message(line);
    }

    RunResult finish(RunStatus status) override { return stop(status); }

private:
    // A state counts as at a time when less than a millionth of a step is missing: times are sums.
    bool reached(double time) const { return simulation_.time() >= time - 1e-6 * simulation_.time_step(); }
    bool finished() const { return reached(end_); }
    // `until` may name the scene's end; without an end, time may have come to it.
    bool ends_with_scene() const
    {
        const double step = simulation_.time_step();
        return std::isfinite(end_) ? std::abs(end_ - scene_.time.end) <= 1e-6 * step
                                   : reached(scene_.time.end) && simulation_.time() - step < scene_.time.end;
    }
    double after_now(double interval) const
    {
        return stickslip::next_moment(simulation_.time(), 0, interval, simulation_.time_step());
    }
    double resumed(double kept, double interval) const
    {
        return resumed_moment(kept, simulation_.time(), 0, interval, simulation_.time_step());
    }

    void start()
    {
        for (const std::string& complaint : folder_.complaints())
            say(complaint);
        if (const auto& from = folder_.resumed_from()) {
            totals_ = from->totals;
            parts_.check(*from);
            parts_.restore(*from);
            recorder_.resume(totals_);
            next_frame_ = resumed(from->next_frame_time, scene_.time.frame);
            next_checkpoint_ = resumed(from->next_checkpoint_time, scene_.output.checkpoint);
            wall_before_ = totals_.wall_time;
            steps_before_ = totals_.steps;
            begun_ = simulation_.time();
            const double start = parts_.start_time();
            const RunClock clock{.start = start, .now = simulation_.time(), .step = simulation_.time_step()};
            const std::vector<std::string> unknown = recall_expectations(scene_, options_.folder, clock, totals_);
            const std::string line = formatted(
                "resumed at %.9g s, step %llu", simulation_.time(), static_cast<unsigned long long>(totals_.steps));
            folder_.write_log(line);
            if (listener_.note)
                listener_.note(line);
            for (const std::string& complaint : unknown)
                say(complaint);
            return;
        }
        const Stopwatch watch(output_seconds());
        for (const std::string& note : parts_.built.notes)
            folder_.write_log(note);
        for (const std::string& warning : options_.warnings)
            folder_.write_log(warning);
        if (parts_.is_steered)
            folder_.write_log("steered before it was recorded: the scene alone does not give this run");
        note_expectations(scene_, totals_);
        recorder_.write_frame(folder_, totals_);
        frame_time() = simulation_.time();
        next_frame_ = after_now(scene_.time.frame);
        next_checkpoint_ = after_now(scene_.output.checkpoint);
    }

    // While the simulation is as its step left it.
    void look(bool is_row)
    {
        keep_wall_time();
        const Stopwatch watch(output_seconds());
        recorder_.look(is_row, folder_, totals_);
    }

    // What is due after a step.
    void write()
    {
        const Stopwatch watch(output_seconds());
        if (reached(next_frame_) || (listener_.wants_frame && listener_.wants_frame())) {
            recorder_.write_frame(folder_, totals_);
            while (reached(next_frame_))
                next_frame_ += scene_.time.frame;
            frame_time() = simulation_.time();
        }
        const bool is_due = reached(next_checkpoint_);
        while (reached(next_checkpoint_))
            next_checkpoint_ += scene_.output.checkpoint;
        if ((is_due || seconds_since(saved_) >= scene_.output.checkpoint_seconds)
            && !finished()) // stop() is about to save, before or after the last frame as is right
            save();
    }

    void keep_wall_time() { totals_.wall_time = wall_before_ + seconds_since(started_); }

    void tell_progress(const StepProgress* within = nullptr) const
    {
        if (!listener_.progress)
            return;
        const double wall = seconds_since(started_), time = simulation_.time();
        listener_.progress({.time = time,
            .end = end_,
            .totals = &totals_,
            .words = [this] { return recorder_.progress(); },
            .steps_per_second = static_cast<double>(totals_.steps - steps_before_) / std::max(wall, 1e-9),
            .seconds_left = wall * (end_ - time) / std::max(time - begun_, 1e-12),
            .within = within});
    }

    double& output_seconds() { return totals_.stage_seconds["output"]; }

    // Kept in checkpoints, so that going on with a finished run writes no frame twice.
    double& frame_time() { return totals_.frame_time; }

    void save()
    {
        Checkpoint checkpoint{.state = {},
            .granular = {},
            .totals = totals_,
            .files = {},
            .frames_written = 0,
            .next_frame_time = next_frame_,
            .next_checkpoint_time = next_checkpoint_,
            .scene_hash = {}};
        parts_.save(checkpoint);
        folder_.save(std::move(checkpoint));
        saved_ = Clock::now();
    }

    RunResult stop(RunStatus status)
    {
        const bool whole = status == RunStatus::done && ends_with_scene();
        write_last(whole);
        keep_wall_time();
        std::vector<std::string> warnings;
        for (const std::string& warning : options_.warnings) // without the line of the scene below it
            warnings.push_back(warning.substr(0, warning.find('\n')));
        if (status == RunStatus::failed)
            warnings.push_back(last_said_);
        const auto say_and_keep = [&](const std::string& line) {
            say(line);
            warnings.push_back(line);
        };
        const auto keep = [&](const std::string& line) {
            folder_.write_log(line);
            warnings.push_back(line);
        };
        recorder_.finish(folder_, totals_);
        parts_.finish(say_and_keep, keep);
        RunResult result{.status = status,
            .totals = totals_,
            .state_hash = simulation_.state_hash(),
            .simulated_time = simulation_.time(),
            .expect = whole || status == RunStatus::failed ? judged(status) : judged_by_now(status),
            .warnings = std::move(warnings)};
        folder_.write_summary(result, options_.threads, options_);
        return result;
    }

    // The last frame of a run that ends is part of it. One that is only stopped for now gets a frame too, but after its
    // checkpoint: going on from there, the frame is taken back.
    void write_last(bool whole)
    {
        const Stopwatch watch(output_seconds());
        const bool sound = parts_.is_sound();
        if (!whole && sound)
            save();
        if (frame_time() < simulation_.time() && sound) {
            recorder_.write_frame(folder_, totals_);
            frame_time() = simulation_.time();
        }
        if (whole)
            save();
    }

    std::vector<ExpectationResult> judged(RunStatus status) const
    {
        return recorder_.judge(totals_, status == RunStatus::failed ? 3 : 0);
    }

    // Of a run that is only stopped for now: what was expected at a time that has come.
    std::vector<ExpectationResult> judged_by_now(RunStatus status) const
    {
        const std::vector<ExpectationResult> all = judged(status);
        std::vector<ExpectationResult> due;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (scene_.expect[i].at && reached(*scene_.expect[i].at))
                due.push_back(all[i]);
        return due;
    }

    const RunOptions options_;
    const RunListener listener_;
    Simulation& simulation_;
    SimulationParts& parts_; // of it
    const Scene& scene_;
    RunTotals& totals_;
    Recorder recorder_;
    RunFolder folder_;
    double end_; // [s]
    double next_frame_ = 0, next_checkpoint_ = 0; // [s]
    double wall_before_ = 0; // [s] of the runs that this one goes on with
    Clock::time_point started_, saved_; // saved_: the last checkpoint of this process, or when it began
    std::uint64_t steps_before_ = 0; // likewise
    double begun_ = 0; // [s] of simulated time, by this process
    std::string last_said_; // why it gave up, if it has
};

} // namespace

std::unique_ptr<Recording> record(Simulation& simulation, const RunOptions& options, const RunListener& listener)
{
    if (simulation.is_explicit())
        return std::make_unique<RecordingBy<GranularRecorder>>(simulation, options, listener);
    return std::make_unique<RecordingBy<ImplicitRecorder>>(simulation, options, listener);
}

} // namespace stickslip
