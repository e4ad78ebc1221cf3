#pragma once

#include "stickslip/world/backward_euler.h"
#include "stickslip/world/state_sums.h"
#include "stickslip/world/world.h"

#include <string>
#include <vector>

namespace stickslip {

Energies energies(const World& world, const State& state);

Momentum momentum(const World& world, const State& state);

/// Reaction on a body in a step, at its pinned nodes, those of one region, or its fixed degrees of freedom.
struct Reaction {
    int body = -1; // deformable bodies, then rigid ones
    int region = -1; // index into DeformableSet::pin_frames; -1: all that holds the body
    Vec3 x = Vec3::Zero(); // [m] after the step: the body's centre of mass; of a region the origin of its frame
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero(); // [N], [N m] on it, about x
};

/// Balance of the energy [J] and the momentum of one step. Each term is computed from its own forces;
/// `energy_error` is what they leave unexplained, and vanishes with the Newton residual.
///     change = external_work + stiffening_work + hardening_work - inertia_loss - elastic_loss - viscous_loss -
///     friction_loss - plastic_loss - transfer_loss - contact_loss + energy_error
struct StepBalance {
    double change = 0; // of kinetic + potential + elastic + contact energy
    double external_work = 0; // of scripted obstacles and pins
    double stiffening_work = 0; // work done by stiffening contact springs, >= 0
    double hardening_work = 0; // work done by hardening of strained material points; < 0: they soften
    double inertia_loss = 0; // 1/2 sum m |dv|^2: backward Euler's own damping
    double elastic_loss = 0; // the same of elastic forces and pressure: their work and the change of energy differ
    double geometric_loss =
        0; // the part of elastic_loss that turning compressed matter gains and stretched matter loses
    double viscous_loss = 0; // material damping, >= 0
    double friction_loss = 0; // sliding, >= 0
    double plastic_loss = 0; // work of flow of material points, >= 0
    double transfer_loss = 0; // of motion between material points and their grid, >= 0 over a run
    double contact_loss = 0; // of the contact springs: impacts and contacts that end
    double energy_error = 0;
    Vec3 momentum_error =
        Vec3::Zero(); // [N s] change of linear momentum minus impulse of weight, pressure, contacts and pins
    Vec3 angular_error = Vec3::Zero(); // [N m s] the same of angular momentum, without the next term
    Vec3 angular_backward_euler = Vec3::Zero(); // [N m s] dt sum m dv x v: first order in dt
    std::vector<Reaction> reactions; // of all bodies that are held somewhere, each followed by those of its regions
};

/// Energy [J] before a step and the work of its forces and its weight.
double energy_in_play(const Energies& before, const Energies& after, const StepBalance& balance);
StepBalance step_balance(const World& world, const BackwardEuler& system, const State& before, const State& after);

BodyPose body_pose(const World& world, const State& state, int body); // a deformable one
BodyPose mpm_pose(const World& world, const State& state, int body); // of material points; without a rotation
BodyPose rigid_pose(const State& state, int rigid);

/// 128 bits over the whole state (positions, velocities, rotations, deformations, attachments, time), as 32 hexadecimal
/// digits.
std::string state_hash(const State& state);

} // namespace stickslip
