#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/contact/meshes/mesh_surfaces.h"

#include <cstdint>
#include <vector>

namespace stickslip {

/// Adds numbers of what a contact touches, for those that take over from each other (TouchedBy): the nodes of what
/// deforms, on either side, and the point of what keeps its shape on them. All contacts of two bodies that both keep
/// theirs are one place.
void add_touched_places(
    const ContactBodies& bodies, const MeshSurfaces& surfaces, const Attachment& a, std::vector<std::int64_t>& touched);

} // namespace stickslip
