#include "stickslip/solver/preconditioners/escalation.h"

#include <algorithm>

namespace stickslip {

Escalation::Escalation(std::vector<Stage> stages)
    : stages_(std::move(stages))
{
}

void Escalation::set_near_kernel(const NearKernel& kernel)
{
    for (const Stage& stage : stages_)
        stage.preconditioner->set_near_kernel(kernel);
}

void Escalation::update(const BlockMatrix& A)
{
    blocks_ = A.pattern.rows();
    current().update(A);
}

int Escalation::patience() const
{
    return is_last() ? current().patience() : std::max(1, stages_[at_].limit(blocks_));
}

bool Escalation::strengthen(const BlockMatrix& A)
{
    if (is_last())
        return current().strengthen(A);
    ++at_;
    current().update(A);
    return true;
}

void Escalation::restart()
{
    at_ = 0;
    for (const Stage& stage : stages_)
        stage.preconditioner->restart();
}

} // namespace stickslip
