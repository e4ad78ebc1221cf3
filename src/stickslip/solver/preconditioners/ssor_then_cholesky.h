#pragma once

#include "stickslip/solver/preconditioners/block_ssor.h"
#include "stickslip/solver/preconditioners/symmetric_cholesky.h"

namespace stickslip {

/// SSOR, and once GMRES has run out of patience with it, Cholesky until the next restart(). Soft bodies never need the
/// factor, which grows with the square of their size; stiff ones pay for it about twice, in the first solve of a step.
class SsorThenCholesky : public Preconditioner {
public:
    void update(const BlockMatrix& A) override;
    void apply(const BlockVector& r, BlockVector& z) const override;
    void apply_and_multiply(const BlockMatrix& A, const BlockVector& r, BlockVector& z, BlockVector& Az) const override;
    int patience() const override;
    bool strengthen(const BlockMatrix& A) override;
    void restart() override { strong_ = false; }

private:
    BlockSsor ssor_;
    SymmetricCholesky cholesky_;
    std::size_t blocks_ = 0;
    bool strong_ = false;
};

} // namespace stickslip
