#include "stickslip/build/restart/run_totals.h"

#include <algorithm>

namespace stickslip {

std::vector<PassingPair> passing_pairs(const UndetectedContact& undetected, int body, double from)
{
    std::map<BodyPair, PassingPair> pairs;
    const auto add = [&](const BodyOverlap& overlap, double time) {
        if ((body >= 0 && overlap.body != body && overlap.other != body) || time < from)
            return;
        PassingPair& known = pairs.try_emplace({overlap.body, overlap.other}, PassingPair{overlap, time}).first->second;
        if (overlap.depth > known.overlap.depth)
            known = {overlap, time};
    };
    for (const auto& [bodies, worst] : undetected.overlaps)
        add(worst.event, worst.time);
    for (const auto& [bodies, worst] : undetected.penetrations) {
        const auto& [first, second] = std::minmax(worst.event.body, worst.event.soft);
        add({first, second, worst.event.depth, worst.event.felt}, worst.time);
    }
    std::vector<PassingPair> sorted;
    for (const auto& [bodies, pair] : pairs)
        sorted.push_back(pair);
    return sorted;
}

} // namespace stickslip
