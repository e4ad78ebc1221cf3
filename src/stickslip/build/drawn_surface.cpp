#include "stickslip/build/drawn_surface.h"

#include "stickslip/files/vtk_files.h"

#include <cctype>
#include <cstdio>

namespace stickslip {

void write_posed_surface(const std::filesystem::path& path, const TriMesh& surface, const Frame& frame)
{
    std::vector<Vec3> x;
    for (const Vec3& X : surface.vertices)
        x.push_back(frame.to_world(X));
    write_vtp(path, TriangleFrame{.points = x, .triangles = surface.triangles, .point_fields = {}, .cell_fields = {}});
}

std::string FrameFileNames::name(const std::string& body)
{
    std::string safe = body;
    for (char& c : safe)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_')
            c = '_';
    while (!taken_.insert(safe).second)
        safe += "-" + std::to_string(taken_.size());
    return safe;
}

FramePart frame_part(const std::string& body, const std::string& file, std::size_t number, const char* ending)
{
    char digits[32];
    std::snprintf(digits, sizeof digits, "_%06zu", number);
    return {body, "frames/" + file + digits + ending};
}

FramePart write_resting_part(const std::filesystem::path& folder, const std::string& body, const std::string& file,
    const TriMesh& surface, const Frame& frame)
{
    const FramePart part = {body, "frames/" + file + "_at_rest.vtp"};
    std::error_code missing;
    if (const auto size = std::filesystem::file_size(folder / part.file, missing); missing || size == 0)
        write_posed_surface(folder / part.file, surface, frame);
    return part;
}

} // namespace stickslip
