#pragma once

#include "stickslip/files/frame_series.h"
#include "stickslip/geometry/mesh/tri_mesh.h"

#include <filesystem>
#include <initializer_list>
#include <set>
#include <string>

namespace stickslip {

/// Writes it as `frame` places it. Errors: FileError as AtomicFile.
void write_posed_surface(const std::filesystem::path& path, const TriMesh& surface, const Frame& frame);

/// Beginnings of file names for the bodies of a run, all different: body names may hold anything but slashes, file
/// names keep to what every system takes.
class FrameFileNames {
public:
    FrameFileNames(std::initializer_list<std::string> taken)
        : taken_(taken)
    {
    }
    std::string name(const std::string& body);

private:
    std::set<std::string> taken_;
};

/// The file of frame `number` that begins with `file`.
FramePart frame_part(const std::string& body, const std::string& file, std::size_t number, const char* ending);

/// The one file of a surface that rests at `frame`, which all frames name; its name is that of no frame_part(). Writes
/// it into `folder`/frames where it is missing or empty. Errors: FileError as AtomicFile.
FramePart write_resting_part(const std::filesystem::path& folder, const std::string& body, const std::string& file,
    const TriMesh& surface, const Frame& frame);

} // namespace stickslip
