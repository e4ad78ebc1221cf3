#include "stickslip/solver/preconditioners/make_preconditioner.h"

#include "stickslip/solver/multigrid/multigrid.h"
#include "stickslip/solver/preconditioners/block_jacobi.h"
#include "stickslip/solver/preconditioners/block_ssor.h"
#include "stickslip/solver/preconditioners/escalation.h"
#include "stickslip/solver/preconditioners/sparse_lu.h"
#include "stickslip/solver/preconditioners/symmetric_cholesky.h"

namespace stickslip {

namespace {

constexpr std::size_t largest_factor = 4000; // blocks
constexpr std::size_t cheap_factor = 400; // up to here Cholesky is the faster one, stiff or soft

// A factor of n blocks of a body about as thick as wide costs as much as n/8 iterations, measured for n = 300 and 900:
// its flops grow with n^2, those of an iteration with n.
int iterations_of_a_factor(std::size_t blocks)
{
    return static_cast<int>(blocks / 8);
}

// Levels cost as much as so many iterations of SSOR, at any size.
int iterations_of_levels(std::size_t)
{
    return 25;
}

// LU costs as much as 15 (n = 55) to 30 (n = 309) iterations with the factor of Cholesky. Where more than a few are
// needed its exact directions save iterations of Newton's method, too.
int iterations_of_lu(std::size_t)
{
    return 12;
}

// Where a stiff body slides on a soft one, the symmetric part is negative along the way it slides, and its factor
// nearly kills the soft one's answer: then no number of iterations helps (docs/derivations.md#preconditioners).
std::unique_ptr<Preconditioner> make_escalation(std::size_t blocks)
{
    std::vector<Stage> stages;
    if (blocks > cheap_factor)
        stages.push_back(
            {std::make_unique<BlockSsor>(), blocks > largest_factor ? iterations_of_levels : iterations_of_a_factor});
    if (blocks > largest_factor) {
        stages.push_back({std::make_unique<Multigrid>()});
    } else {
        stages.push_back({std::make_unique<SymmetricCholesky>(), iterations_of_lu});
        stages.push_back({std::make_unique<SparseLu>()});
    }
    return std::make_unique<Escalation>(std::move(stages));
}

} // namespace

std::unique_ptr<Preconditioner> make_preconditioner(PreconditionerKind kind, std::size_t blocks, bool mostly_contact)
{
    if (kind == PreconditionerKind::automatic) {
        if (!mostly_contact)
            return make_escalation(blocks);
        kind = blocks > largest_factor ? PreconditionerKind::block_ssor : PreconditionerKind::lu;
    }
    switch (kind) {
    case PreconditionerKind::block_jacobi:
        return std::make_unique<BlockJacobi>();
    case PreconditionerKind::block_ssor:
        return std::make_unique<BlockSsor>();
    case PreconditionerKind::lu:
        return std::make_unique<SparseLu>();
    case PreconditionerKind::multigrid:
        return std::make_unique<Multigrid>();
    default:
        return std::make_unique<SymmetricCholesky>();
    }
}

} // namespace stickslip
