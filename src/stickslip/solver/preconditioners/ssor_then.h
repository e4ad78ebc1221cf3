#pragma once

#include "stickslip/solver/preconditioners/block_ssor.h"

namespace stickslip {

/// SSOR, and once GMRES has run out of patience with it, a stronger preconditioner until the next restart(). Soft
/// bodies never need what that costs to make; stiff ones pay for it about twice, in the first solve of a step.
template <typename Strong>
class SsorThen : public Preconditioner {
public:
    /// limit: iterations that cost as much as to make the strong one, from the number of blocks.
    explicit SsorThen(int (*limit)(std::size_t blocks))
        : limit_(limit)
    {
    }

    void set_near_kernel(const NearKernel& kernel) override { strong_.set_near_kernel(kernel); }
    void update(const BlockMatrix& A) override
    {
        blocks_ = A.pattern.rows();
        current().update(A);
    }
    void apply(const BlockVector& r, BlockVector& z) const override { current().apply(r, z); }
    void apply_and_multiply(const BlockMatrix& A, const BlockVector& r, BlockVector& z, BlockVector& Az) const override
    {
        current().apply_and_multiply(A, r, z, Az);
    }
    int patience() const override { return is_strong_ ? strong_.patience() : std::max(1, limit_(blocks_)); }
    bool strengthen(const BlockMatrix& A) override
    {
        if (is_strong_)
            return strong_.strengthen(A);
        is_strong_ = true;
        strong_.update(A);
        return true;
    }
    void restart() override
    {
        is_strong_ = false;
        strong_.restart();
    }

private:
    Preconditioner& current() { return is_strong_ ? static_cast<Preconditioner&>(strong_) : ssor_; }
    const Preconditioner& current() const { return is_strong_ ? static_cast<const Preconditioner&>(strong_) : ssor_; }

    int (*limit_)(std::size_t blocks);
    BlockSsor ssor_;
    Strong strong_;
    std::size_t blocks_ = 0;
    bool is_strong_ = false;
};

} // namespace stickslip
