#pragma once

#include "stickslip/solver/multigrid/gauss_seidel.h"
#include "stickslip/solver/preconditioner.h"

namespace stickslip {

/// Symmetric Gauss-Seidel over 3x3 blocks, M = (D + L) D^-1 (D + U).
class BlockSsor : public Preconditioner {
public:
    void update(const BlockMatrix& A) override { sweeps_.update(view(A)); }
    void apply(const BlockVector& r, BlockVector& z) const override;

    /// Reads one and a half matrices where apply and multiply would read two: with t = (D + L)^-1 r and z = (D + U)^-1
    /// D t, A z = L z + D t. Source: Eisenstat, Efficient Implementation of a Class of Preconditioned Conjugate
    /// Gradient Methods (1981)
    void apply_and_multiply(const BlockMatrix& A, const BlockVector& r, BlockVector& z, BlockVector& Az) const override;

private:
    GaussSeidel<3> sweeps_;
};

} // namespace stickslip
