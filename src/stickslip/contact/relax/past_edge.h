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
/// `level`. The whole body lay outside all of them, so that only their common edge could touch. Zero until the point is
/// deeper than LevelPatch::depth under all of them; then it grows with the smallest excess. Empty where there is none
/// (docs/derivations.md#boxes-beside-each-other). Pre: `level` is not empty.
std::optional<RimWeight> weight_past_edge(const LevelSet& solid, std::span<const LevelPatch> level, const Vec3& U);

} // namespace stickslip
