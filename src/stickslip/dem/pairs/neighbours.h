#pragma once

#include "stickslip/dem/periodic_box.h"
#include "stickslip/dem/spheres.h"

#include <vector>

namespace stickslip {

/// Pairs of spheres closer than a margin, each once: the partners of i are other[first[i]] .. other[first[i + 1] - 1],
/// in rising order. A partner may have the higher or the lower slot, and is not of a class of smaller spheres.
struct NeighbourList {
    std::vector<int> first = {0}; // one more than spheres
    std::vector<int> other;

    std::size_t pairs() const { return other.size(); }
};

/// All pairs with a gap below `margin` [m] >= 0. Cells of one grid for each factor of two in size, so that few small
/// spheres share a cell even beside large ones. Throws InputError when a periodic side is less than two interaction
/// ranges long (a sphere would meet two images of another).
NeighbourList find_neighbours(const std::vector<SpherePlace>& spheres, const PeriodicBox& box, double margin);

/// Takes the pairs (i, j) out of a list for which drop(i, j).
template <typename Drop>
void drop_pairs_if(NeighbourList& list, const Drop& drop)
{
    int kept = 0, k = 0;
    for (std::size_t i = 0; i + 1 < list.first.size(); ++i) {
        for (; k < list.first[i + 1]; ++k) {
            const int j = list.other[k];
            if (!drop(static_cast<int>(i), j))
                list.other[kept++] = j;
        }
        list.first[i + 1] = kept; // k stands at the old one
    }
    list.other.resize(kept);
}

/// Slots in the order of a curve that fills space (Morton), which keeps neighbours close in memory.
std::vector<int> space_filling_order(const std::vector<SpherePlace>& spheres);

} // namespace stickslip
