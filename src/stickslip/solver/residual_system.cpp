#include "stickslip/solver/residual_system.h"

#include "stickslip/solver/vector_ops.h"

namespace stickslip {

double ResidualSystem::measure(const BlockVector& g) const
{
    return norm(g);
}

double ResidualSystem::round_off() const
{
    return 0;
}

double ResidualSystem::longest_step(const BlockVector&, const BlockVector&) const
{
    return infinity;
}

} // namespace stickslip
