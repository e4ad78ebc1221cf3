#pragma once

#include "stickslip/dem/spheres.h"
#include "stickslip/geometry/solids/level_set.h"

#include <cstddef>
#include <vector>

namespace stickslip {

/// Boxes around every `size` spheres that follow one another [m]: what is far from all of a block is found at once.
struct SphereBlocks {
    static constexpr std::size_t size = 256;
    std::vector<Bounds> boxes; // of whole spheres

    /// Blocks that overlap a box, rising.
    std::vector<std::size_t> overlapping(const Bounds& box) const;
};
SphereBlocks make_sphere_blocks(const Spheres& spheres);

} // namespace stickslip
