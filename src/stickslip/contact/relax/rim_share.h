#pragma once

#include "stickslip/geometry/solids/level_set.h"

namespace stickslip {

/// Smallest edge of a solid's bounding box [m].
double smallest_size(const LevelSet& solid);

/// Distance [m] of a point beyond the neighbours of a patch; not positive inside, -infinity for a solid of one patch.
struct Overshoot {
    double distance = -infinity; // [m]
    int neighbour = -1;
};
Overshoot overshoot(const LevelSet& solid, int patch, const Vec3& U);

/// Distance beyond a rim up to which a point is flush with it [m]: 1e-6 of the solid's smallest size.
double flush_distance(const LevelSet& solid);

/// Distance beyond a rim up to which a contact that has slid over it carries [m]: its depth, but at least 1e-3 of the
/// solid's smallest size. Zero for a solid of one patch.
double rim_width(const LevelSet& solid, double depth);

/// Share in [0, 1] of its force that a contact with `patch` keeps when its attachment has slid to Y, and its
/// derivatives: 1 on the face, 1 - overshoot/width beyond a rim (the overshoot beyond the neighbouring patch), 0 past
/// that or where the depth [m] is not positive: the force ends continuously, and, up to the depth `deepest` [m], no
/// faster than the contact itself is stiff. What sticks stays on the face, wherever its point is pulled.
struct RimShare {
    double weight;
    Vec3 dweight_dY; // [1/m]
    double dweight_ddepth; // [1/m]
};
RimShare rim_share(const LevelSet& solid, int patch, const Vec3& Y, double depth, double deepest);

/// The same for a point at U whose attachment follows it, as that of a new contact does.
struct RimWeight {
    double weight;
    Vec3 dweight_dU; // [1/m]
};
RimWeight rim_weight(const LevelSet& solid, int patch, const Vec3& U);

} // namespace stickslip
