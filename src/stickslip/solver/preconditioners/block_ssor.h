#pragma once

#include "stickslip/solver/preconditioner.h"

namespace stickslip {

/// Symmetric Gauss-Seidel over 3x3 blocks, M = (D + L) D^-1 (D + U), with the rows in the order of a colouring: rows of
/// one colour do not meet, so they run in parallel, and the order does not depend on threads. The matrix is kept a
/// second time, split into L and U and sorted, so that a sweep reads each block once.
class BlockSsor : public Preconditioner {
public:
    void update(const BlockMatrix& A) override;
    void apply(const BlockVector& r, BlockVector& z) const override;

    /// Reads one and a half matrices where apply and multiply would read two: with t = (D + L)^-1 r and z = (D + U)^-1
    /// D t, A z = L z + D t. Source: Eisenstat, Efficient Implementation of a Class of Preconditioned Conjugate
    /// Gradient Methods (1981)
    void apply_and_multiply(const BlockMatrix& A, const BlockVector& r, BlockVector& z, BlockVector& Az) const override;

private:
    // One triangle of the matrix, rows in colour order.
    struct Triangle {
        std::vector<int> begin, column, source; // source: block of the matrix
        std::vector<Mat3> value;

        void add_row(const BlockPattern& p, int row, const std::vector<int>& colour, bool lower);
        void copy_values(const BlockMatrix& A);
        Vec3 row_times(std::size_t k, const BlockVector& x) const;
    };

    void order_rows(const BlockPattern& p);
    void sweep_forward(const BlockVector& r, BlockVector& t) const;
    void sweep_backward(const BlockVector& t, BlockVector& z) const;

    std::vector<int> row_begin_, column_; // of the ordered pattern
    std::vector<int> rows_, colour_begin_; // rows by colour
    Triangle lower_, upper_;
    std::vector<Mat3> diagonal_, pivot_,
        inverse_pivot_; // by row; pivot: the diagonal, or the identity where that is singular
};

} // namespace stickslip
