#pragma once

#include "stickslip/contact/contact_blocks.h"
#include "stickslip/contact/edges/edge_entry.h"
#include "stickslip/contact/side.h"

#include <array>

namespace stickslip {

/// One of two edges at the candidate, and what moves it.
struct PlacedEdge {
    std::array<Vec3, 2> ends, old; // [m]; at the start of the step
    std::array<int, 2> node = {-1, -1}; // blocks; -1: it keeps its shape
    Side body; // of what keeps its shape
    std::array<bool, 2> goes_on; // SurfaceEdge::goes_on
};

/// Parameters of a pair of edges in a step.
struct EdgePairLaw {
    double mu; // [-]
    double damping; // [-] of the normal force, as a share of the step
    Vec3 belt = Vec3::Zero(); // [m] by which conveyors move the material of b past that of a in this step
};

/// Spring of two attached edges (entry.kept) at the start of the step, by its energy and its stiffness k [N/m].
SpringStart edge_spring_at_start(const PlacedEdge& a, const PlacedEdge& b, const EdgeEntry& entry, double k);

/// The contact of two crossed edges whose penetration gives a positive force: force k f (d n - tau) on a at
/// P_a(s0), the opposite on b at P_b(t0); both act along the line between these two points, so that force and torque
/// balance.
///     f   what spring and damper press (press of step_spring.h), over the depth; it scales friction, too. Its share is
///         the weight of the entry, less towards parallel edges and beyond the ends of either, also where a pair that
///         is not kept met. At a joint of two edges each has one half.
/// `names`: bodies, number and stiffness. Nothing is added where there is no force.
/// (docs/derivations.md#edges-of-meshes)
void add_edge_contact(const PlacedEdge& a, const PlacedEdge& b, const EdgeEntry& entry, const EdgePairLaw& law,
    const Contact& names, ContactBlocks& contacts);

} // namespace stickslip
