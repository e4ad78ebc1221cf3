#pragma once

#include "stickslip/dem/neighbours.h"
#include "stickslip/dem/spheres.h"

#include <vector>

namespace stickslip {

/// Where the pairs of a list leave their forces, so that any number of threads adds them in the same order without
/// locks: slots are cut into blocks of fixed size, one task each. A pair inside a block adds to both spheres; a partner
/// outside it has a copy at the end of `sums` that belongs to the block alone.
struct ForceBlocks {
    static constexpr std::size_t size = 1024; // [spheres]

    std::vector<int> target; // [pairs] index into sums of the partner
    std::vector<int> first_copy; // [blocks + 1] the copies of a block, indices into sums
    std::vector<int> first_share, share; // copies of each sphere, in order of blocks (compressed rows)
    std::vector<Load> sums; // [spheres + copies]

    /// A pair that may touch: index in the list and its first sphere.
    struct Candidate {
        int k, i;
    };
    static constexpr int spare = 4;
    std::vector<Candidate> near; // scratch: [pairs + spare a block], those of a block together

    std::size_t blocks() const { return first_copy.size() - 1; }
    Load total(std::size_t i) const
    {
        Load load = sums[i];
        for (int k = first_share[i]; k < first_share[i + 1]; ++k)
            load += sums[share[k]];
        return load;
    }
};

ForceBlocks make_force_blocks(const NeighbourList& list, std::size_t spheres);

} // namespace stickslip
