#pragma once

#include "stickslip/contact/relax/rim_share.h"

#include <optional>
#include <span>

namespace stickslip {

/// A patch of a solid that the whole of a body stands before: no point of it is farther under the patch than `depth`.
struct LevelPatch {
    int patch;
    double depth; // [m] what is flush, and what springs may have let sink
};

/// Share of its force, and its derivative, of a point at U [solid's frame] that comes in under the first of the patches
/// `level`, all of which its body stood before: it touched no more than their common edge. The point passes by as long
/// as it is not deeper under all of them than the springs may have put it; from there on its force grows from nothing
/// as the least of these depths does. Empty where there is none (docs/derivations.md#boxes-beside-each-other).
/// Pre: `level` is not empty.
std::optional<RimWeight> weight_past_edge(const LevelSet& solid, std::span<const LevelPatch> level, const Vec3& U);

} // namespace stickslip
