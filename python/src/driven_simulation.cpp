#include "driven_simulation.h"

#include "errors.h"

#include "stickslip/scene/text/wording.h"
#include "stickslip/simulation/simulation_parts.h"

#include <algorithm>

namespace stickslip::python {

DrivenSimulation::DrivenSimulation(const Scene& scene, int threads, bool steered, const std::vector<Fault>& warnings)
    : simulation_([&] {
        const SimulationOptions chosen = options(threads, steered);
        const py::gil_scoped_release release; // meshes take long
        return Simulation(scene, chosen);
    }())
{
    for (const Fault& warning : warnings)
        text_warnings_.push_back(format(warning));
    tell(simulation_.messages().size(), true);
}

DrivenSimulation::DrivenSimulation(const DrivenSimulation& other)
    : simulation_(other.simulation(), options(other.simulation_.parts().options.threads, false))
    , told_(other.told_)
    , text_warnings_(other.text_warnings_)
{
}

SimulationOptions DrivenSimulation::options(int threads, bool steered)
{
    return {.threads = threads,
        .steered = steered,
        .stop = signals_.stop(),
        .progress = [this](const StepProgress&) { signals_.poll(); },
        .message = {}};
}

void DrivenSimulation::demand_idle() const
{
    if (busy_)
        throw SimulationBusy(
            "the simulation is in a step of another thread: expected one thread at a time; copy() makes "
            "another simulation");
}

const Simulation& DrivenSimulation::simulation() const
{
    demand_idle();
    return simulation_;
}

void DrivenSimulation::steered()
{
    if (recording_ && changes_ == recorded_changes_)
        recording_->say(formatted("t = %.9g s: steered: the scene alone does not give this run", simulation_.time()));
    followed_.update(simulation_);
    ++changes_;
}

void DrivenSimulation::restore(const Snapshot& snapshot)
{
    demand_idle();
    if (recording_)
        throw InputError("a simulation that is recorded cannot go back: finish_recording() comes first");
    simulation_.restore(snapshot);
    followed_.update(simulation_);
    ++changes_;
}

void DrivenSimulation::record(const std::string& folder, const std::string& scene_file, bool force)
{
    demand_idle();
    if (recording_)
        throw InputError("the simulation is recorded already: finish_recording() comes first");
    std::vector<std::string> warnings = text_warnings_;
    warnings.insert(warnings.end(), simulation_.messages().begin(), simulation_.messages().end());
    const RunOptions options{.scene_folder = std::filesystem::path(scene_file).parent_path(),
        .scene_file = scene_file,
        .folder = folder,
        .until = infinity,
        .force = force,
        .threads = simulation_.parts().options.threads,
        .warnings = std::move(warnings),
        .interrupted = nullptr};
    in_words_of_python([&] { recording_ = stickslip::record(simulation_, options, {}); });
    recorded_changes_ = changes_;
    status_ = RunStatus::done;
}

void DrivenSimulation::finish_recording()
{
    demand_idle();
    if (!recording_)
        throw InputError("the simulation is not recorded: expected record() before");
    const std::unique_ptr<Recording> recording = std::move(recording_);
    recording->finish(status_);
}

/// Passes messages on, up to `end`.
void DrivenSimulation::tell(std::size_t end, bool warns)
{
    const py::object category = py::module_::import("stickslip.errors").attr("StickslipWarning");
    while (told_ < end) {
        const std::string& line = simulation_.messages()[told_++];
        if (recording_)
            recording_->say(line);
        if (warns && PyErr_WarnEx(category.ptr(), line.c_str(), 1) != 0)
            throw py::error_already_set();
    }
}

bool DrivenSimulation::reached(double time) const
{
    return simulation().time() >= time - 1e-6 * simulation_.time_step(); // times are sums
}

void DrivenSimulation::advance(double until)
{
    alone([&] {
        signals_.poll();
        status_ = *signals_.stop()
            ? RunStatus::interrupted
            : simulation_.advance(recording_ ? std::min(until, recording_->next_moment()) : until);
        followed_.update(simulation_);
        if (recording_)
            recording_->step_taken(status_);
    });
    const std::vector<std::string>& messages = simulation_.messages();
    if (status_ == RunStatus::interrupted) {
        signals_.rethrow();
        throw StepInterrupted("interrupted: the simulation is as it was before the step");
    }
    if (told_ < messages.size())
        tell(messages.size() - (status_ == RunStatus::failed), true);
    if (status_ == RunStatus::failed) {
        tell(messages.size(), false);
        throw StepFailed(messages.back());
    }
}

} // namespace stickslip::python
