#include "stickslip/world/central_difference.h"

#include <algorithm>
#include <limits>

namespace stickslip {

namespace {

double largest(const Vec3& v)
{
    return v.cwiseAbs().maxCoeff();
}

Vec3 quotient(const ValuePair& pair)
{
    return (pair.ahead - pair.behind) / (2 * pair.h);
}

} // namespace

std::optional<CentralDifference> central_difference(const Vec3& here, std::span<const ValuePair> pairs)
{
    constexpr double safety = 8;
    constexpr std::size_t shortest = 3; // pairs: one alone may happen to show no round-off
    double round_off = std::numeric_limits<double>::epsilon() * largest(here);
    for (const ValuePair& pair : pairs.first(std::min(shortest, pairs.size())))
        round_off = std::max(round_off, largest(pair.ahead - 2 * here + pair.behind));
    std::optional<CentralDifference> best;
    for (std::size_t i = 0; i + 1 < pairs.size(); ++i) {
        const Vec3 value = quotient(pairs[i]);
        const double bound = safety * round_off / pairs[i].h + largest(quotient(pairs[i + 1]) - value);
        if (!best || bound < best->bound)
            best = CentralDifference{value, bound, i};
    }
    return best;
}

} // namespace stickslip
