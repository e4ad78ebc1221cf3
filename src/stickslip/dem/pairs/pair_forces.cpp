#include "stickslip/dem/pairs/pair_forces.h"

#include "stickslip/dem/pairs/pair_loop.h"
#include "stickslip/math/parallel.h"

#include <algorithm>

namespace stickslip {

namespace {

template <NormalLaw law, bool damped, bool rolls, bool ledger>
STICKSLIP_WIDE ContactLosses run_block(PairLoop<law, damped, rolls, ledger>& loop, std::size_t block)
{
    return loop.run(block);
}

template <NormalLaw law, bool damped, bool rolls, bool ledger>
void run_pairs(
    const PairSystem& system, ContactHistory& history, ForceBlocks& blocks, std::vector<ContactLosses>& losses)
{
    PairLoop<law, damped, rolls, ledger> loop(system, history, blocks);
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
        const auto run = [&]<bool with_damping, bool with_rolling>() {
            if (ledger)
                run_pairs<law, with_damping, with_rolling, true>(system, history, blocks, losses);
            else
                run_pairs<law, with_damping, with_rolling, false>(system, history, blocks, losses);
        };
        if (rolls)
            run.template operator()<true, true>();
        else if (damped)
            run.template operator()<true, false>();
        else
            run.template operator()<false, false>();
    });
}

} // namespace stickslip
