#pragma once

#include "stickslip/bodies/motion.h"
#include "stickslip/contact/contact_law.h"
#include "stickslip/dem/granular_world.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace stickslip {

struct SimulationParts;

struct BodyLoad {
    Vec3 force, torque; // [N], [N m] as of RigidBody; on a deformable body spread like its mass, without torque
};

/// A motion with constant velocities, as ScriptedMotion has it: `start` at t = 0.
struct SteadyScript {
    Frame start;
    Vec3 velocity, angular_velocity; // [m/s], [rad/s]
};

/// Steered values of a simulation, by body of the scene; part of its snapshots.
struct Controls {
    std::map<int, BodyLoad> loads;
    std::map<int, SteadyScript> scripts;
    std::optional<double> friction; // [-] of pairs of which the scene says nothing
    std::map<std::pair<int, int>, double> pair_friction; // [-] the lower number first

    bool empty() const { return loads.empty() && scripts.empty() && !friction && pair_friction.empty(); }
};

/// The scene's values of all that may be steered, kept from before the first steering.
struct Unsteered {
    std::vector<BodyLoad> loads; // by rigid body; explicit: by body
    std::vector<Vec3> accelerations; // [m/s^2] by deformable body
    std::vector<std::pair<Frame, ScriptedMotion>> scripts; // by obstacle; explicit: by wall
    ContactLaw law;
    std::vector<PairException> exceptions;
    bool reaches_all = false; // built for all that may meet, wherever bodies are steered to
};

/// To be called before controls change. InputError where bodies could be steered to where the scene was not built for;
/// `moves`: whether they may be.
void begin_steering(SimulationParts& parts, bool moves);

/// One of the controls takes effect.
void apply_load(SimulationParts& parts, int body, const BodyLoad& load);
void apply_script(SimulationParts& parts, int body, const SteadyScript& script);
void apply_friction(SimulationParts& parts); // of all pairs

/// These controls take effect, and no others.
void steer(SimulationParts& parts, const Controls& controls);

} // namespace stickslip
