#pragma once

#include "stickslip/geometry/mesh/tet_mesh.h"
#include "stickslip/math/types.h"
#include "stickslip/scene/scene.h"

#include <filesystem>
#include <vector>

namespace stickslip {

struct BuildReport;
struct BuildResult;

/// Nodes of all deformable bodies as placed, in the order of DeformableSet.
struct PlacedNodes {
    std::vector<Vec3> x, v;
};

/// The tetrahedra of a deformable body, read or made, in its own frame. Nodes left out are told in `report`. Errors:
/// FileError, InputError.
TetMesh deformable_mesh(const BodySettings& body, const std::filesystem::path& folder, BuildReport& report);

/// Reads or meshes a deformable body of the scene, adds it to the world of `result` with its pins and its nodes to
/// `nodes`. Faults of the mesh and of the regions that hold it are recorded there. Errors: FileError, InputError.
void add_deformable_body(const Scene& scene, const BodySettings& body, const std::filesystem::path& folder,
    PlacedNodes& nodes, BuildResult& result);

} // namespace stickslip
