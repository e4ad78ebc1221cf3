#pragma once

#include "stickslip/geometry/mesh/edge_topology.h"
#include "stickslip/geometry/mesh/tri_mesh.h"

namespace stickslip {

/// Both sides of a surface without thickness, open or closed, whatever its winding: first its facets turned so that
/// those of one piece look to the same side, then each once more, turned over and with vertices of its own. So the two
/// sides are not joined at rims. Facets that are left out of the topology are left out.
TriMesh both_sides(const EdgeTopology& surface);

/// The side of a solid that others touch, with its own vertices. Facets that are left out of the topology are left out.
TriMesh outer_side(const EdgeTopology& solid);

} // namespace stickslip
