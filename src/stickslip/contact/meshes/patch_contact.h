#pragma once

#include "stickslip/contact/contact_blocks.h"
#include "stickslip/contact/meshes/relax_on_patch.h"
#include "stickslip/contact/side.h"

#include <span>

namespace stickslip {

/// Unknowns that move the point of a contact on a patch: the nodes of its facet by their weights, itself as a material
/// point, or a body as a whole.
struct PointSide {
    std::array<int, 3> node = {-1, -1, -1}; // blocks; all the same of a material point
    Vec3 weight = Vec3::Zero(); // [-]
    Side body; // where there are no nodes
};

/// A contact of `k` [N/m] whose Y moves with the nodes of its facet: force k spring on the point, shared out to the
/// nodes by their weights, and the opposite on the corners of Y's facet. Both act along the line from Z to Y, so that
/// force and torque balance. vertices: block of each vertex of the surface. `names`: bodies, point and what is
/// remembered of the contact. Paper: Alg 9 FORCE_DD, FORCE_DIFF_DD, FORCE_DIFF_TRANSPOSE_DD
void add_patch_contact(const PatchView& surface, const PatchPoint& point, const PatchRelaxation& relaxed,
    const PointSide& side, std::span<const int> vertices, const Contact& names, ContactBlocks& contacts);

} // namespace stickslip
