#pragma once

#include <string>
#include <vector>

namespace stickslip {

/// Round numbers along an axis.
struct Ticks {
    double min = 0, max = 1; // range of the axis, holds all data
    std::vector<double> at; // within [min, max], equally spaced by 1, 2 or 5 times a power of ten
    std::vector<std::string> labels; // at / 10^exponent, as few digits as tell them apart
    int exponent = 0; // 0 where numbers are handy without it
};

/// About `count` ticks for data in [low, high]. The range ends at ticks with `round_ends`, otherwise at the data. A
/// range without extent is widened; one that is not finite is [0, 1].
Ticks make_ticks(double low, double high, int count, bool round_ends);

} // namespace stickslip
