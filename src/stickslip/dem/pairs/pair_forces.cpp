#include "stickslip/dem/pairs/pair_forces.h"

#include "stickslip/dem/pairs/pair_loop.h"
#include "stickslip/math/parallel.h"

#include <algorithm>

namespace stickslip {

namespace {

template <NormalLaw law, bool damped, bool rolls>
STICKSLIP_WIDE ContactLosses run_block(PairLoop<law, damped, rolls>& loop, std::size_t block)
{
    return loop.run(block);
}

template <NormalLaw law, bool damped, bool rolls>
void run_pairs(const PairSystem& system, bool ledger, ContactHistory& history, ForceBlocks& blocks,
    std::vector<ContactLosses>& losses)
{
    PairLoop<law, damped, rolls> loop(system, ledger, history, blocks);
    parallel_for(
        blocks.blocks(), [&](std::size_t b) { losses[b] = run_block(loop, b); }, 1);
}

} // namespace

void add_pair_forces(const PairSystem& system, bool ledger, ContactHistory& history, ForceBlocks& blocks,
    std::vector<ContactLosses>& losses)
{
    losses.assign(blocks.blocks(), ContactLosses{});
    const bool damped =
        std::any_of(system.laws.begin(), system.laws.end(), [](const PairLaw& pair) { return pair.damping_ratio > 0; });
    const bool rolls = !history.turn.empty();
    with_law(system.law, [&]<NormalLaw law>() {
        if (rolls)
            run_pairs<law, true, true>(system, ledger, history, blocks, losses);
        else if (damped)
            run_pairs<law, true, false>(system, ledger, history, blocks, losses);
        else
            run_pairs<law, false, false>(system, ledger, history, blocks, losses);
    });
}

} // namespace stickslip
