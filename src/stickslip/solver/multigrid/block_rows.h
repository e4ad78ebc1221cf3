#pragma once

#include "stickslip/math/parallel.h"
#include "stickslip/solver/block_matrix.h"

#include <algorithm>
#include <span>
#include <vector>

namespace stickslip {

template <int Rows, int Columns>
using Block = Eigen::Matrix<double, Rows, Columns>;

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
    std::vector<Block<R, C>> value;
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

/// Row i of A x.
template <int R, int C>
Block<R, 1> row_times(const BlockRowsView<R, C>& A, std::size_t i, const Blocks<C>& x)
{
    Block<R, 1> sum = Block<R, 1>::Zero();
    for (int k = A.begin[i]; k < A.begin[i + 1]; ++k)
        sum.noalias() += A.value[k] * x[A.column[k]];
    return sum;
}

/// Row i of A B, added to AB. Each block is summed in the order of A's row.
template <int R, int M, int C>
void add_product_row(const BlockRowsView<R, M>& A, const BlockRows<M, C>& B, int i, BlockRows<R, C>& AB)
{
    const std::size_t first = AB.column.size();
    for (int k = A.begin[i]; k < A.begin[i + 1]; ++k)
        AB.column.insert(
            AB.column.end(), B.column.begin() + B.begin[A.column[k]], B.column.begin() + B.begin[A.column[k] + 1]);
    const auto own = AB.column.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(own, AB.column.end());
    AB.column.erase(std::unique(own, AB.column.end()), AB.column.end());
    AB.value.resize(AB.column.size(), Block<R, C>::Zero());
    for (int k = A.begin[i]; k < A.begin[i + 1]; ++k)
        for (int l = B.begin[A.column[k]]; l < B.begin[A.column[k] + 1]; ++l) {
            const auto place = std::lower_bound(own, AB.column.end(), B.column[l]) - AB.column.begin();
            AB.value[place].noalias() += A.value[k].lazyProduct(B.value[l]);
        }
    AB.end_row();
}

/// A B, in parts of rows that do not depend on threads.
template <int R, int M, int C>
BlockRows<R, C> product(const BlockRowsView<R, M>& A, const BlockRows<M, C>& B)
{
    constexpr int rows_a_part = 128;
    std::vector<BlockRows<R, C>> parts((A.rows() + rows_a_part - 1) / rows_a_part);
    parallel_for(
        parts.size(),
        [&](std::size_t p) {
            const int begin = rows_a_part * static_cast<int>(p), end = std::min(begin + rows_a_part, A.rows());
            for (int i = begin; i < end; ++i)
                add_product_row(A, B, i, parts[p]);
        },
        1);
    BlockRows<R, C> AB;
    AB.columns = B.columns;
    for (const BlockRows<R, C>& part : parts) {
        const int before = AB.begin.back();
        for (int i = 1; i <= part.rows(); ++i)
            AB.begin.push_back(before + part.begin[i]);
        AB.column.insert(AB.column.end(), part.column.begin(), part.column.end());
        AB.value.insert(AB.value.end(), part.value.begin(), part.value.end());
    }
    return AB;
}

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

} // namespace stickslip
