#pragma once

#include "stickslip/solver/multigrid/block_rows.h"

#include <Eigen/LU>

namespace stickslip {

/// Greedy colours of the rows of a symmetric pattern, in row order: the smallest that no neighbour has yet. Returns
/// their number.
int colour_rows(std::span<const int> begin, std::span<const int> column, std::vector<int>& colour);

/// Gauss-Seidel sweeps over blocks of N, A = L + D + U with the rows in the order of a colouring: rows of one colour do
/// not meet, so they run in parallel, and the order does not depend on threads. The matrix is kept split into L and U
/// and sorted, so that a sweep reads each block once.
template <int N>
class GaussSeidel {
public:
    void update(const BlockRowsView<N, N>& A);

    void forward(const Blocks<N>& r, Blocks<N>& t) const; // t = (D + L)^-1 r
    void backward(const Blocks<N>& t, Blocks<N>& z) const; // z = (D + U)^-1 D t
    void relax_backward(const Blocks<N>& r, Blocks<N>& z) const; // z += (D + U)^-1 (r - A z)

    /// A z after z = (D + U)^-1 D t, as L z + D t.
    void multiply_after_backward(const Blocks<N>& t, const Blocks<N>& z, Blocks<N>& Az) const;
    /// r - A t after t = (D + L)^-1 r, as -U t.
    void residual_after_forward(const Blocks<N>& t, Blocks<N>& s) const;

    std::size_t rows() const { return rows_.size(); }

private:
    // One triangle of the matrix, rows in colour order.
    struct Triangle {
        std::vector<int> begin, column, source; // source: block of the matrix
        std::vector<Block<N, N>> value;

        Block<N, 1> row_times(std::size_t k, const Blocks<N>& x) const
        {
            Block<N, 1> sum = Block<N, 1>::Zero();
            for (int b = begin[k]; b < begin[k + 1]; ++b)
                sum.noalias() += value[b] * x[column[b]];
            return sum;
        }
    };

    void order_rows(const BlockRowsView<N, N>& A);
    template <typename Body>
    void for_rows(std::size_t colour, const Body& body) const
    {
        const int begin = colour_begin_[colour];
        parallel_for(colour_begin_[colour + 1] - begin, [&](std::size_t n) { body(begin + n, rows_[begin + n]); });
    }
    std::size_t colours() const { return colour_begin_.size() - 1; }

    std::vector<int> row_begin_, column_; // of the ordered pattern
    std::vector<int> rows_, colour_begin_ = {0}; // rows by colour
    std::vector<int> diagonal_place_; // of row i: its block of the matrix
    Triangle lower_, upper_;
    // By row; pivot: the diagonal, or the identity where that is singular.
    std::vector<Block<N, N>> diagonal_, pivot_, inverse_pivot_;
};

template <int N>
void GaussSeidel<N>::order_rows(const BlockRowsView<N, N>& A)
{
    std::vector<int> colour;
    colour_begin_.assign(colour_rows(A.begin, A.column, colour) + 1, 0);
    for (const int c : colour)
        ++colour_begin_[c + 1];
    for (std::size_t c = 1; c < colour_begin_.size(); ++c)
        colour_begin_[c] += colour_begin_[c - 1];
    rows_.resize(A.rows());
    diagonal_place_.resize(A.rows());
    std::vector<int> next(colour_begin_.begin(), colour_begin_.end() - 1);
    for (int i = 0; i < A.rows(); ++i) {
        rows_[next[colour[i]]++] = i;
        const auto row = A.column.subspan(A.begin[i], A.begin[i + 1] - A.begin[i]);
        diagonal_place_[i] = A.begin[i] + static_cast<int>(std::lower_bound(row.begin(), row.end(), i) - row.begin());
    }
    for (Triangle* triangle : {&lower_, &upper_}) {
        *triangle = {};
        triangle->begin.push_back(0);
        for (const int i : rows_) {
            for (int k = A.begin[i]; k < A.begin[i + 1]; ++k) {
                const int other = colour[A.column[k]];
                if (triangle == &lower_ ? other < colour[i] : other > colour[i]) {
                    triangle->column.push_back(A.column[k]);
                    triangle->source.push_back(k);
                }
            }
            triangle->begin.push_back(static_cast<int>(triangle->column.size()));
        }
    }
    row_begin_.assign(A.begin.begin(), A.begin.end());
    column_.assign(A.column.begin(), A.column.end());
}

template <int N>
void GaussSeidel<N>::update(const BlockRowsView<N, N>& A)
{
    if (!std::equal(A.begin.begin(), A.begin.end(), row_begin_.begin(), row_begin_.end())
        || !std::equal(A.column.begin(), A.column.end(), column_.begin(), column_.end()))
        order_rows(A);
    for (Triangle* triangle : {&lower_, &upper_}) {
        triangle->value.resize(triangle->source.size());
        parallel_for(
            triangle->source.size(), [&](std::size_t k) { triangle->value[k] = A.value[triangle->source[k]]; }, 4096);
    }
    diagonal_.resize(rows());
    pivot_.resize(rows());
    inverse_pivot_.resize(rows());
    parallel_for(rows(), [&](std::size_t i) {
        diagonal_[i] = A.value[diagonal_place_[i]];
        inverse_pivot_[i] = diagonal_[i].inverse();
        pivot_[i] = diagonal_[i];
        if (!inverse_pivot_[i].allFinite()) // neither mass nor stiffness in some direction: such a row is left alone
            pivot_[i] = inverse_pivot_[i] = Block<N, N>::Identity();
    });
}

template <int N>
void GaussSeidel<N>::forward(const Blocks<N>& r, Blocks<N>& t) const
{
    t.resize(r.size());
    for (std::size_t c = 0; c < colours(); ++c)
        for_rows(c, [&](std::size_t k, int i) { t[i] = inverse_pivot_[i] * (r[i] - lower_.row_times(k, t)); });
}

template <int N>
void GaussSeidel<N>::backward(const Blocks<N>& t, Blocks<N>& z) const
{
    z.resize(t.size());
    for (std::size_t c = colours(); c-- > 0;)
        for_rows(c, [&](std::size_t k, int i) { z[i] = t[i] - inverse_pivot_[i] * upper_.row_times(k, z); });
}

template <int N>
void GaussSeidel<N>::relax_backward(const Blocks<N>& r, Blocks<N>& z) const
{
    for (std::size_t c = colours(); c-- > 0;)
        for_rows(c, [&](std::size_t k, int i) {
            z[i] = inverse_pivot_[i] * (r[i] - lower_.row_times(k, z) - upper_.row_times(k, z));
        });
}

template <int N>
void GaussSeidel<N>::multiply_after_backward(const Blocks<N>& t, const Blocks<N>& z, Blocks<N>& Az) const
{
    Az.resize(z.size());
    parallel_for(z.size(), [&](std::size_t k) {
        const int i = rows_[k];
        Az[i] = lower_.row_times(k, z) + diagonal_[i] * z[i] + pivot_[i] * (t[i] - z[i]);
    });
}

template <int N>
void GaussSeidel<N>::residual_after_forward(const Blocks<N>& t, Blocks<N>& s) const
{
    s.resize(t.size());
    parallel_for(t.size(), [&](std::size_t k) { s[rows_[k]] = -upper_.row_times(k, t); });
}

} // namespace stickslip
