#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

/// Parallel transport of v, normal to the unit vector a, by the smallest rotation from a to the unit vector b,
///     v - (b . v)/(1 + a . b) (a + b),
/// and its derivative by b: how the offset of a round contact follows the surface's normal
/// (docs/derivations.md#round-points). 0 where b is -a: there is no smallest rotation.
struct Transported {
    Vec3 v;
    Mat3 dv_db;
};
inline Transported parallel_transport(const Vec3& v, const Vec3& a, const Vec3& b)
{
    const double c = 1 + a.dot(b);
    if (c < 1e-9)
        return {Vec3::Zero(), Mat3::Zero()};
    const Vec3 s = a + b;
    const double p = b.dot(v) / c;
    return {v - p * s, -(s * v.transpose() / c + p * Mat3::Identity() - p / c * s * a.transpose())};
}

} // namespace stickslip
