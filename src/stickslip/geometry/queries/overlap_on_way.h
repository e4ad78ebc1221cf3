#pragma once

#include "stickslip/math/rotation.h"

#include <algorithm>

namespace stickslip {

/// Frame after a share of the way [-]: its origin moves straight, its turn is about one axis.
inline Frame straight_way(const Frame& from, const Frame& to, double share)
{
    return {
        from.x + share * (to.x - from.x), rotation_exp(share * rotation_vector(to.R * from.R.transpose())) * from.R};
}

/// The same of a screw motion: what turns about a point turns about it all the way.
inline Frame screw_way(const Frame& from, const Frame& to, double share)
{
    const Vec3 theta = rotation_vector(to.R * from.R.transpose());
    const Vec3 along = left_jacobian(theta).inverse() * (to.x - rotation_exp(theta) * from.x);
    const Mat3 R = rotation_exp(share * theta);
    return {R * from.x + share * (left_jacobian(share * theta) * along), R * from.R};
}

/// A body and where it came from [world].
struct WayOfBody {
    Frame from, to;
};

/// Depth [m] by which two bodies overlap on their ways, at the first of steps - 1 places between where it is more than
/// `allowed`; 0: at none. Their ways are not known: it must be too deep both if the two fly straight and if they turn
/// about a point in common, as what rolls or tips does; the lesser one counts. overlap_of: [m] from the frame of a as b
/// sees it.
template <typename OverlapOf>
double overlap_on_way(const WayOfBody& a, const WayOfBody& b, int steps, double allowed, const OverlapOf& overlap_of)
{
    const Frame start = relative(b.from, a.from), end = relative(b.to, a.to);
    for (int i = 1; i < steps; ++i) {
        const double share = static_cast<double>(i) / steps;
        const double flying =
            overlap_of(relative(straight_way(b.from, b.to, share), straight_way(a.from, a.to, share)));
        if (!(flying > allowed))
            continue;
        if (const double turning = overlap_of(screw_way(start, end, share)); turning > allowed)
            return std::min(flying, turning);
    }
    return 0;
}

} // namespace stickslip
