#include "stickslip/dem/pairs/touch_table.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

TouchTable::TouchTable(const std::vector<PairLaw>& laws)
    : laws_(laws)
    , materials_(static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(laws.size())))))
    , all_(std::all_of(laws.begin(), laws.end(), [](const PairLaw& pair) { return pair.touches; }))
{
}

void TouchTable::drop_passing(const std::vector<int>& material, NeighbourList& list) const
{
    if (!all_)
        drop_pairs_if(list, [&](int i, int j) { return !touch(material[i], material[j]); });
}

void TouchTable::drop_passing(const std::vector<int>& material, int wall_material, NearWall& near) const
{
    if (all_)
        return;
    NearWall kept;
    const bool meshed = !near.first_facet.empty();
    if (meshed)
        kept.first_facet.push_back(0);
    for (std::size_t c = 0; c < near.sphere.size(); ++c) {
        if (!touch(material[near.sphere[c]], wall_material))
            continue;
        kept.sphere.push_back(near.sphere[c]);
        if (!meshed)
            continue;
        const std::span<const int> facets = near.facets(c);
        kept.facet.insert(kept.facet.end(), facets.begin(), facets.end());
        kept.first_facet.push_back(static_cast<int>(kept.facet.size()));
    }
    near = std::move(kept);
}

void TouchTable::drop_passing(const std::vector<GranularWall>& walls, std::vector<PointPlace>& near) const
{
    if (!all_)
        std::erase_if(
            near, [&](const PointPlace& at) { return !touch(walls[at.wall].material, walls[at.solid].material); });
}

} // namespace stickslip
