#include "stickslip/build/drawn_surface.h"

#include "stickslip/files/vtk_files.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/geometry/solids/zero_surface.h"

#include <cctype>
#include <cstdio>

namespace stickslip {

namespace {

// Curved obstacles are drawn with this many edges around their smallest radius or so.
constexpr double drawing_fraction = 0.15;

double drawing_resolution(const Primitive& shape)
{
    return drawing_fraction
        * std::visit(
            [](const auto& s) {
                using S = std::decay_t<decltype(s)>;
                if constexpr (std::is_same_v<S, Torus>)
                    return 2 * s.minor;
                else if constexpr (std::is_same_v<S, Plane> || std::is_same_v<S, Box>)
                    return 1.0;
                else
                    return s.radius;
            },
            shape);
}

} // namespace

TriMesh drawn_surface(const LevelSet& solid, double plane_extent)
{
    return std::visit(
        [&](const auto& s) -> TriMesh {
            using S = std::decay_t<decltype(s)>;
            if constexpr (std::is_same_v<S, Plane>) {
                return triangulate_plane(s, plane_extent);
            } else if constexpr (std::is_constructible_v<Primitive, S>) {
                return triangulate(s, drawing_resolution(s));
            } else if constexpr (std::is_same_v<S, std::shared_ptr<const GridLevelSet>>) {
                return zero_surface(*s);
            } else { // without its mesh: its box
                const Bounds box = bounds(solid);
                TriMesh surface = triangulate(Box{box.max - box.min}, 1);
                for (Vec3& X : surface.vertices)
                    X += 0.5 * (box.min + box.max);
                return surface;
            }
        },
        solid);
}

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
