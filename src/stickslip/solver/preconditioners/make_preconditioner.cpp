#include "stickslip/solver/preconditioners/make_preconditioner.h"

#include "stickslip/solver/preconditioners/block_jacobi.h"
#include "stickslip/solver/preconditioners/block_ssor.h"
#include "stickslip/solver/preconditioners/sparse_lu.h"
#include "stickslip/solver/preconditioners/ssor_then_cholesky.h"
#include "stickslip/solver/preconditioners/symmetric_cholesky.h"

namespace stickslip {

namespace {

constexpr std::size_t largest_factor = 4000; // blocks
constexpr std::size_t cheap_factor = 400; // up to here Cholesky is the faster one, stiff or soft

} // namespace

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
