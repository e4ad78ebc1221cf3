#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"

namespace stickslip {

/// [-] Of the area of a surface, that of its largest flat face: facets that meet at less than a thousandth of a radian
/// count as one. That of a machine part is large however finely it is meshed, that of a scanned shape is a facet or
/// two. Throws InputError as EdgeTopology does.
double flat_share(const TriMesh& mesh);

} // namespace stickslip
