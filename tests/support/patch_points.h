#pragma once

#include "stickslip/contact/meshes/relax_on_patch.h"

namespace stickslip {

/// A point at rest at Z [m] that comes in without friction; its foot is looked for from facet `start`.
inline PatchPoint point_at(const Vec3& Z, int start)
{
    return {.Z_old = Z,
        .Z = Z,
        .mu = 0,
        .start = start,
        .kept = {},
        .gap = 0,
        .spring = SpringStart::whole(0),
        .damping = 0};
}

} // namespace stickslip
