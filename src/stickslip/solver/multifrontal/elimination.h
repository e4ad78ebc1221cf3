#pragma once

#include "stickslip/solver/block_matrix.h"

#include <span>
#include <vector>

namespace stickslip {

/// Elimination of the rows of a symmetric pattern: in an order of little fill, in groups of neighbours that share
/// their columns (supernodes). What a group's front leaves is added to that of its parent.
struct Elimination {
    struct Group {
        int first, last; // pivots [first, last) in the order of elimination
        int rows_begin, rows_end; // of `rows`: the later pivots that it couples to, ascending
        int parent; // group; -1: none
        int pivots() const { return last - first; }
        int blocks() const { return pivots() + rows_end - rows_begin; } // of its front
    };

    std::vector<int> order; // row of the pattern of each pivot
    std::vector<int> place; // pivot of each row
    std::vector<Group> groups; // children before parents, in postorder
    std::vector<int> rows;

    std::span<const int> rows_of(const Group& g) const
    {
        return {rows.data() + g.rows_begin, static_cast<std::size_t>(g.rows_end - g.rows_begin)};
    }
};

/// Source: Davis, Direct Methods for Sparse Linear Systems, chapters 4, 6 and 7
Elimination make_elimination(const BlockPattern& pattern);

} // namespace stickslip
