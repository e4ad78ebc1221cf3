#include "stickslip/solver/preconditioner.h"

namespace stickslip {

void Preconditioner::apply_and_multiply(
    const BlockMatrix& A, const BlockVector& r, BlockVector& z, BlockVector& Az) const
{
    apply(r, z);
    A.multiply(z, Az);
}

} // namespace stickslip
