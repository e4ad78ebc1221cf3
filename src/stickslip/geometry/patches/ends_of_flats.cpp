#include "stickslip/geometry/patches/ends_of_flats.h"

#include "stickslip/geometry/patches/levels.h"
#include "stickslip/geometry/patches/smooth_patches.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

constexpr double least_fold = std::numbers::pi / 180; // [rad]
constexpr double wide = 3; // [-] times the width beyond the fold

/// A facet seen from one of its sides.
struct FacetSide {
    int facet, side;
};

class FlatsOfPatches {
public:
    explicit FlatsOfPatches(const SmoothPatches& surface)
        : surface_(surface)
        , levels_(surface, least_fold)
    {
        find_inner_vertices();
    }

    bool folds(const FacetSide& at) const { return is_fold(surface_, at.facet, at.side, least_fold); }

    bool is_flat(const FacetSide& own, const FacetSide& beyond) const
    {
        if (goes_on_level(own) && (is_inner_[far_corner(own)] || lean(beyond) < -even || goes_on_level(beyond)))
            return true;
        return lean(beyond) > even && level_with(own.facet).size() > 1 && is_wider(own, wide * width(beyond));
    }

private:
    static constexpr double even = 0.25; // [-] of what the normal at a fold leans

    bool goes_on_level(const FacetSide& at) const
    {
        return std::abs(lean(at)) <= even && !folds(next(at)) && !folds(next(next(at)));
    }
    static FacetSide next(const FacetSide& at) { return {at.facet, (at.side + 1) % 3}; }
    int far_corner(const FacetSide& at) const { return surface_.facets[at.facet][(at.side + 2) % 3]; }
    Vec3 inward(const FacetSide& at) const
    {
        const Triangle& t = surface_.facets[at.facet];
        return surface_.unit_normal(at.facet)
            .cross(surface_.x[t[(at.side + 1) % 3]] - surface_.x[t[at.side]])
            .normalized();
    }

    const std::vector<int>& level_with(int facet) const { return levels_.facets_on[levels_.level[facet]]; }

    // By how much the normal at the far corner leans away from the fold, of what that at the fold leans towards it [-].
    double lean(const FacetSide& at) const
    {
        const Vec3 in = inward(at);
        const int beyond = surface_.across[at.facet][at.side];
        const Vec3 at_fold = (surface_.unit_normal(at.facet) + surface_.unit_normal(beyond)).normalized();
        return -surface_.normals[surface_.normal_of[at.facet][(at.side + 2) % 3]].dot(in) / at_fold.dot(in);
    }

    void find_inner_vertices()
    {
        is_inner_.assign(surface_.x.size(), true);
        for (std::size_t f = 0; f < surface_.facets.size(); ++f)
            for (int k = 0; k < 3; ++k)
                if (surface_.across[f][k] < 0)
                    is_inner_[surface_.facets[f][k]] = is_inner_[surface_.facets[f][(k + 1) % 3]] = false;
    }

    // How far what is level with the facet reaches from the side [m].
    double width(const FacetSide& at) const
    {
        double widest = 0;
        visit_depths(at, [&](double depth) {
            widest = std::max(widest, depth);
            return true;
        });
        return widest;
    }

    bool is_wider(const FacetSide& at, double width) const
    {
        return !visit_depths(at, [&](double depth) { return depth <= width; });
    }

    // Until one is refused. Facets on a level that has bent away, as on a fine round surface, are not level any more.
    template <typename Visit>
    bool visit_depths(const FacetSide& at, const Visit& visit) const
    {
        const Vec3 in = inward(at), &from = surface_.x[surface_.facets[at.facet][at.side]];
        for (const int f : level_with(at.facet))
            if (surface_.unit_normal(f).cross(surface_.unit_normal(at.facet)).norm() <= std::sin(least_fold))
                for (const int v : surface_.facets[f])
                    if (!visit(in.dot(surface_.x[v] - from)))
                        return false;
        return true;
    }

    const SmoothPatches& surface_;
    Levels levels_;
    std::vector<bool> is_inner_; // vertices
};

} // namespace

std::vector<std::array<bool, 3>> ends_of_flats(const SmoothPatches& surface)
{
    const FlatsOfPatches flats(surface);
    std::vector<std::array<bool, 3>> ends(surface.facets.size(), {false, false, false});
    for (int f = 0; f < static_cast<int>(ends.size()); ++f)
        for (int k = 0; k < 3; ++k)
            if (const int g = surface.across[f][k]; g > f && flats.folds({f, k})) {
                const auto back = std::find(surface.across[g].begin(), surface.across[g].end(), f);
                const int b = static_cast<int>(back - surface.across[g].begin());
                ends[f][k] = ends[g][b] = flats.is_flat({f, k}, {g, b}) || flats.is_flat({g, b}, {f, k});
            }
    return ends;
}

} // namespace stickslip
