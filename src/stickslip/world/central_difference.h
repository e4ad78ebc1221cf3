#pragma once

#include "stickslip/math/types.h"

#include <optional>
#include <span>

namespace stickslip {

/// A function of one number at h and at -h.
struct ValuePair {
    double h; // > 0
    Vec3 ahead, behind;
};

/// Derivative at 0 with a bound of its error: round-off, which grows as h falls, and truncation, which grows with h^2.
struct CentralDifference {
    Vec3 value;
    double bound; // of each component's error
    std::size_t pair; // that it was taken from: of those given the one with the least bound
};

/// `pairs`: by ascending h, each at least twice the one before; `here`: the value at 0. Round-off is what the second
/// differences of the shortest steps show, eight times; truncation no more than how much the next longer step changes
/// the quotient. Nothing of fewer than two pairs.
std::optional<CentralDifference> central_difference(const Vec3& here, std::span<const ValuePair> pairs);

} // namespace stickslip
