#pragma once

#include "stickslip/geometry/patches/smooth_patches.h"

namespace stickslip {

/// Patches of a surface that keeps its shape. Facets that turn by more than 25 degrees are faces of their own, not
/// parts of what is round; what bends may fold by up to 40 for a while. Normals of a flat part are its own: where it
/// ends is a crease, however little it folds (ends_of_flats). What is level and folds smoothly is a fan of facets
/// (LevelFans), whose centres follow the vertices of the mesh.
SmoothPatches rigid_patches(const TriMesh& rest);

} // namespace stickslip
