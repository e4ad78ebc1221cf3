#pragma once

#include "followed_arrays.h"
#include "signals.h"

#include "stickslip/run/recording.h"
#include "stickslip/simulation/simulation.h"

#include <pybind11/pybind11.h>

namespace stickslip::python {

namespace py = pybind11;

/// A simulation that Python drives. While it steps the interpreter is free, and calls of other threads are refused. All
/// functions are called with the interpreter's lock held, but interrupt().
class DrivenSimulation {
public:
    /// `warnings`: of the scene's text, for its recording. SceneError.
    DrivenSimulation(const Scene& scene, int threads, bool steered, const std::vector<Fault>& warnings);
    DrivenSimulation(const DrivenSimulation& other);
    DrivenSimulation& operator=(const DrivenSimulation&) = delete;

    /// To look at. SimulationBusy: another thread is in a step.
    const Simulation& simulation() const;
    /// Calls with the simulation to steer it.
    template <typename Call>
    void steer(const Call& call)
    {
        demand_idle();
        call(simulation_);
        steered();
    }
    /// An array of an explicit simulation, which shows its state as it changes.
    py::array followed(const std::shared_ptr<const FollowedColumn>& column)
    {
        return followed_.array(simulation(), column);
    }
    /// How often it was steered or restored: whoever keeps what depends on that compares.
    long changes() const { return changes_; }

    /// SimulationBusy; InputError: of another scene, or while it is recorded, when it cannot go back.
    void restore(const Snapshot& snapshot);

    /// Writes a run folder from now on. InputError: it is recorded already; else as run_scene().
    void record(const std::string& folder, const std::string& scene_file, bool force);
    /// InputError: it is not recorded.
    void finish_recording();
    bool is_recorded() const { return recording_ != nullptr; }

    /// One step, or explicit ones up to `until`; StepFailed, StepInterrupted, SimulationBusy, and what a handler of
    /// signals raises: KeyboardInterrupt.
    void advance(double until);
    bool reached(double time) const;

    /// Ends a step between two Newton iterations. May be called by any thread, at any time.
    void interrupt() { signals_.request(); }

    /// Calls while the interpreter is free and no other thread may use the simulation.
    template <typename Call>
    auto alone(const Call& call) const
    {
        demand_idle();
        struct Busy {
            explicit Busy(bool& flag)
                : busy(flag)
            {
                busy = true;
            }
            ~Busy() { busy = false; }
            bool& busy;
        } const busy(busy_);
        const py::gil_scoped_release release; // taken again before `busy` ends
        return call();
    }

private:
    SimulationOptions options(int threads, bool steered);
    void demand_idle() const;
    void steered();
    void tell(std::size_t end, bool warns);

    SignalWatch signals_;
    Simulation simulation_;
    FollowedArrays followed_;
    std::unique_ptr<Recording> recording_; // null: none
    RunStatus status_ = RunStatus::done; // of the last advance
    mutable bool busy_ = false; // guarded by the interpreter's lock
    long changes_ = 0, recorded_changes_ = 0; // the latter: when recording began
    std::size_t told_ = 0; // messages that were passed on
    std::vector<std::string> text_warnings_; // of the scene
};

} // namespace stickslip::python
