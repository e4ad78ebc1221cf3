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
/// goes deeper over the next facet, so that the place vanishes with a maximum. With delta the way of its foot from such
/// a side and w that, across the side, from it to the lowest place over the plane of the next facet, the share is that
/// of
///   x = 2 delta/w     0 at the side, 1 from x = 1 on
/// What has gone through the facet by more than the tube keeps all. n: of the facet, towards the circle.
PoseScalar share_beside_folds(
    const EdgeTopology& surface, int facet, const Vec3& n, const Circle& circle, const PosedPoint& e);

} // namespace stickslip
