#include "stickslip/solver/preconditioners/make_preconditioner.h"

#include "stickslip/solver/multigrid/multigrid.h"
#include "stickslip/solver/preconditioners/block_jacobi.h"
#include "stickslip/solver/preconditioners/block_lu.h"
#include "stickslip/solver/preconditioners/block_ssor.h"
#include "stickslip/solver/preconditioners/escalation.h"

namespace stickslip {

namespace {

constexpr std::size_t largest_factor = 4000; // blocks
constexpr std::size_t cheap_factor = 400; // up to here LU is the faster one, stiff or soft

// A factor costs as much as 50 iterations for a body of 432 nodes, 85 for a cube of 1,331 and 500 for a ball of 2,057:
// flops of the one grow with n^2 for a body about as thick as wide, those of the other with n.
int iterations_of_a_factor(std::size_t blocks)
{
    return static_cast<int>(blocks / 8);
}

// Levels cost as much as so many iterations of SSOR, at any size.
int iterations_of_levels(std::size_t)
{
    return 25;
}

std::unique_ptr<Preconditioner> make_escalation(std::size_t blocks)
{
    std::vector<Stage> stages;
    if (blocks > largest_factor) {
        stages.push_back({std::make_unique<BlockSsor>(), iterations_of_levels});
        stages.push_back({std::make_unique<Multigrid>()});
    } else {
        stages.push_back({std::make_unique<BlockSsor>(), iterations_of_a_factor});
        stages.push_back({std::make_unique<BlockLu>()});
    }
    return std::make_unique<Escalation>(std::move(stages));
}

// Directions that are exact save iterations of Newton's method, too.
PreconditionerKind strongest_that_pays(std::size_t blocks, bool mostly_contact)
{
    if (blocks <= (mostly_contact ? largest_factor : cheap_factor))
        return PreconditionerKind::lu;
    return mostly_contact ? PreconditionerKind::block_ssor : PreconditionerKind::automatic;
}

} // namespace

std::unique_ptr<Preconditioner> make_preconditioner(PreconditionerKind kind, std::size_t blocks, bool mostly_contact)
{
    if (kind == PreconditionerKind::automatic)
        kind = strongest_that_pays(blocks, mostly_contact);
    switch (kind) {
    case PreconditionerKind::block_jacobi:
        return std::make_unique<BlockJacobi>();
    case PreconditionerKind::block_ssor:
        return std::make_unique<BlockSsor>();
    case PreconditionerKind::lu:
        return std::make_unique<BlockLu>();
    case PreconditionerKind::multigrid:
        return std::make_unique<Multigrid>();
    default:
        return make_escalation(blocks);
    }
}

} // namespace stickslip
