#pragma once

#include <vector>

namespace stickslip {

class SmoothPatches;

/// The facets of a surface in level parts: within one, facets meet at sides that are no creases and fold by less than
/// `least_fold`. O(facets).
struct Levels {
    Levels(const SmoothPatches& surface, double least_fold); // [rad]

    std::vector<int> level; // of each facet, from 0 in the order of their first facets
    std::vector<std::vector<int>> facets_on; // of each level, the first one first
};

/// Whether a side is no crease, and its facets turn by least_fold [rad] at least.
bool is_fold(const SmoothPatches& surface, int facet, int side, double least_fold);

} // namespace stickslip
