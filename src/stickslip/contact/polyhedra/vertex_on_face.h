#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/contact/polyhedra/posed_contact.h"

#include <optional>
#include <vector>

namespace stickslip {

/// Zone at a rim of a face over which a vertex ceases to press on it: at the overshoot `end` beyond it, over the
/// `width` before. Where the vertex's solid reaches in over the face, the zone lies outside the rim (end = width);
/// where it lies on the rim's other side, inside (end = 0). So what slides over the seam of two solids of one height is
/// carried by both in shares that add to one, and what stands beside a rim does not press on it.
struct Zone {
    double width, end; // [m] > 0, in [0, width]
};

/// Share of its force that the vertex keeps at an overshoot o [m] beyond the rim [-]: clamp((end - o)/width, 0, 1).
template <int N>
DualScalar<N> zone_share(const DualScalar<N>& overshoot, const Zone& zone)
{
    return clamped(zone.end / zone.width + -1 / zone.width * overshoot);
}

/// A vertex of one convex solid that may meet a face of another in this step. Both are decided at the start of the
/// step; what is left is one continuous function of where the solids are (docs/derivations.md#edges):
///     F = k w (K - z)      z the vertex, K its attachment relaxed in the plane of the face
///     w = the product of zone_share over the rims
struct VertexOnFace {
    int vertex, face;
    std::vector<Zone> zones; // by rim of the face
    Vec3 z_old; // [m] of the vertex at the start of the step, in the frame of the face
    std::optional<Attachment> kept; // on_solid
};

/// The vertex of pair.a on the face of pair.b, or nothing where it is before the plane or beyond the zone.
/// Paper: extends Alg 8 PRECOMPUTE_RR to faces that end.
std::optional<PointContact> relax_vertex(const PolyhedronPair& pair, const VertexOnFace& contact);

} // namespace stickslip
