#pragma once

#include "stickslip/geometry/patches/smooth_patches.h"

namespace stickslip {

/// Patches of a surface that keeps its shape. At a fold of more than 25 degrees each facet is a face of its own.
/// Normals of a flat part are its own: where it ends is a crease, however little it folds (ends_of_flats). What is
/// level and folds smoothly is a fan of facets (LevelFans), and where normals lean to one side a core with its own
/// (FlatCores); their vertices follow those of the mesh.
SmoothPatches rigid_patches(const TriMesh& rest);

} // namespace stickslip
