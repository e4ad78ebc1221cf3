#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/contact/edges/crossing_edges.h"
#include "stickslip/contact/polyhedra/posed_contact.h"
#include "stickslip/contact/polyhedra/vertex_on_face.h"

#include <array>
#include <optional>
#include <span>

namespace stickslip {

/// Two edges, of solid a and of solid b, that may cross in this step (edges/crossing_edges.h); rigid motion carries the
/// material points (s0, t0) of both to which they are attached.
struct EdgePair {
    /// One of the four ends: those of a's edge, then those of b's.
    struct End {
        /// The force ends where the crossing goes beyond the end: as clamp(inside + distance/fade, 0, 1) by its
        /// distance from the end, negative beyond. inside = 0 where the solid of the edge ends there, too (see Zone),
        /// else 1.
        double fade, inside; // [m] > 0, [-]
        /// The contact of the vertex there with the face that the other edge bounds, if that is listed and the edge
        /// leads out over the rim: the pair carries what the vertex does not.
        int vertex = -1; // its number among the contacts of its solid; -1: none
        int rim = -1; // of that face: the other edge
    };

    int edge_a, edge_b;
    double sigma; // 1 or -1
    double d_old, s_old, t_old; // at the start of the step
    std::optional<Attachment> kept; // on_edges
    std::array<End, 4> ends;
};

/// Edge `edge` of a solid, as another one sees it.
EdgeLine edge_line(const ConvexFeatures& solid, int edge, const Frame& pose);
EdgeLine edge_line(const ConvexFeatures& solid, int edge);

/// 1 or -1: the side on which the two edges support their solids, each being nearest to the other along the common
/// normal; 0: they do not, or are parallel. `tolerance`: of the sines of angles.
double supporting_side(
    const ConvexFeatures& a, const ConvexFeatures& b, int edge_a, int edge_b, const Mat3& R_a_in_b, double tolerance);

/// The spring of the pair, or nothing where the edges have not crossed or their weight is 0.
/// `vertices`: contacts of those of a, and of b.
std::optional<PolyhedronSpring> relax_edge_pair(
    const PolyhedronPair& pair, const EdgePair& edges, const std::array<std::span<const VertexOnFace>, 2>& vertices);

} // namespace stickslip
