#pragma once

#include "stickslip/dem/walls/granular_wall.h"

#include <span>
#include <vector>

namespace stickslip {

/// A sphere stays on the side of a mesh from which it began to touch it, for as long as it touches. An overlap above
/// the radius says that its centre has gone through. All in the wall's frame:
/// docs/derivations.md#spheres-on-triangulated-surfaces.

/// Of the contacts that a sphere of this radius kept, the first that has its centre behind it now, or null.
/// from, to: the way of the centre in this step.
const FacetContact* gone_through(const TriangulatedSurface& surface, std::span<const FacetContact> held, double radius,
    const Vec3& from, const Vec3& to);

/// Contact of a sphere whose centre is behind `held`: with the nearest place of what looks to the side that it came
/// from, its normal n towards that side. The overlap is above the radius, but where the centre is in front of that
/// place, beyond an edge; then it may be negative.
SphereSurfaceContact contact_from_behind(const TriangulatedSurface& surface, const FacetContact& held,
    const Vec3& centre, double radius, std::vector<SphereSurfaceContact>& storage);

} // namespace stickslip
