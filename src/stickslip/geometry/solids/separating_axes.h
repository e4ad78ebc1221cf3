#pragma once

#include "stickslip/geometry/solids/convex_features.h"

namespace stickslip {

/// A direction that may separate two solids: normal of a face of the first (its number, and -1) or of the second (-1,
/// and its number), or perpendicular to an edge of each (numbers in ConvexFeatures::directions).
struct SeparatingAxis {
    int first = -1, second = -1;
};

/// Overlap of two solids along an axis: the distance [m] that parts them; negative: they are apart.
struct AxisOverlap {
    double depth = infinity;
    SeparatingAxis axis;
};

/// The least over all axes: the shortest way that parts the two; or, if one gives `enough` [m] or less, an overlap that
/// is no more than that. `axis`: tried first, if it is one. `second_in_first`: frame of the second in that of the
/// first.
AxisOverlap least_overlap(const ConvexFeatures& first, const ConvexFeatures& second, const Frame& second_in_first,
    double enough = -infinity, SeparatingAxis axis = {});

/// Penetration [m] of two convex solids: the least way that parts them; negative, no farther apart than that, where
/// they do not.
inline double overlap(const ConvexFeatures& first, const ConvexFeatures& second, const Frame& second_in_first)
{
    return least_overlap(first, second, second_in_first).depth;
}

} // namespace stickslip
