#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/contact/polyhedra/posed_contact.h"

#include <optional>

namespace stickslip {

/// A vertex of one convex solid that may meet a face of another in this step. Both are decided at the start of the
/// step; what is left is one continuous function of where the solids are (docs/derivations.md#edges):
///     F = k w (K - z)      z the vertex, K its attachment relaxed in the plane of the face
///     w = prod over rims of clamp((W - o)/W, 0, 1)      o how far z is beyond the rim: a zone outside the face
struct VertexOnFace {
    int vertex, face;
    double width; // [m] > 0: W of wide faces; of others a tenth of theirs
    Vec3 z_old; // [m] of the vertex at the start of the step, in the frame of the face
    std::optional<Attachment> kept; // X, and the stiffness of its spring
};

/// W of a rim.
double zone_width(const VertexOnFace& contact, const ConvexFeatures::Rim& rim);

/// What the vertex at z carries of its force at a rim [-]: clamp((W - o)/W, 0, 1).
PoseScalar rim_share(const PoseVec& z, const ConvexFeatures::Rim& rim, double width);

/// The spring of the vertex of pair.a on the face of pair.b, or nothing where it is before the plane or beyond the
/// zone. `place`: set to its relaxed attachment in b's frame, the next step's X.
std::optional<PolyhedronSpring> relax_vertex(const PolyhedronPair& pair, const VertexOnFace& contact, Vec3& place);

} // namespace stickslip
