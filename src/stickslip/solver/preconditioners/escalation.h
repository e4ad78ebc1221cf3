#pragma once

#include "stickslip/solver/preconditioner.h"

#include <memory>
#include <vector>

namespace stickslip {

/// A preconditioner of an escalation, and after how many iterations of GMRES, from the number of blocks, the next one
/// is worth its cost: as many as cost what the next one costs to make. Of the last one it is not asked.
struct Stage {
    std::unique_ptr<Preconditioner> preconditioner;
    int (*limit)(std::size_t blocks) = nullptr;
};

/// The first of several preconditioners, and once GMRES has run out of patience with it, the next one until restart().
/// Matrices that the first serves never need what the others cost; of each that does not serve no more than twice the
/// cost of the next is lost, in the first solve of a step.
class Escalation : public Preconditioner {
public:
    explicit Escalation(std::vector<Stage> stages);

    void set_near_kernel(const NearKernel& kernel) override;
    void update(const BlockMatrix& A) override;
    void apply(const BlockVector& r, BlockVector& z) const override { current().apply(r, z); }
    void apply_and_multiply(const BlockMatrix& A, const BlockVector& r, BlockVector& z, BlockVector& Az) const override
    {
        current().apply_and_multiply(A, r, z, Az);
    }
    int patience() const override;
    bool strengthen(const BlockMatrix& A) override;
    void restart() override;

private:
    Preconditioner& current() { return *stages_[at_].preconditioner; }
    const Preconditioner& current() const { return *stages_[at_].preconditioner; }
    bool is_last() const { return at_ + 1 == stages_.size(); }

    std::vector<Stage> stages_;
    std::size_t at_ = 0, blocks_ = 0;
};

} // namespace stickslip
