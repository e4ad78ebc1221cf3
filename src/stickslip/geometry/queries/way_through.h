#pragma once

#include "stickslip/geometry/queries/triangulated_surface.h"
#include "stickslip/geometry/solids/level_set.h"

#include <span>
#include <vector>

namespace stickslip {

/// Length [m] of the chord through the middle of the ellipsoid that a box of this size [m] just holds, along `way` (any
/// length but 0): how far a body moves to leave its own place. Exact for a ball, and for a box along its edges. Edges
/// may be infinite.
double chord(const Vec3& size, const Vec3& way);

/// The part of a straight way [m] that leads a ball of this radius [m] into a solid: along the normal where the ball
/// touches it or is in it, the longest such part if there are several; 0 where it only passes by or leaves. The ball
/// moves by `way` `reach` times. In the solid's frame.
Vec3 approach(const LevelSet& solid, double radius, const Vec3& from, const Vec3& way, double reach);

/// A place well inside a solid of finite size, in its frame: its middle where that is a quarter of its smallest size
/// deep, else the first such place of a lattice, or the deepest.
Vec3 place_within(const LevelSet& solid);

/// The straight way between two places outside a solid goes in by one side and out by another that looks the
/// other way, and is a twentieth of the solid's smallest size below its surface in between: not along a face, nor over
/// a corner. In the solid's frame.
bool goes_through(const LevelSet& solid, const Vec3& from, const Vec3& to);

/// Triangles of a closed surface, outward oriented.
struct ClosedSurface {
    std::span<const Triangle> triangles;
    std::span<const Vec3> vertices; // [m]
};

/// The same of what a closed surface encloses. `depth` [m]: least distance from the place where the way goes in to that
/// where it comes out.
bool goes_through(const ClosedSurface& surface, double depth, const Vec3& from, const Vec3& to);

/// The way goes through a surface that may be open and has two sides, whatever its winding: from one side to
/// the other, or into it and out again elsewhere, as through both faces of a plate, but not over a ridge.
bool goes_through(const TriangulatedSurface& surface, const Vec3& from, const Vec3& to);

} // namespace stickslip
