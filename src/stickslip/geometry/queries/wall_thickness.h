#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"

namespace stickslip {

/// Least thickness [m] of the walls and slots of a mesh, as far as they are thinner than `reach` [m]; infinity where
/// none is. A wall is where a facet sees another behind it, a slot where it sees one in front, that looks the other way
/// within 30 degrees: the tip of a wedge is none, and no facet sees those it meets. What makes up less than a
/// thousandth of the surface does not count. The mesh may be open.
double least_thickness(const TriMesh& mesh, double reach);

} // namespace stickslip
