#pragma once

#include "stickslip/math/types.h"

#include <variant>

namespace stickslip {

/// Analytic solids in their own frame, centred on the origin; axis of revolution y. All lengths in metres.
struct Plane {
    Vec3 normal = Vec3::UnitY(); // unit, outward: solid where normal . x < offset
    double offset = 0; // [m]
};
struct Box {
    Vec3 size; // full edge lengths
};
/// A box whose edges and corners are rounded: all points within `radius` of a box smaller by that much all round.
struct RoundedBox {
    Vec3 size; // full edge lengths, from face to face
    double radius; // of edges and corners; less than half of the smallest size

    Vec3 core() const { return size - Vec3::Constant(2 * radius); } // full edge lengths of the smaller box
};
struct Sphere {
    double radius;
};
struct Cylinder {
    double radius, height; // flat ends at y = +-height/2
};
struct Cone {
    double radius, height; // base at y = -height/2, apex at y = +height/2
    double grown = 0; // [m] side and base lie this much farther out
};
struct Capsule {
    double radius, height; // height of the cylindrical part: cap centres at y = +-height/2
};
struct Torus {
    double major, minor; // radius of the centre circle (in the plane y = 0) and of the tube, major > minor
};

using Primitive = std::variant<Plane, Box, RoundedBox, Sphere, Cylinder, Cone, Capsule, Torus>;

} // namespace stickslip
