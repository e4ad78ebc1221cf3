#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

/// A contact as reports show it.
struct GranularContact {
    int first; // id of the sphere; -1: a point of a wall
    int second; // id of the other one; -1: a wall
    int wall; // its index; -1: two spheres
    int point_wall = -1, point = -1; // index of the wall whose point enters the other, and of the point
    Vec3 x; // [m] in the middle of the overlap
    Vec3 n; // [-] unit, from the first to the second
    double overlap; // [m]
    Vec3 force; // [N] on the first, without what damping adds that grows with speed
    bool slides; // friction within a hundredth of its limit
};

} // namespace stickslip
