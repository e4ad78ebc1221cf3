#pragma once

#include "stickslip/math/types.h"

#include <numbers>
#include <vector>

namespace stickslip {

/// Part of a circle, or all of it: centre + radius (cos(a) u + sin(a) w) for |a| <= half_angle.
struct Arc {
    Vec3 centre;
    Vec3 u, w; // unit, perpendicular
    double radius; // [m]
    double half_angle = std::numbers::pi; // [rad] at most pi
};

/// A convex set: all that is within `margin` of the convex hull of points and arcs.
struct ConvexPiece {
    std::vector<Vec3> points = {};
    std::vector<Arc> arcs = {};
    double margin = 0; // [m]

    /// A point of the set that is farthest along the unit vector n.
    Vec3 farthest(const Vec3& n) const;
};

/// Distance [m] that `moving` travels along the unit `direction` until it touches `fixed`, coming from infinitely far
/// away; negative where it would have to go back. Infinity if it passes by, also where it only grazes. Never beyond the
/// first contact but for round-off, and short of it by less than 1e-10 of the sizes over the cosine between direction
/// and normal. Source: van den Bergen, Ray Casting against General Convex Objects with Application to Continuous
/// Collision Detection, 2004, on the difference of the two sets.
double travel_to_contact(const ConvexPiece& moving, const ConvexPiece& fixed, const Vec3& direction);

/// The same for bodies of many pieces; the shortest of all travels.
double travel_to_contact(
    const std::vector<ConvexPiece>& moving, const std::vector<ConvexPiece>& fixed, const Vec3& direction);

} // namespace stickslip
