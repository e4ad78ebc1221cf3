#pragma once

#include "stickslip/contact/points/extreme_point.h"

namespace stickslip {

/// Where a circle crosses a seam, a plane or a cylinder on which the curvature of the distance jumps (Seams): the end
/// of a stretch of it that lies on a face. As the circle tilts over a flat face its minimum leaps from one end to the
/// other, and there both carry (docs/derivations.md#ends-of-flat-stretches).
struct SeamPoint {
    int slot; // > 0: which seam, and whether the circle enters or leaves what is within it
    double angle; // [rad] as of Circle
    Vec3 u, E; // as of ExtremePoint
    Vec3 normal; // of the seam, unit
    Mat3 dnormal_dE; // [1/m] along the seam and across it
    double phi; // [m] at E
    double edge; // [m] how far the nearest edge is there: the curvature jumps by its inverse
    double bends; // in [0, 1] as far as the solid bends away there: of nearly flat folds less than 1
    double ends; // in [0, 1] as far as what is even on one side is not on the other: extreme_share of the jump of q
    double share; // in [0, 1] of its force: of a stretch that is even and ends here
};

/// Seam points of a circle by angle.
struct SeamPoints {
    static constexpr int capacity = 24; // of more, as of polyhedra, those with the largest shares
    std::array<SeamPoint, capacity> points;
    int count = 0;

    const SeamPoint* begin() const { return points.data(); }
    const SeamPoint* end() const { return points.data() + count; }

    /// The next before and after an angle of Circle [rad], going round; null without any. Of what a minimum between
    /// them has of its force they take their shares.
    std::array<const SeamPoint*, 2> beside(double angle) const;
};
SeamPoints find_seam_points(const DistanceField& field, const Circle& circle);

} // namespace stickslip
