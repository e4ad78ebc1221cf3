#pragma once

#include "stickslip/bodies/rigid_body.h"
#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/solids/primitives.h"

#include <optional>

namespace stickslip {

/// Balls of a round body, in the shape's frame: a sphere is one; a capsule has them along its axis, at most half a
/// radius apart. None for all others.
std::vector<RoundPoint> balls_of(const Primitive& shape);

/// Balls whose union approximates a round shape, at most half a radius apart: a sphere, along the axis of a capsule or
/// of a cylinder longer than wide, around a torus, in a cone from 1/16 of the largest one on. Those of a cone grow. Of
/// other shapes none.
std::vector<RoundPoint> inner_balls(const Primitive& shape);

/// Contact points of a rounded box: balls at its corners and along its edges, points on its faces, at most `spacing`
/// [m] apart and weighed as those of a box (surface_samples).
struct RoundedBoxPoints {
    std::vector<RoundPoint> balls;
    std::vector<SurfaceSample> samples;
};
RoundedBoxPoints points_of(const RoundedBox& box, double spacing);

/// Contact circles of a shape: the rims of a cylinder and of a cone, and along their sides circles at most half a
/// radius apart (for what is not flat); the centre circle of a torus. None for all others.
std::vector<Rim> rims_of(const Primitive& shape);

/// [m] How far these, or the balls of a capsule, are apart along a side.
double apart_along(double height, double radius);

/// The same circles for triangles, with tubes that touch the shape from within: along a side as wide as there is room;
/// at rims, which they round, a fiftieth of the radius, at most a tenth of the height.
std::vector<Rim> inner_rims(const Primitive& shape);

/// A prism or a pyramid within a cylinder or a cone, in the shape's frame: its sides stand for their rims, up to 0.2 %
/// of the radius inside, where these cross edges of others. None for all others.
std::optional<TriMesh> rim_polygons(const Primitive& shape);

/// The apex of a cone, a sample as stiff as a ball. None for all others.
std::vector<SurfaceSample> corners_of(const Primitive& shape);

/// The point on the shape's surface belongs to one of its circles, or lies between two of them, or is one of its
/// corners, so that it needs no sample of its own.
bool is_on_rims(const Primitive& shape, const Vec3& X);

} // namespace stickslip
