#pragma once

#include "stickslip/export/exported_run.h"

#include <string>

namespace stickslip {

/// The run as one binary glTF 2.0 file (.glb): a node a body, one animation.
///   bodies that keep their shape   translation and rotation of the node
///   deforming bodies               a morph target a frame, with animated weights (Blender: shape keys)
///   balls                          a node each, sharing one sphere, of size 0 in frames without it; beyond 5000 in a
///                                  body from which none comes or goes, and points without radius: a cloud of points
///                                  with morph targets
/// Without normals where all faces are flat, so that readers shade them flat. Positions are 32-bit floats.
std::string gltf_file(const ExportedRun& run);

/// The same as one text (.gltf) with its arrays in it, a third larger.
std::string gltf_text(const ExportedRun& run);

} // namespace stickslip
