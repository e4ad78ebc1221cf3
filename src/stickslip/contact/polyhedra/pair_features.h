#pragma once

#include "stickslip/contact/polyhedra/edge_pair.h"
#include "stickslip/contact/polyhedra/vertex_on_face.h"
#include "stickslip/geometry/solids/separating_axes.h"

#include <span>
#include <vector>

namespace stickslip {

/// How two convex solids move: where they are at the start of the step, and where they go by themselves, without
/// contact.
struct PairMotion {
    const ConvexFeatures *a, *b;
    Frame old_a, old_b, next_a, next_b; // [world]
    double approach; // [m] bound on the way that points of the two go relative to each other
    double fall; // [m] that gravity adds in the step
    double indentation; // [m] bound on how far springs have let the two sink: what is behind a plane by that is level
                        // with it
};

/// Which features of two convex solids can meet in a step: vertices on faces of the other, and pairs of edges. Decided
/// at its start, from where the solids are and go; the list only grows. So within a solve the force is one continuous
/// function of where the solids are (docs/derivations.md#edges). Contacts of the last step are kept without a test.
class PairFeatures {
public:
    /// `kept`: attachments of the pair, of both ways round: of vertices of a, then of edge pairs; then of vertices of
    /// b.
    PairFeatures(const PairMotion& motion, std::span<const Attachment> a_on_b, std::span<const Attachment> b_on_a);

    /// Adds what has crossed at these frames and was not listed; whether there was something.
    bool grow(const Frame& a, const Frame& b);

    /// How deep the solids overlap at these frames, or on the way there [m], if that is much more than `felt` [m], the
    /// depth of the deepest contact between them: then something went by unseen. Else 0. On the way: whether they fly
    /// straight or turn about a point in common.
    double missed_depth(const Frame& a, const Frame& b, double felt) const;

    const std::vector<VertexOnFace>& vertices_of_a() const { return a_on_b_; } // on faces of b
    const std::vector<VertexOnFace>& vertices_of_b() const { return b_on_a_; } // on faces of a
    const std::vector<EdgePair>& edges() const { return edges_; }
    bool empty() const { return a_on_b_.empty() && b_on_a_.empty() && edges_.empty(); }

private:
    // One solid's vertices against the other's faces.
    struct Way {
        const ConvexFeatures *own, *other;
        Frame old_pose, pose; // of own as other sees it, at the start and at the end of the way
    };
    Way way(bool of_a, const Frame& a, const Frame& b) const;
    void list_vertices(const Way& way, std::span<const Attachment> kept, std::vector<VertexOnFace>& listed) const;
    void list_edges(std::span<const Attachment> kept);
    bool grow_vertices(const Way& way, std::vector<VertexOnFace>& listed) const;
    bool grow_edges(const Way& a_to_b, double overlap_now);
    double overlap_at(const Frame& a, const Frame& b, double enough) const; // least_overlap
    double farthest_behind() const; // [m] a face that parts the solids may lie at a point of the other
    bool passes_over_rim(const Way& way, int face, const Vec3& z_old, const Vec3& z) const;
    int face_for(const Way& way, int vertex, const Vec3& z_old, const Vec3& z) const;
    std::vector<bool> holding_faces(const Way& way) const;
    void find_holding_faces();
    VertexOnFace vertex_on(const Way& way, int vertex, int face) const;
    int face_of(bool of_a, int vertex) const;
    bool has_not_crossed(const EdgePair& pair) const;
    bool is_left_to_vertex(const EdgePair& pair, double s, double t) const;
    EdgePair edge_pair(int edge_a, int edge_b, double sigma) const;
    void find_ends();
    double reach_over(const Way& way, int vertex, const ConvexFeatures::Rim& rim) const;
    double reach_at(const Way& way, int edge, int end, int other_edge, const Vec3& normal) const;

    PairMotion motion_;
    double thickness_; // [m] of the thinner one
    double reach_; // [m] what is farther apart than that does not meet in the step
    double sag_; // [m] a depth that contacts are expected to have
    double flush_; // [m] what is no deeper than that at the start of the step counts as touching
    AxisOverlap overlap_old_; // at the start of the step
    std::vector<bool> holding_b_, holding_a_; // by face: holding_faces
    std::vector<VertexOnFace> a_on_b_, b_on_a_;
    std::vector<EdgePair> edges_;
};

} // namespace stickslip
