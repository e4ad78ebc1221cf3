#pragma once

#include "stickslip/world/world.h"

#include <span>
#include <vector>

namespace stickslip {

/// Where bodies go in a step if nothing stops them, by boxes; and whether what a body sweeps as it turns meets these.
class WaysAhead {
public:
    /// `turning`: bodies whose turn is not small, rigid or obstacles: they sweep more than where they are and end.
    WaysAhead(const World& world, const State& state, double dt, std::span<const int> turning);

    /// Whether one of `turning` may come to touch another body, or others its surface if it is one ball. Two scripted
    /// ones never do.
    bool meets_any(int body) const;

private:
    // What a body sweeps that turns by any angle: within the box, and within the ball.
    struct Sweep {
        Bounds box;
        Vec3 centre;
        double radius; // [m]
    };

    Frame frame(int body, bool at_end) const;
    Sweep sweep(int body) const;
    Bounds way(int body) const;
    bool plane_meets(int plane, const Bounds& box) const;
    bool meets(int body, int other) const;

    const World* world_;
    const State* state_;
    double dt_, fall_; // [s], [m]
    ContactBodies bodies_;
    std::vector<Vec3> places_, velocities_; // of points
    std::vector<Bounds> ways_; // [world] by body
};

} // namespace stickslip
