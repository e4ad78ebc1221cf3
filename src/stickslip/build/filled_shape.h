#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/solids/level_set.h"
#include "stickslip/math/types.h"

#include <functional>
#include <optional>
#include <vector>

namespace stickslip {

/// Of the surface of a solid, at one place.
struct SurfaceDistance {
    double phi; // [m] negative inside
    Vec3 n; // unit, outward; zero where there is no one direction
};

/// By places [m] in the solid's own frame.
using ShapeDistance = std::function<SurfaceDistance(const Vec3&)>;

ShapeDistance shape_distance(const LevelSet& solid);

/// Exact, of a closed mesh without self-intersections. InputError: as MeshDistance.
ShapeDistance shape_distance(const TriMesh& closed_mesh);

/// A solid as particles of equal volume.
struct FilledShape {
    std::vector<Vec3> places; // [m] in the solid's own frame
    double half_width = 0; // [m] of a particle: how near the outermost places are to the surface, and none is nearer
    std::size_t moved = 0; // to the nearest other place from where the solid is thinner than a particle
};

/// One particle for each of the equal cells of about `spacing` [m] whose chosen place is inside: the middle or, with a
/// seed, one at random. The cells fill `box`. Particles of the outermost layer, which is as thick as they are wide,
/// come to lie in its middle, so that what the solid touches with its surface they touch as well, and nothing is in
/// them. They are as wide as the cube root of their share in `volume` [m^3], or as the solid where that is thinner
/// everywhere. Nothing where no place is inside. InputError where the box would hold more than 3e7.
FilledShape filled_shape(
    const ShapeDistance& distance, const Bounds& box, double volume, double spacing, std::optional<int> seed);

} // namespace stickslip
