#pragma once

#include "stickslip/solver/block_matrix.h"
#include "stickslip/solver/block_sum.h"

#include <span>
#include <vector>

namespace stickslip {

/// A vector in blocks of N.
template <int N>
using Blocks = std::vector<Block<N, 1>>;

/// A sparse matrix of small blocks in compressed rows, columns ascending, that is kept elsewhere.
template <int R, int C>
struct BlockRowsView {
    std::span<const int> begin; // rows + 1
    std::span<const int> column; // of each block
    std::span<const Block<R, C>> value; // by block

    int rows() const { return static_cast<int>(begin.size()) - 1; }
};

inline BlockRowsView<3, 3> view(const BlockMatrix& A)
{
    return {A.pattern.row_begin, A.pattern.column, A.value};
}

template <int R, int C>
struct BlockRows {
    std::vector<int> begin = {0}, column;
    LargeVector<Block<R, C>> value;
    int columns = 0;

    int rows() const { return static_cast<int>(begin.size()) - 1; }
    BlockRowsView<R, C> view() const { return {begin, column, value}; }
    void add(int in_column, const Block<R, C>& block) // to the last row
    {
        column.push_back(in_column);
        value.push_back(block);
    }
    void end_row() { begin.push_back(static_cast<int>(column.size())); }
};

template <int R, int C>
BlockRows<C, R> transposed(const BlockRows<R, C>& A)
{
    BlockRows<C, R> T;
    T.columns = A.rows();
    T.begin.assign(A.columns + 1, 0);
    for (const int column : A.column)
        ++T.begin[column + 1];
    for (int j = 0; j < A.columns; ++j)
        T.begin[j + 1] += T.begin[j];
    T.column.resize(A.column.size());
    T.value.resize(A.value.size());
    std::vector<int> next(T.begin.begin(), T.begin.end() - 1);
    for (int i = 0; i < A.rows(); ++i)
        for (int k = A.begin[i]; k < A.begin[i + 1]; ++k) {
            const int place = next[A.column[k]]++;
            T.column[place] = i;
            T.value[place] = A.value[k].transpose();
        }
    return T;
}

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
