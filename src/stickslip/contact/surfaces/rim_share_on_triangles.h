#pragma once

#include "stickslip/contact/points/posed_circle.h"
#include "stickslip/geometry/mesh/edge_topology.h"
#include "stickslip/geometry/queries/point_triangle.h"

namespace stickslip {

/// Share of its force that a place where a circle touches triangles has by itself; points at even angles have the rest.
/// Over a facet it is extreme_share of the sine between the circle and the facet. An edge or a vertex is touched where
/// a facet beside it ends, with the share that a facet has there, the more its normal n has turned from the facet's.
///   axis, n: of the circle and of the place, unit; number: of the facet, edge or vertex
PoseScalar share_of_place(
    const EdgeTopology& surface, TriangleFeature kind, int number, const PoseVec& axis, const PoseVec& n);

/// Share that a place on a facet keeps near the sides over which the facets fold towards the circle. There the circle
/// goes deeper over the next facet, so that the place vanishes with a maximum. With delta the way of the foot from such
/// a side, o outward across it, s the sine of the fold, q as above, t the tangent of a circle of radius R: the lowest
/// place over the next facet is R s (o.t)/q farther along the circle, and the share is that of
///   x = 2 delta q/(R s (o.t)^2)     0 at the side, 1 from x = 1 on
/// Of the two places on both sides of a fold one has its whole share. n: of the facet, towards the circle.
PoseScalar share_beside_folds(
    const EdgeTopology& surface, int facet, const Vec3& n, double radius, const PosedPoint& e);

} // namespace stickslip
