#pragma once

#include "stickslip/solver/multigrid/block_rows.h"

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

    /// r - A t after t = (D + L)^-1 r, as -U t.
    void residual_after_forward(const Blocks<N>& t, Blocks<N>& s) const;
    /// A z after z = (D + U)^-1 D t, as D t + L z.
    void multiply_after_backward(const Blocks<N>& t, const Blocks<N>& z, Blocks<N>& Az) const;
    /// A z after relax_backward has brought it there from `before`, as r + L (z - before).
    void multiply_after_relaxing(const Blocks<N>& r, const Blocks<N>& before, const Blocks<N>& z, Blocks<N>& Az) const;

    std::size_t rows() const { return rows_.size(); }

private:
    // One triangle of the matrix.
    struct Triangle {
        std::vector<int> begin, column, source; // source: block of the matrix
        LargeVector<Block<N, N>> value;

        BlockRowsView<N, N> view() const { return {begin, column, value}; }
    };

    void order_rows(const BlockRowsView<N, N>& A);
    template <typename Body>
    void for_rows(std::size_t colour, const Body& body) const;
    std::size_t colours() const { return colour_begin_.size() - 1; }

    std::vector<int> row_begin_, column_; // of the ordered pattern
    // Rows in colour order.
    std::vector<int> rows_, colour_begin_ = {0};
    std::vector<int> diagonal_place_; // block of the matrix
    Triangle lower_, upper_;
    std::vector<Block<N, N>> diagonal_, inverse_;
    std::vector<std::size_t> singular_; // with a singular diagonal: in sweeps the identity takes its place
};

} // namespace stickslip
