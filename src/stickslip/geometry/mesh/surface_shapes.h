#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/solids/primitives.h"

namespace stickslip {

/// Closed surface of a primitive with edges near resolution [m], vertices exactly on it, triangles counter-clockwise
/// from outside. A box has 12 triangles whatever the resolution. All others have the very surface pattern of
/// tetrahedralize, in another order.
///
/// Errors: InputError as tetrahedralize, and for more than 20 million triangles.
TriMesh triangulate(const Primitive& shape, double resolution);

/// The same with nothing divided that is flat or straight: as many triangles whatever the radius by the size.
TriMesh triangulate_roundings(const RoundedBox& box, double resolution);

/// Square of the plane through the origin: 2 half_extent [m] wide, two triangles, open. Pre: unit normal, half_extent >
/// 0.
TriMesh triangulate_plane(const Plane& plane, double half_extent);

} // namespace stickslip
