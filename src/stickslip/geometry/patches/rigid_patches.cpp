#include "stickslip/geometry/patches/rigid_patches.h"

#include "stickslip/geometry/patches/ends_of_flats.h"
#include "stickslip/geometry/patches/flat_cores.h"
#include "stickslip/geometry/patches/level_fans.h"

#include <numbers>
#include <utility>

namespace stickslip {

SmoothPatches rigid_patches(const TriMesh& rest)
{
    constexpr double crease_angle = 25 * std::numbers::pi / 180;
    SmoothPatches patches(rest, crease_angle);
    patches.cut(ends_of_flats(patches));
    const int first_centre = static_cast<int>(patches.x.size());
    LevelFans fans(patches);
    SmoothPatches fanned(fans.mesh, crease_angle);
    fanned.cut(std::move(fans.ends_flat), first_centre);
    fanned.edge_length = patches.edge_length; // of the mesh as it is given
    FlatCores cores(fanned, first_centre);
    if (cores.mesh.triangles.size() == fanned.facets.size())
        return fanned;
    SmoothPatches cored(cores.mesh, crease_angle);
    cored.cut(std::move(cores.ends_flat), first_centre);
    keep_normals(fanned, cores, cored);
    cored.edge_length = patches.edge_length;
    return cored;
}

} // namespace stickslip
