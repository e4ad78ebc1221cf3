#include "stickslip/dem/pairs/force_blocks.h"

#include "stickslip/math/parallel.h"

#include <algorithm>
#include <numeric>

namespace stickslip {

ForceBlocks make_force_blocks(const NeighbourList& list, std::size_t spheres)
{
    constexpr std::size_t size = ForceBlocks::size;
    ForceBlocks blocks;
    const std::size_t count = (spheres + size - 1) / size;
    std::vector<std::vector<int>> outside(count); // partners beyond the block, rising
    blocks.target.resize(list.pairs());
    const auto inside = [&](std::size_t b, int j) { return static_cast<std::size_t>(j) / size == b; };
    parallel_for(
        count,
        [&](std::size_t b) {
            const int from = list.first[b * size], to = list.first[std::min(spheres, (b + 1) * size)];
            for (int k = from; k < to; ++k) {
                if (!inside(b, list.other[k]))
                    outside[b].push_back(list.other[k]);
            }
            std::sort(outside[b].begin(), outside[b].end());
            outside[b].erase(std::unique(outside[b].begin(), outside[b].end()), outside[b].end());
        },
        1);
    blocks.first_copy.assign(1, static_cast<int>(spheres));
    blocks.first_share.assign(spheres + 1, 0);
    for (const std::vector<int>& copies : outside) {
        blocks.first_copy.push_back(blocks.first_copy.back() + static_cast<int>(copies.size()));
        for (const int j : copies)
            ++blocks.first_share[j + 1];
    }
    std::partial_sum(blocks.first_share.begin(), blocks.first_share.end(), blocks.first_share.begin());
    blocks.share.resize(blocks.first_share.back());
    std::vector<int> next(blocks.first_share.begin(), blocks.first_share.end() - 1);
    for (std::size_t b = 0; b < count; ++b) {
        for (std::size_t c = 0; c < outside[b].size(); ++c)
            blocks.share[next[outside[b][c]]++] = blocks.first_copy[b] + static_cast<int>(c);
    }
    parallel_for(
        count,
        [&](std::size_t b) {
            const int from = list.first[b * size], to = list.first[std::min(spheres, (b + 1) * size)];
            for (int k = from; k < to; ++k) {
                const int j = list.other[k];
                const auto copy = [&] { return std::lower_bound(outside[b].begin(), outside[b].end(), j); };
                blocks.target[k] =
                    inside(b, j) ? j : blocks.first_copy[b] + static_cast<int>(copy() - outside[b].begin());
            }
        },
        1);
    blocks.sums.assign(blocks.first_copy.back(), LoadRows{});
    return blocks;
}

} // namespace stickslip
