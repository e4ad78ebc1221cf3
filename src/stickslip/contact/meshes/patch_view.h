#pragma once

#include "stickslip/geometry/patches/smooth_patches.h"

#include <algorithm>
#include <array>
#include <span>

namespace stickslip {

class PatchSurface;

/// Tolerance within which a point behind a surface, or beside its rim, is on it [-], of an edge.
constexpr double flush_on_mesh = 1e-3;

/// A triangulated surface at a candidate. Creases and the normals at its vertices are those of the predicted places of
/// the step and do not change while it is solved: so contact has a smooth direction that costs no derivative
/// (docs/derivations.md#contact-on-smooth-patches).
struct PatchView {
    const SmoothPatches* patches;
    std::span<const Vec3> x; // [m] vertices
    std::span<const Vec3> x_old; // [m] at the start of the step
    double widest_rim = infinity; // [m]
    const PatchSurface* solid = nullptr; // that the surface encloses; null: it may end, or bend

    Vec3 corner(int facet, int k) const { return x[patches->facets[facet][k]]; }
    Vec3 normal(int facet, int k) const { return patches->normals[patches->normal_of[facet][k]]; }
    Vec3 at(int facet, const Vec3& w) const
    {
        return w[0] * corner(facet, 0) + w[1] * corner(facet, 1) + w[2] * corner(facet, 2);
    }
    /// [m] Of a place over the plane of a facet at the start of the step, negative behind it.
    double height_at_start(int facet, const Vec3& Z) const
    {
        const Triangle& t = patches->facets[facet];
        const Vec3& a = x_old[t[0]];
        return (x_old[t[1]] - a).cross(x_old[t[2]] - a).normalized().dot(Z - a);
    }

    double flush() const { return flush_on_mesh * patches->edge_length; } // [m]

    /// Distance beyond a rim or a crease over which a contact fades out [m]. Beyond a vertex of a rim about which the
    /// patch bends its place has a foot on the facets of either side, and they differ the more the farther out it is:
    /// so what bends has narrow rims (docs/derivations.md#contact-on-smooth-patches, Rims).
    double rim_width() const { return std::min((solid ? 0.25 : 0.05) * patches->edge_length, widest_rim); }
    /// The same of one that comes in: what gets behind the surface beyond its rim is outside, and goes past it. Not 0,
    /// so that the force is continuous. Past a convex edge of what keeps its shape a contact ends with the step instead
    /// (PatchRelaxation::passes).
    double entry_rim_width() const { return solid ? rim_width() : std::min(flush(), widest_rim); }
};

/// Facets that a walk over a patch has met; remembers which of them holds its place best.
class PatchWalk {
public:
    /// Weights of the place sought as `facet` sees it; whether to go on there.
    bool at(const SmoothPatches& patches, int facet, const Vec3& w);
    int next() const { return next_; }
    /// Has met too many facets to go on, although there is a next one.
    bool is_cut() const { return next_ >= 0; }
    /// The facet whose inner sides the place is least beyond, and by which weight (not positive).
    int best() const { return best_; }
    double outside() const { return outside_; }

private:
    static constexpr int limit = 64;
    std::array<int, limit> met_;
    int count_ = 0, next_ = -1, best_ = -1;
    double outside_ = -infinity;
};

} // namespace stickslip
