#pragma once

#include "stickslip/simulation/explicit_stepping.h"
#include "stickslip/simulation/implicit_stepping.h"
#include "stickslip/simulation/simulation_options.h"
#include "stickslip/simulation/state_view.h"
#include "stickslip/simulation/steering.h"

#include <tbb/task_arena.h>

#include <memory>
#include <optional>

namespace stickslip {

/// Parts of a Simulation: its scene, what was built of it, and one of two steppers. Those who record a
/// simulation read it.
struct SimulationParts {
    SimulationParts(const Scene& scene, BuiltWorld built, const SimulationOptions& options);
    SimulationParts(const SimulationParts&) = delete;
    SimulationParts& operator=(const SimulationParts&) = delete;

    RunStatus advance(double until);
    void save(Checkpoint& checkpoint) const;
    /// InputError for a state that does not belong to the scene.
    void check(const Checkpoint& checkpoint) const;
    /// Takes the state. Pre: check().
    void restore(const Checkpoint& checkpoint);
    /// Last words and sums of a run. `recall`: what was told before.
    void finish(const Say& say, const Say& recall);
    /// The state may be saved and shown; not after some ways of giving up.
    bool is_sound() const { return !spheres || spheres->is_sound(); }
    double start_time() const { return built.granular ? built.granular->world.start_time : built.state.time; } // [s]

    /// Keeps a message and passes it on.
    void say(const std::string& line);

    /// Index of a body of the scene. InputError: there is none of this name.
    std::size_t body(std::string_view name) const;

    Scene scene;
    SimulationOptions options;
    BuiltWorld built;
    std::optional<ImplicitStepping> implicit; // one of the two
    std::optional<ExplicitStepping> spheres;
    RunTotals totals;
    RunStatus status = RunStatus::done; // of the last step
    std::vector<std::string> messages;
    std::vector<BodyInfo> bodies;
    bool is_steered = false; // by anything: a velocity too
    Controls controls; // what was steered since the start
    std::optional<Unsteered> unsteered; // what the scene says of that
    std::function<void(bool is_row)> look; // called after each advance, before inlets and outlets act
    mutable std::string fingerprint; // of the scene; empty: not yet asked for
    std::unique_ptr<tbb::task_arena> arena; // null: the caller's
};

} // namespace stickslip
