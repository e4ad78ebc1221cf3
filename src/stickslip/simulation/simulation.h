#pragma once

#include "stickslip/scene/scene.h"
#include "stickslip/simulation/simulation_options.h"
#include "stickslip/simulation/snapshot.h"
#include "stickslip/simulation/state_view.h"
#include "stickslip/world/state_sums.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

struct BuiltWorld;
struct SimulationParts;

/// Summary of the last step, or of the last steps of an explicit advance.
struct StepSummary {
    RunStatus status = RunStatus::done;
    double dt = 0; // [s] of the last step taken
    int newton_iterations = 0, krylov_iterations = 0; // of all its solves; 0 of explicit steps, as the next two
    int failed_solves = 0; // thrown away, and tried again with half the step
    double residual = 0; // [m/s] of the accepted solve
    std::size_t contacts = 0, sticking = 0, sliding = 0; // at its end
    double max_depth = 0; // [m] of the deepest contact
};

/// A scene under way, by implicit or by explicit steps:
///     Simulation simulation(scene_from_text(text));
///     if (simulation.run(2.0) == RunStatus::done)
///         use(simulation.pose("block"));
/// Uses no file but those that the scene names. World axes and SI units everywhere; bodies by their names in the scene.
/// The same bits for any number of threads. Objects are independent of each other: different ones may be used by
/// different threads at once, one by one thread at a time. docs/api.md is the manual.
class Simulation {
public:
    /// Builds the scene; warnings are the first messages(). Errors: SceneError.
    explicit Simulation(const Scene& scene, const SimulationOptions& options = {});
    /// For the library: of a scene that has been built (build/built_world.h, not installed).
    Simulation(const Scene& scene, BuiltWorld built, const SimulationOptions& options);
    Simulation(const Simulation& other); // goes on by itself, with the same bits
    /// The same with options of its own, but for `steered`.
    Simulation(const Simulation& other, const SimulationOptions& options);
    Simulation& operator=(const Simulation& other);
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;
    ~Simulation();

    double time() const; // [s]
    double time_step() const; // [s] nominal
    bool is_explicit() const;

    /// One step; of an implicit simulation half of one, or less, where the whole did not converge. Not done: messages()
    /// tell why. An implicit simulation is then as it was before the step; an explicit one that failed is of no use but
    /// to be restored.
    [[nodiscard]] RunStatus step();
    /// Steps until `until` [s], to a millionth of a step; calls between(*this) after each, or after the first step at
    /// each multiple of `every` [s] from now on. `between` may steer, but not restore.
    [[nodiscard]] RunStatus run(double until, const std::function<void(Simulation&)>& between = {}, double every = 0);
    /// One step; or several explicit ones, up to the first at `until` [s] and as many as a tenth of a second takes.
    [[nodiscard]] RunStatus advance(double until);

    StepSummary report() const;
    /// Energies [J] now. Of an explicit simulation `contact` is the energy of contact springs; `elastic` is zero.
    Energies energies() const;
    double friction_loss() const; // [J] since the start; of an explicit simulation nan without output.energy
    const std::vector<std::string>& messages() const; // all warnings so far
    /// 128 bits over the state, as 32 hexadecimal digits: equal if and, but for chance, only if states are.
    std::string state_hash() const;

    const std::vector<BodyInfo>& bodies() const; // in the order of the scene
    const BodyInfo& body(std::string_view name) const;
    StateView state() const;
    /// Pose and velocity of a body: of its centre of mass; of a deformable one with the rotation that fits best; of an
    /// obstacle, of its origin; of spheres, of all of them together.
    BodyPose pose(std::string_view name) const;
    /// Empty where no step of this object led to the state of an implicit simulation: at first, after restore().
    Contacts contacts() const;
    /// [N] Sum of all contacts on a body, from the same contacts. InputError of an implicit simulation after its start
    /// where there are none for that reason.
    Vec3 contact_force(std::string_view name) const;

    /// Sets velocities to those of a solid: v + w x (x - c) [m/s], c its centre of mass, w [rad/s]. Not of obstacles.
    void set_velocity(std::string_view name, const Vec3& v, const Vec3& w = Vec3::Zero());
    /// Sets force [N] at the centre of mass and torque [N m] of a rigid body from now on, instead of the scene's; or
    /// the force on a deformable body, spread like its mass, beside the scene's loads.
    void set_load(std::string_view name, const Vec3& force, const Vec3& torque = Vec3::Zero());
    /// From where it is, an obstacle, or a rigid body with a motion, goes on with this velocity [m/s] of its origin and
    /// angular velocity [rad/s], instead of its script.
    void set_motion(std::string_view name, const Vec3& velocity, const Vec3& angular_velocity = Vec3::Zero());
    /// Sets Coulomb's coefficient mu [-] >= 0 of two bodies from now on; infinite: never slips while it is pressed
    /// (counts as 1e4).
    void set_friction(std::string_view first, std::string_view second, double mu);
    /// Sets it for all pairs of which the scene says nothing else. Implicit simulations.
    void set_friction(double mu);

    Snapshot snapshot() const;
    /// Goes on from there, bit by bit. Errors: InputError for a snapshot of another scene, or of other
    /// meshes in its files.
    void restore(const Snapshot& snapshot);

    /// For the library (simulation/simulation_parts.h, not installed).
    SimulationParts& parts() { return *parts_; }
    const SimulationParts& parts() const { return *parts_; }

private:
    std::unique_ptr<SimulationParts> parts_;
};

} // namespace stickslip
