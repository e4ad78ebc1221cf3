#pragma once

#include "stickslip/solver/block_matrix.h"

#include <limits>
#include <vector>

namespace stickslip {

/// Near kernel of a matrix: six vectors in blocks of three, for a system of bodies its rigid motions.
using NearKernel = std::vector<Eigen::Matrix<double, 3, 6>>; // by block

/// An approximate inverse of a block matrix. update() takes a matrix whose pattern may differ from the last one's.
class Preconditioner {
public:
    virtual ~Preconditioner() = default;
    /// That of the matrices to come, for what makes use of it.
    virtual void set_near_kernel(const NearKernel&) { }
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
