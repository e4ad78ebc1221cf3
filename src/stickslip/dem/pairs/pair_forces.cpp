#include "stickslip/dem/pairs/pair_forces.h"

#include "stickslip/dem/pairs/pair_loop.h"
#include "stickslip/math/parallel.h"

#include <algorithm>

namespace stickslip {

namespace {

template <NormalLaw law, bool damped, bool rolls>
STICKSLIP_WIDE PairsOfBlock run_block(PairLoop<law, damped, rolls>& loop, std::size_t block)
{
    return loop.run(block);
}

template <NormalLaw law, bool damped, bool rolls>
void run_pairs(const PairSystem& system, bool ledger, ContactHistory& history, ForceBlocks& blocks,
    std::vector<PairsOfBlock>& others)
{
    PairLoop<law, damped, rolls> loop(system, ledger, history, blocks);
    parallel_for(
        blocks.blocks(), [&](std::size_t b) { others[b] = run_block(loop, b); }, 1);
}

} // namespace

void PairDepth::add(const PairDepth& other)
{
    if (other.share > share) {
        share = other.share;
        first = other.first;
        second = other.second;
    }
    if (other.passed && !passed) {
        passed = true;
        passed_first = other.passed_first;
        passed_second = other.passed_second;
    }
}

void add_pair_forces(const PairSystem& system, bool ledger, ContactHistory& history, ForceBlocks& blocks,
    std::vector<PairsOfBlock>& others)
{
    others.assign(blocks.blocks(), PairsOfBlock{});
    const bool damped =
        std::any_of(system.laws.begin(), system.laws.end(), [](const PairLaw& pair) { return pair.damping_ratio > 0; });
    const bool rolls = !history.turn.empty();
    with_law(system.law, [&]<NormalLaw law>() {
        if (rolls)
            run_pairs<law, true, true>(system, ledger, history, blocks, others);
        else if (damped)
            run_pairs<law, true, false>(system, ledger, history, blocks, others);
        else
            run_pairs<law, false, false>(system, ledger, history, blocks, others);
    });
}

} // namespace stickslip
