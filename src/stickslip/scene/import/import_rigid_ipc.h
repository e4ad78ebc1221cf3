#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/scene/scene.h"
#include "stickslip/scene/text/fault.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stickslip {

/// A scene of another program as ours, and what could not be carried over.
struct ImportedScene {
    struct MeshFile {
        std::string file; // as the scene names it, relative to its folder
        TriMesh mesh; // [m]
    };
    Scene scene; // empty where there are faults
    std::vector<MeshFile> meshes; // to be written: parts of files, and what the scene cannot say of a file
    std::vector<Fault> faults; // values that are none of rigid-ipc, or that no scene may hold
    std::vector<std::string> notes; // one line each, with the place in the file
    std::vector<Fault> dropped; // colliders and motions that the scene lacks: it runs, but otherwise
    std::vector<Fault> missing; // mesh files that were not found: the scene does not run without them
};

/// Reads a JSON scene of rigid-ipc; docs/importing.md says what becomes of what. Its meshes are looked for in `meshes`,
/// then beside the file; the scene names them relative to `output`, the folder where it will be. Throws FileError.
ImportedScene import_rigid_ipc(
    const std::string& path, const std::filesystem::path& meshes, const std::filesystem::path& output);

} // namespace stickslip
