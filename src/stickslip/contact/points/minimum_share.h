#pragma once

#include "stickslip/contact/points/posed_circle.h"

namespace stickslip {

/// How far a circle about a solid that is curved all over is from even: extreme_share of (highest - lowest phi)/(2 R),
/// over a plane the sine between the two. In [0, 1]; points of its own carry the rest.
PoseScalar share_of_extremes(const DistanceField& field, const Circle& circle);

/// What share of its force minimum `i` of a circle with a tube [m] keeps beside the next ones. Where the circle is also
/// below the surface at the maximum between two minima, these are one contact, as stiff as one where the two meet and
/// as two where they part (docs/derivations.md#where-minima-merge).
PoseScalar share_beside_others(
    const DistanceField& field, const Circle& circle, const ExtremePoints& minima, int i, double tube);

} // namespace stickslip
