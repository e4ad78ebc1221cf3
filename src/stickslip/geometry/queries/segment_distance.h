#pragma once

#include "stickslip/math/types.h"

#include <algorithm>

namespace stickslip {

/// [m] Between the segments a + s u and b + t v, s and t in [0, 1], of which either may be a point.
inline double segment_distance(const Vec3& a, const Vec3& u, const Vec3& b, const Vec3& v)
{
    const Vec3 r = a - b;
    const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), ur = u.dot(r), vr = v.dot(r);
    const double det = uu * vv - uv * uv; // 0 where they are parallel: any s will do
    const auto within = [](double x, double of) { return of > 0 ? std::clamp(x / of, 0.0, 1.0) : 0; };
    const double t = within(uv * within(uv * vr - vv * ur, det) + vr, vv);
    return (r + within(t * uv - ur, uu) * u - t * v).norm();
}

} // namespace stickslip
