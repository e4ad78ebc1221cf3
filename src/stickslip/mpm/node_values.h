#pragma once

#include "stickslip/math/lanes.h"
#include "stickslip/mpm/spline.h"

#include <array>

namespace stickslip {

/// Of up to four numbers: one at each of the 27 nodes of a cell.
struct NodeValues {
    std::array<Lanes, stencil_size> at{};
};

inline Lanes widened(const Vec3& a)
{
    return Lanes{a[0], a[1], a[2], 0};
}
inline Vec3 narrowed(const Lanes& a)
{
    return {a[0], a[1], a[2]};
}

/// At a particle: a value and its gradient, or what acts on the two, a force and a stress.
struct PointValues {
    Lanes value{};
    std::array<Lanes, 3> gradient{}; // by axis

    Vec3 vector() const { return narrowed(value); }
    Mat3 matrix() const
    {
        Mat3 M;
        for (int axis = 0; axis < 3; ++axis)
            M.col(axis) = narrowed(gradient[axis]);
        return M;
    }
};

inline PointValues point_values(const Vec3& value, const Mat3& gradient)
{
    return {widened(value), {widened(gradient.col(0)), widened(gradient.col(1)), widened(gradient.col(2))}};
}

/// to = sum w_i u_i and sum u_i g_i^T, axis by axis.
void interpolate(const NodeValues& u, const Spline& spline, PointValues& to);

/// The transpose: u_i += w_i value + gradient g_i.
void spread(const PointValues& from, const Spline& spline, NodeValues& u);

} // namespace stickslip
