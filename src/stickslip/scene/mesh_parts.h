#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/scene.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace stickslip {

/// Fault of one of several files of a mesh.
struct MeshPartError : InputError {
    MeshPartError(std::size_t which, bool cannot_be_read, const std::string& text)
        : InputError(text)
        , part(which)
        , unreadable(cannot_be_read)
    {
    }
    std::size_t part; // of MeshShape::files
    bool unreadable; // as a FileError says
};

/// Triangles of a mesh's file or files, scaled, one file behind the other. Errors: as read_tri_mesh; of one of several
/// files as MeshPartError.
TriMesh read_triangles(const MeshShape& shape, const std::filesystem::path& folder);

} // namespace stickslip
