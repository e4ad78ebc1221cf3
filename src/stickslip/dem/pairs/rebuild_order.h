#pragma once

#include "stickslip/dem/pairs/neighbours.h"
#include "stickslip/dem/walls/walls.h"

namespace stickslip {

/// New slot of each old one, -1: it has left; empty: nothing changed.
struct Reordering {
    std::vector<int> new_slot;

    int operator()(int old_slot) const { return new_slot.empty() ? old_slot : new_slot[old_slot]; }
};

/// Takes slots (rising) out.
Reordering leave_out(Spheres& spheres, const std::vector<int>& slots);

/// First one, then the other.
Reordering composed(const Reordering& first, const Reordering& second);

/// Puts the spheres into space-filling order.
Reordering reorder(Spheres& spheres);

/// Histories of the touching pairs of an old list at their places in a new one; new pairs have none.
ContactHistory carried(const ContactHistory& old, const NeighbourList& old_list, const Reordering& order,
    const NeighbourList& list, bool with_turn);

/// Some sphere that had its centre behind a mesh is not near it any more: it has passed. Those taken out have not.
bool leaves_behind(
    const WallContacts& old, const Reordering& order, const NearWall& near, const std::vector<SpherePlace>& place);

/// Contacts of a wall with the spheres near it now.
WallContacts carried(const WallContacts& old, const Reordering& order, NearWall near, bool with_turn);

} // namespace stickslip
