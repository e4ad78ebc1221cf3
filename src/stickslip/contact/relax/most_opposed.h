#pragma once

#include "stickslip/math/types.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

/// Least cosine between N and the directions in which a surface looks at a point of it: n; of a sheet -n as well, and
/// where it ends also what lies between n and -n on the side of `rim`, the unit direction out over its rim (zero within
/// it).
inline double most_opposed(const Vec3& N, const Vec3& n, bool two_sided, const Vec3& rim)
{
    return two_sided ? -std::hypot(N.dot(n), std::min(N.dot(rim), 0.0)) : N.dot(n);
}

} // namespace stickslip
