#pragma once

#include "stickslip/math/types.h"

#include <cmath>

namespace stickslip {

/// Periodic domain: a sphere that leaves on one side comes in on the other. Axes with infinite size are open.
struct PeriodicBox {
    Vec3 corner = Vec3::Zero(); // [m] lowest
    Vec3 size = Vec3::Constant(infinity); // [m]

    bool any() const { return size.array().isFinite().any(); }

    /// The shortest image of a difference of two places, each less than half a box outside it.
    Vec3 shortest(Vec3 d) const
    {
        for (int axis = 0; axis < 3; ++axis) {
            if (d[axis] > 0.5 * size[axis])
                d[axis] -= size[axis];
            else if (d[axis] < -0.5 * size[axis])
                d[axis] += size[axis];
        }
        return d;
    }
    /// The image of x that is nearest to `centre`, wherever the two are.
    Vec3 nearest(Vec3 x, const Vec3& centre) const
    {
        for (int axis = 0; axis < 3; ++axis) {
            if (std::isfinite(size[axis]))
                x[axis] += size[axis] * std::round((centre[axis] - x[axis]) / size[axis]);
        }
        return x;
    }
    Vec3 wrapped(Vec3 x) const
    {
        for (int axis = 0; axis < 3; ++axis) {
            if (std::isfinite(size[axis]))
                x[axis] -= size[axis] * std::floor((x[axis] - corner[axis]) / size[axis]);
        }
        return x;
    }
};

} // namespace stickslip
