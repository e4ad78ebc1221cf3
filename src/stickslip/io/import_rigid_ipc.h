#pragma once

#include "stickslip/io/scene.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stickslip {

/// A scene of another program as ours, and what could not be carried over.
struct ImportedScene {
    Scene scene;
    std::vector<std::string> notes; // one line each, with the place in the file
    std::vector<std::string> missing; // the same of mesh files that were not found: the scene does not run without them
};

/// Reads a JSON scene of rigid-ipc. Its meshes are looked for in `meshes`, then beside the file; the scene names them
/// relative to `output`, the folder where it will be. A mesh that is an upright box becomes `box`; a flat rectangle,
/// which has no volume, a box: thin for a body that moves, thick and on the side that gravity points to for one that
/// does not. Throws FileError, InputError.
ImportedScene import_rigid_ipc(
    const std::string& path, const std::filesystem::path& meshes, const std::filesystem::path& output);

} // namespace stickslip
