#pragma once

#include "stickslip/contact/meshes/patch_view.h"
#include "stickslip/geometry/queries/box_tree.h"

#include <vector>

namespace stickslip {

/// Surface side of the contact table for triangles that nodes, samples and quadrature points meet, of deformable bodies
/// and of meshes that keep their shape: their smooth patches. Which facets are near is known by their way in the step:
/// from where they are to where they go at the speed they have.
class PatchSurface {
public:
    /// thickness [m]: of the body at rest, about; of a sheet, exactly.
    PatchSurface(SmoothPatches rest, double thickness);

    /// Vertices [m] at the start of the step and predicted for its end.
    void begin_step(const std::vector<Vec3>& x_old, const std::vector<Vec3>& x_next);
    /// Moves the vertices to where these nodes of x are at the candidate. Pre: finite.
    void move_to(std::span<const Vec3> x, std::span<const int> nodes)
    {
        x_.resize(nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i)
            x_[i] = x[nodes[i]];
    }

    /// Depth behind the surface at the start of a step up to which a point is taken to have come in [m]: a
    /// quarter of an edge and of the thickness, since what is behind both faces of a sheet is above it.
    double entry_depth() const { return entry_depth_; }

    /// Distance within a solid, beyond the concave edges of a patch, at which contacts with the patch end [m].
    double width_within() const { return 0.25 * thickness_; }

    double thickness() const { return thickness_; } // [m]
    const SmoothPatches& patches() const { return patches_; }
    PatchView view() const { return {&patches_, x_, x_old_}; }
    PatchView view_at_start() const { return {&patches_, x_old_, x_old_}; }
    const std::vector<Vec3>& predicted() const { return patches_.x; }
    PatchView predicted_view() const { return {&patches_, patches_.x, x_old_}; }

    /// Of a closed surface, at the start of the step: the place nearest to Z and its distance [m], negative within the
    /// solid that it encloses. `reach` [m]: about how far it is.
    struct NearestPlace {
        double distance;
        Vec3 point;
    };
    NearestPlace nearest(const Vec3& Z, double reach) const { return nearest_of(Z, reach, -1); }
    /// The same of the facets of one patch, the distance positive.
    NearestPlace nearest_on(int patch, const Vec3& Z, double reach) const;

    /// Box of the ways of all facets.
    Bounds way() const { return tree_.bounds(); }
    /// Calls visit(facet) for each whose way has a box that meets this one, wherever the surface was before.
    template <typename Visit>
    void visit_ways(const Bounds& box, const Visit& visit) const
    {
        tree_.visit_overlapping(box, [&](int facet) {
            if (boxes_[facet].overlaps(box))
                visit(facet);
        });
    }

private:
    NearestPlace nearest_of(const Vec3& Z, double reach, int patch) const; // -1: all

    SmoothPatches patches_;
    double thickness_, entry_depth_;
    std::vector<Vec3> x_old_, x_;
    std::vector<Bounds> boxes_;
    BoxTree tree_;
};

} // namespace stickslip
