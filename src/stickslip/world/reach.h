#pragma once

#include "stickslip/world/world.h"

#include <span>
#include <vector>

namespace stickslip {

/// Which bodies can ever meet, so that what is chosen for a body (its sample points, its stiffness) depends on these
/// and on nothing that merely lies elsewhere in the scene. Bodies are counted as in contact_law.h.
///
/// Each body has a box that it does not leave: a fixed obstacle its own, a scripted one the box of its script, a rigid
/// body that of its free flight for all time, which its fixed degrees of freedom narrow. Where two boxes overlap and
/// contact is not ruled out, both bodies leave their flights: from then on they reach everywhere along their free
/// directions. Deformable bodies and material points reach everywhere. Never says no of two that can meet.
class Reach {
public:
    /// From where rigid bodies start, at time t [s], in steps of up to dt [s]. O(n^2) for n bodies.
    Reach(const World& world, std::span<const RigidState> rigid, double t, double dt);

    /// For bodies whose places are not known: each can meet every other that contact is not ruled out with.
    static Reach everywhere(const World& world);

    bool may_meet(int a, int b) const;

    /// By rigid body: a number that those share which can press on each other, directly or through other rigid bodies.
    std::vector<int> groups() const;

private:
    explicit Reach(const World& world);
    void disturb();

    ContactBodies bodies_;
    std::vector<Bounds> box_; // [m, world]
    std::vector<bool> disturbed_;
};

} // namespace stickslip
