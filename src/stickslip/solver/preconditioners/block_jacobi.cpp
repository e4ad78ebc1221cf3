#include "stickslip/solver/preconditioners/block_jacobi.h"

#include "stickslip/math/parallel.h"

#include <Eigen/LU>

namespace stickslip {

namespace {

// A singular block (no mass and no stiffness in some direction) cannot be divided by: such a row is left alone.
Mat3 inverse_or_identity(const Mat3& block)
{
    const Mat3 inverse = block.inverse();
    return inverse.allFinite() ? inverse : Mat3::Identity();
}

} // namespace

void BlockJacobi::update(const BlockMatrix& A)
{
    inverse_.resize(A.pattern.rows());
    parallel_for(
        inverse_.size(), [&](std::size_t i) { inverse_[i] = inverse_or_identity(A.value[A.pattern.diagonal[i]]); });
}

void BlockJacobi::apply(const BlockVector& r, BlockVector& z) const
{
    z.resize(r.size());
    parallel_for(r.size(), [&](std::size_t i) { z[i] = inverse_[i] * r[i]; });
}

} // namespace stickslip
