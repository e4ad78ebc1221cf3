#pragma once

#include "stickslip/solver/block_sum.h"
#include "stickslip/solver/multigrid/block_rows.h"

namespace stickslip {

/// Row i of A x. For loops of parallel_for_lanes over rows in order: blocks of the rows to come are fetched ahead.
template <int R, int C>
Block<R, 1> row_times(const BlockRowsView<R, C>& A, std::size_t i, const Blocks<C>& x)
{
    constexpr int ahead = 24; // blocks
    BlockSum<R, C> sum;
    for (int k = A.begin[i]; k < A.begin[i + 1]; ++k) {
        __builtin_prefetch(A.value.data() + k + ahead);
        sum.add(A.value[k], x[A.column[k]]);
    }
    return sum.value();
}

} // namespace stickslip
