#pragma once

#include "stickslip/solver/block_matrix.h"

#include <limits>
#include <memory>

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

/// What to use. `automatic` takes LU when the system is mostly contact; else Cholesky up to 400 blocks, SSOR with a way
/// back to Cholesky up to 4000. Above, SSOR for both. Measured in docs/validation.md, preconditioners.
enum class PreconditionerKind { automatic, block_jacobi, block_ssor, cholesky, lu };

/// block_jacobi: inverse diagonal blocks. Nothing to set up; for soft bodies and small steps.
/// block_ssor:   symmetric Gauss-Seidel over blocks in colour order (rows of one colour do not meet, so they run in
/// parallel). cholesky:     L D L^T of the symmetric part (H + H^T)/2, |D| in place of D, so that a locally indefinite
/// matrix still gives a
///               usable approximation; the fill-reducing order is kept while the pattern stays the same.
/// lu:           L U of H itself. Right for what is mostly contact: friction is not symmetric.
/// `mostly_contact`: most blocks belong to rigid bodies.
std::unique_ptr<Preconditioner> make_preconditioner(
    PreconditionerKind kind, std::size_t blocks, bool mostly_contact = false);

} // namespace stickslip
