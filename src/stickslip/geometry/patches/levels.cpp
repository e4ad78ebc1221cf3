#include "stickslip/geometry/patches/levels.h"

#include "stickslip/geometry/patches/smooth_patches.h"

#include <cmath>

namespace stickslip {

bool is_fold(const SmoothPatches& surface, int facet, int side, double least_fold)
{
    const int beyond = surface.across[facet][side];
    return beyond >= 0 && surface.unit_normal(facet).cross(surface.unit_normal(beyond)).norm() > std::sin(least_fold);
}

Levels::Levels(const SmoothPatches& surface, double least_fold)
    : level(surface.facets.size(), -1)
{
    for (std::size_t first = 0; first < level.size(); ++first) {
        if (level[first] >= 0)
            continue;
        level[first] = static_cast<int>(facets_on.size());
        std::vector<int>& on = facets_on.emplace_back(1, static_cast<int>(first));
        for (std::size_t i = 0; i < on.size(); ++i)
            for (int k = 0; k < 3; ++k)
                if (const int g = surface.across[on[i]][k];
                    g >= 0 && level[g] < 0 && !is_fold(surface, on[i], k, least_fold)) {
                    level[g] = level[first];
                    on.push_back(g);
                }
    }
}

} // namespace stickslip
