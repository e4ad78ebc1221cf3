#pragma once

#include "stickslip/geometry/level_set.h"

namespace stickslip {

/// The distance that a circle looks at: of one patch of a solid, or (patch < 0) of the whole.
struct DistanceField {
    const LevelSet* solid;
    int patch;

    LevelSetSample at(const Vec3& U) const { return patch < 0 ? sample(*solid, U) : sample_patch(*solid, patch, U); }
    double distance(const Vec3& U) const
    {
        return patch < 0 ? signed_distance(*solid, U) : patch_distance(*solid, patch, U);
    }
};

/// A circle in the frame of the solid. All of its vectors but the centre are unit.
struct Circle {
    Vec3 centre; // [m]
    Vec3 axis; // of the circle
    Vec3 mark; // across the axis; fixed in the body
    double radius; // [m]
};

/// The point E = centre + radius u of a circle with the least distance phi, and how sharp this minimum is:
///     q = (d^2 phi / d angle^2) / radius,
/// for a plane the sine of the angle between it and the circle's plane. Where q is nearly 0 the point is ill defined,
/// and u is some direction. Of several minima this is the lowest.
struct ExtremePoint {
    Vec3 u, E;
    double sharpness; // [-] q
};
ExtremePoint find_extreme_point(const DistanceField& field, const Circle& circle);

/// Share in [0, 1] of its force that the extreme point has; fixed points around the circle have the rest. A circle that
/// lies flat on a surface touches it all round, and only points of its own do not wander then
/// (docs/derivations.md#extreme-points).
struct ExtremeShare {
    double share, dshare_dq;
};
ExtremeShare extreme_share(double sharpness);

} // namespace stickslip
