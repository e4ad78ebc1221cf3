#pragma once

#include "stickslip/geometry/mesh/edge_topology.h"
#include "stickslip/geometry/queries/point_triangle.h"
#include "stickslip/math/types.h"

namespace stickslip {

/// Zone of a sphere that touches facet f1 on an edge shared with one other facet f2, seen in the plane across the
/// edge (the page's colours):
enum class EdgeZone {
    flat, // f1 and f2 are one plane
    blue, // convex side, between both normals: the edge is the nearest of the surface
    red, // convex side, beyond f2's normal: f2 is nearer
    green, // concave side: f2 is nearer
};

struct SmoothedNormal {
    Vec3 n; // [-] unit, within the range of the two facets' normals on the sphere's side
    EdgeZone zone;
    int side; // +1: the sphere is on the side of n1; -1: on the other
};

/// Normal of a sphere's contact with facet f1 on an internal edge, so that the edge of the triangulation does not
/// hinder what moves along the surface. For folds of either sign up to 180 degrees, either side and any winding.
///   g  = sign(c n.n1 - s n.o1) for c >= 0, -sign(s) for c < 0         the side
///   m1 = g n1,  b = g s,  m2 = c m1 - b o1                            both facets' normals there; b < 0: convex
///   green  b > 0: m1      red  b < 0, n.m1 < c: m2      blue  b < 0, n.m1 >= c: n      flat  s = 0 < c: m1
/// n   unit, from the nearest point of the edge to the centre: perpendicular to the edge, n.o1 >= 0
/// n1  unit normal of f1, of either sign    o1  f1's outward direction at the edge    fold  as seen from f1, n1, o1
/// last  normal of this contact in the last step, or null. Needed only where the centre is in f2's plane, on whose two
///       sides n' differs: then the side nearer to `last`, without it the convex one.
/// n' is continuous in n elsewhere, and n1 on f1's own border (n.o1 = 0).
/// Page: EDGE_ZONES
SmoothedNormal smooth_edge_normal(
    const Vec3& n, const Vec3& n1, const Vec3& o1, const Fold& fold, const Vec3* last = nullptr);

struct FanPoint {
    Vec3 point; // [m]
    TriangleFeature kind; // what it is on, as if facets and edges went on for ever
    int feature; // number of that facet, edge or vertex
    int facet; // one that holds it; -1: the vertex itself
};

/// Point nearest to the centre on the facets around a vertex, each continued beyond the side across from the vertex (so
/// that a sphere larger than the facets finds the surface and not their rim). The smoothed normal of a contact with
/// an internal vertex points from there to the centre. It is the vertex itself where no facet leads nearer.
/// Page: VERTEX_SMOOTHING
FanPoint nearest_on_fan(const EdgeTopology& surface, int vertex, const Vec3& centre);

} // namespace stickslip
