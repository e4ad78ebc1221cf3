#pragma once

#include "stickslip/contact/points/pose_dual.h"
#include "stickslip/geometry/mesh/edge_topology.h"
#include "stickslip/geometry/queries/point_triangle.h"

namespace stickslip {

/// Share of its force that a place where a circle touches triangles has by itself; points at even angles have the rest.
/// Over a facet it is extreme_share of the sine between the circle and the facet. An edge or a vertex is touched where
/// a facet beside it ends, with the share that a facet has there, the more its normal n has turned from the facet's.
///   axis, n: of the circle and of the place, unit; number: of the facet, edge or vertex
PoseScalar share_of_place(
    const EdgeTopology& surface, TriangleFeature kind, int number, const PoseVec& axis, const PoseVec& n);

} // namespace stickslip
