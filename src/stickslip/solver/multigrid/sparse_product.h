#pragma once

#include "stickslip/solver/multigrid/block_rows.h"

namespace stickslip {

/// A B, for blocks of 3 x 3 or 6 x 3 or 6 x 6 by those of six columns. Each block is summed in the order of A's row.
template <int R, int M, int C>
BlockRows<R, C> product(const BlockRowsView<R, M>& A, const BlockRows<M, C>& B);

} // namespace stickslip
