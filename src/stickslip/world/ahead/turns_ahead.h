#pragma once

#include "stickslip/world/rigid_equations.h"
#include "stickslip/world/world.h"

#include <vector>

namespace stickslip {

/// A body that turns in a step.
struct Turn {
    int body = -1; // as in contact_law.h; -1: none
    double angle = 0; // [rad]
    bool touches = false; // so that it matters, when the step begins
    bool is_scripted = false;
};

/// What turns farther in a step than a step may show, known before that is solved. Frames are looked at where a step
/// begins and ends: a turn of 2 pi between them is none, one of pi has no direction, and friction is off by half of it.
/// So no body whose turn matters may turn by more than 1 rad in a step, free or scripted: one that touches others, or
/// may come to in the step, by the ball that it sweeps and the boxes around the ways of the others. Nodes of deformable
/// bodies that are led always matter, balls that are free where others touch their surface
/// (docs/derivations.md#turns-ahead).
class TurnsAhead {
public:
    static constexpr double longest = RigidEquations::longest_turn; // [rad]

    /// Keeps a reference to `world`.
    explicit TurnsAhead(const World& world)
        : world_(&world)
    {
    }

    /// The farthest by more than that in a step of dt [s] from here; no body if there is none. Costs O(n) for n bodies;
    /// where something turns so far O(points) and as much as boxes are met.
    Turn too_far(const State& state, double dt) const;

private:
    std::vector<Turn> fast_turns(const State& state, double dt) const;

    const World* world_;
};

} // namespace stickslip
