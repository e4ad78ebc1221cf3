#pragma once

#include "stickslip/dem/pairs/neighbours.h"
#include "stickslip/dem/spheres.h"

#include <vector>

namespace stickslip {

/// Partial sums of the forces of a list of pairs, so that any number of threads adds them in the same order without
/// locks: slots are cut into blocks of fixed size, one task each. A pair inside a block adds to both spheres; a partner
/// outside it has a copy at the end of `sums` that belongs to the block alone.
struct ForceBlocks {
    static constexpr std::size_t size = 1024; // [spheres]

    std::vector<int> target; // [pairs] index into sums of the partner
    std::vector<int> first_copy; // [blocks + 1] the copies of a block, indices into sums
    std::vector<int> first_share, share; // copies of each sphere, in order of blocks (compressed rows)
    std::vector<LoadRows> sums; // [spheres + copies]

    std::size_t blocks() const { return first_copy.size() - 1; }
    LoadRows total(std::size_t i) const
    {
        LoadRows load;
        for_each_part(i, [&](const LoadRows& part) { load += part; });
        return load;
    }
    /// Calls body(part) for what adds up to the load of sphere i, in order.
    template <typename Body>
    void for_each_part(std::size_t i, const Body& body) const
    {
        body(sums[i]);
        for (int k = first_share[i]; k < first_share[i + 1]; ++k)
            body(sums[share[k]]);
    }
};

ForceBlocks make_force_blocks(const NeighbourList& list, std::size_t spheres);

} // namespace stickslip
