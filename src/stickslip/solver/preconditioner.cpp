#include "stickslip/solver/preconditioner.h"

#include "stickslip/math/parallel.h"
#include "stickslip/solver/block_ssor.h"
#include "stickslip/solver/sparse_lu.h"
#include "stickslip/solver/ssor_then_cholesky.h"
#include "stickslip/solver/symmetric_cholesky.h"

#include <Eigen/LU>

namespace stickslip {

namespace {

// A singular block (no mass and no stiffness in some direction) cannot be divided by: such a row is left alone.
Mat3 inverse_or_identity(const Mat3& block)
{
    const Mat3 inverse = block.inverse();
    return inverse.allFinite() ? inverse : Mat3::Identity();
}

std::vector<Mat3> inverse_diagonal(const BlockMatrix& A)
{
    std::vector<Mat3> inverse(A.pattern.rows());
    parallel_for(
        inverse.size(), [&](std::size_t i) { inverse[i] = inverse_or_identity(A.value[A.pattern.diagonal[i]]); });
    return inverse;
}

class BlockJacobi : public Preconditioner {
public:
    void update(const BlockMatrix& A) override { inverse_ = inverse_diagonal(A); }

    void apply(const BlockVector& r, BlockVector& z) const override
    {
        z.resize(r.size());
        parallel_for(r.size(), [&](std::size_t i) { z[i] = inverse_[i] * r[i]; });
    }

private:
    std::vector<Mat3> inverse_;
};

constexpr std::size_t largest_factor = 4000; // blocks
constexpr std::size_t cheap_factor = 400; // up to here Cholesky is the faster one, stiff or soft

} // namespace

void Preconditioner::apply_and_multiply(
    const BlockMatrix& A, const BlockVector& r, BlockVector& z, BlockVector& Az) const
{
    apply(r, z);
    A.multiply(z, Az);
}

std::unique_ptr<Preconditioner> make_preconditioner(PreconditionerKind kind, std::size_t blocks, bool mostly_contact)
{
    if (kind == PreconditionerKind::automatic) {
        if (blocks > cheap_factor && blocks <= largest_factor && !mostly_contact)
            return std::make_unique<SsorThenCholesky>();
        kind = blocks > largest_factor ? PreconditionerKind::block_ssor
            : mostly_contact           ? PreconditionerKind::lu
                                       : PreconditionerKind::cholesky;
    }
    switch (kind) {
    case PreconditionerKind::block_jacobi:
        return std::make_unique<BlockJacobi>();
    case PreconditionerKind::block_ssor:
        return std::make_unique<BlockSsor>();
    case PreconditionerKind::lu:
        return std::make_unique<SparseLu>();
    default:
        return std::make_unique<SymmetricCholesky>();
    }
}

} // namespace stickslip
