#pragma once

#include "stickslip/math/large_pages.h"
#include "stickslip/math/types.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace stickslip {

/// A small dense block of a matrix, or of a vector with one column.
template <int Rows, int Columns>
using Block = Eigen::Matrix<double, Rows, Columns>;

/// Sparsity pattern of a matrix of 3x3 blocks: compressed rows, columns ascending, every diagonal block present. It is
/// symmetric ((i, j) present means (j, i) present), so that the transposed product can gather too.
struct BlockPattern {
    std::vector<int> row_begin; // rows + 1
    std::vector<int> column; // of each block
    std::vector<int> transposed; // of block (i, j): where (j, i) stands
    std::vector<int> diagonal; // of row i: where (i, i) stands

    std::size_t rows() const { return row_begin.empty() ? 0 : row_begin.size() - 1; }
    std::size_t blocks() const { return column.size(); }

    /// Index of block (row, column); -1 when it is not in the pattern.
    int find(int row, int column) const;
};

/// Pattern of rows by their columns, ascending, the diagonal and for every (i, j) also (j, i) among them.
BlockPattern make_pattern(const std::vector<std::vector<int>>& columns);

/// Pattern that holds all pairs (i, j) of each group of indices.
BlockPattern make_pattern(std::size_t rows, const std::vector<std::vector<int>>& groups);

/// Pattern of two uncoupled systems, one after the other.
BlockPattern side_by_side(const BlockPattern& a, const BlockPattern& b);

/// The same pattern with the blocks (i, j) and (j, i) of sorted, distinct pairs i < j that it does not hold.
BlockPattern with_couplings(const BlockPattern& pattern, const std::vector<std::pair<int, int>>& pairs);

/// Sparse square matrix of 3x3 blocks. Products run in parallel over rows; each row is summed in order, so any number
/// of threads gives the same bits.
struct BlockMatrix {
    BlockPattern pattern;
    LargeVector<Mat3> value; // by block

    void multiply(const BlockVector& x, BlockVector& y) const; // y = A x
    void multiply_transpose(const BlockVector& x, BlockVector& y) const; // y = A^T x
};

} // namespace stickslip
