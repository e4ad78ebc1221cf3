#include "stickslip/solver/preconditioners/block_ssor.h"

namespace stickslip {

void BlockSsor::apply(const BlockVector& r, BlockVector& z) const
{
    BlockVector t;
    sweeps_.forward(r, t);
    sweeps_.backward(t, z);
}

void BlockSsor::apply_and_multiply(const BlockMatrix&, const BlockVector& r, BlockVector& z, BlockVector& Az) const
{
    BlockVector t;
    sweeps_.forward(r, t);
    sweeps_.backward(t, z);
    sweeps_.multiply_after_backward(t, z, Az);
}

} // namespace stickslip
