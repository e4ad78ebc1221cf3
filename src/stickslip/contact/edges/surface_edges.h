#pragma once

#include "stickslip/geometry/patches/smooth_patches.h"
#include "stickslip/geometry/queries/box_tree.h"
#include "stickslip/geometry/solids/convex_features.h"

#include <array>
#include <span>
#include <vector>

namespace stickslip {

/// A convex edge of a surface by which it meets edges of others.
struct SurfaceEdge {
    int number; // its name: of a mesh 3 facet + side, the lower of both; of a convex solid that of the edge
    std::array<int, 2> ends; // vertices
    std::array<Vec3, 2> g; // unit, of the two facets: in the facet, perpendicular to the edge, away from the facet
    double sharpness; // [-] 1 of a sharp edge, 0 of one that patches carry (docs/derivations.md#edges-of-meshes)
    double against_sharp; // [-] the same where the other edge is sharp, no less
    double against_long; // [-] and where that is several times as long, no less
    std::array<int, 2> beyond = {-1, -1}; // at each end: the far vertex of the one edge in which it goes on; -1: ends

    bool goes_on(int end) const { return beyond[end] >= 0; }
};

/// Its convex creases, by the vertices at surface.x; of what keeps its shape also edges that are blunter than creases.
std::vector<SurfaceEdge> convex_creases(const SmoothPatches& surface, bool keeps_shape);
std::vector<SurfaceEdge> convex_creases(const ConvexFeatures& solid);
/// Of an open surface, given by both of its sides (geometry/mesh/both_sides.h): its folds, each on the side from which
/// it is convex, and its rims.
std::vector<SurfaceEdge> folds_and_rims(const SmoothPatches& both_sides);

/// The sharp edges of a body and their ways in the step.
class SurfaceEdges {
public:
    /// Of what deforms.
    explicit SurfaceEdges(double thickness)
        : thickness_(thickness)
    {
    }
    /// Of what keeps its shape, in its own frame.
    SurfaceEdges(std::vector<SurfaceEdge> edges, std::span<const Vec3> vertices, double thickness);

    /// Vertices [m, world] at the start of the step; predicted for its end those of `surface`.
    void begin_step(const SmoothPatches& surface, std::vector<Vec3> x_old);
    void begin_step(const Frame& old, const Frame& next);

    /// Where what keeps its shape is at the end of the step [own frame to world], and where vertices of what deforms
    /// are: instead of what was predicted.
    void predict(const Frame& next);
    void predict(std::vector<Vec3> x_next);

    std::span<const SurfaceEdge> edges() const { return edges_; }
    int index_of(int number) const; // in edges(); -1: no crease now
    const std::vector<Vec3>& own() const { return own_; } // [m] vertices of what keeps its shape, in its frame
    const std::vector<Vec3>& old() const { return old_; } // [m, world]
    const std::vector<Vec3>& next() const { return next_; }
    bool keeps_shape() const { return !own_.empty(); }
    Vec3 old_direction(const Vec3& own) const { return old_frame_.R * own; } // at the start of the step
    Vec3 direction(const Vec3& own) const { return next_frame_.R * own; } // as predicted
    double edge_length() const { return edge_length_; } // [m] mean; 0 without edges
    double entry_depth() const; // [m] how far behind an edge another is still taken to have come in

    /// Calls visit(index) for each edge whose way may meet the box.
    template <typename Visit>
    void visit_ways(const Bounds& box, const Visit& visit) const
    {
        tree_.visit_overlapping(box, visit);
    }
    Bounds way(int index) const;

private:
    void measure();
    bool place(const Frame& now, Frame& frame, std::vector<Vec3>& x) const; // false: is there already
    void find_ways();

    std::vector<SurfaceEdge> edges_; // ascending by number
    std::vector<Vec3> own_, old_, next_;
    Frame old_frame_, next_frame_;
    double edge_length_ = 0, thickness_; // [m]
    BoxTree tree_;
};

} // namespace stickslip
