#include "stickslip/geometry/patches/rigid_patches.h"

#include "stickslip/geometry/patches/ends_of_flats.h"
#include "stickslip/geometry/patches/level_fans.h"

#include <numbers>
#include <utility>

namespace stickslip {

SmoothPatches rigid_patches(const TriMesh& rest)
{
    constexpr double crease_angle = 25 * std::numbers::pi / 180;
    SmoothPatches patches(rest, crease_angle);
    patches.cut(ends_of_flats(patches));
    LevelFans fans(patches);
    SmoothPatches fanned(fans.mesh, crease_angle);
    fanned.edge_length = patches.edge_length; // of the mesh as it is given
    fanned.cut(std::move(fans.ends_flat), static_cast<int>(patches.x.size()));
    return fanned;
}

} // namespace stickslip
