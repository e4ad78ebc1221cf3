#pragma once

#include "stickslip/contact/contact_blocks.h"
#include "stickslip/contact/edges/edge_entry.h"
#include "stickslip/contact/side.h"

#include <array>

namespace stickslip {

/// One of two edges at the candidate, and what moves it.
struct PlacedEdge {
    std::array<Vec3, 2> ends; // [m]
    std::array<int, 2> node = {-1, -1}; // blocks; -1: it keeps its shape
    Side body; // of what keeps its shape
    std::array<bool, 2> goes_on; // SurfaceEdge::goes_on
};

/// What two edges have in common in a step.
struct EdgePairLaw {
    double mu; // [-]
    double damping; // [-] of the normal force, as a share of the step
    // of b, where a script moves it: the same at both ends of the step elsewhere
    Frame old = {}, now = {};
    Vec3 belt = Vec3::Zero(); // [m] by which conveyors move the material of b past that of a in this step
};

/// Of two edges that are attached, at the start of the step: how much of their depth presses nothing [m]. That is what
/// they had crossed before they were met, and what a weight that has grown since would add to the energy that their
/// spring of k [N/m] holds. So contacts that come to count push no body out.
///     k/2 w d_felt^2 (1 + |tau|^2/d^2) <= energy      unfelt = d - d_felt >= 0
double unfelt_depth(const PlacedEdge& a, const PlacedEdge& b, const EdgeEntry& entry, const Attachment& kept, double k);

/// The contact of two edges, where they have crossed by more than what is unfelt: force k w f (d n - tau) on a at
/// P_a(s0), the opposite on b at P_b(t0); both act along the line between these two points, so that force and torque
/// balance.
///     w   the weight of the entry, less towards parallel edges and beyond the ends of either, also where a pair that
///         is not kept met. At a joint of two edges each has one half.
///     f   what spring and damper press for the depth that is felt, over the whole depth; it scales friction, too
/// `names`: bodies, number and stiffness. Nothing is added where there is no force.
/// (docs/derivations.md#edges-of-meshes)
void add_edge_contact(const PlacedEdge& a, const PlacedEdge& b, const EdgeEntry& entry, const Attachment* kept,
    const EdgePairLaw& law, const Contact& names, ContactBlocks& contacts);

} // namespace stickslip
