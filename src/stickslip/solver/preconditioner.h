#pragma once

#include "stickslip/solver/block_matrix.h"

#include <limits>

namespace stickslip {

/// An approximate inverse of a block matrix. update() takes a matrix whose pattern may differ from the last one's.
class Preconditioner {
public:
    virtual ~Preconditioner() = default;
    virtual void update(const BlockMatrix& A) = 0;
    virtual void apply(const BlockVector& r, BlockVector& z) const = 0; // z ~ A^-1 r

    /// apply, and Az = A z for the matrix of the last update: some get it cheaper than one after the other.
    virtual void apply_and_multiply(const BlockMatrix& A, const BlockVector& r, BlockVector& z, BlockVector& Az) const;

    /// Iterations of GMRES after which strengthen() is worth its cost.
    virtual int patience() const { return std::numeric_limits<int>::max(); }
    /// Becomes a better inverse of A, and of all matrices until restart(). False: there is none.
    virtual bool strengthen(const BlockMatrix&) { return false; }
    /// As it was before strengthen(), so that a step does not hang on the steps before it.
    virtual void restart() { }
};

} // namespace stickslip
