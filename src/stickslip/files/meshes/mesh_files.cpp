#include "stickslip/files/meshes/mesh_files.h"

#include "stickslip/files/meshes/mesh_formats.h"
#include "stickslip/files/meshes/mesh_input.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

namespace stickslip {

namespace {

/// Ending of the name in lower case, without the dot.
std::string ending(const std::string& path)
{
    const std::size_t dot = path.find_last_of('.');
    const std::size_t slash = path.find_last_of('/');
    if (dot == std::string::npos || (slash != std::string::npos && dot < slash))
        return "";
    std::string text = path.substr(dot + 1);
    for (char& c : text) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

struct TetFormat {
    std::string_view ending;
    RawTets (*read)(MeshInput&);
};
constexpr TetFormat tet_formats[] = {{"msh", read_gmsh}, {"vtk", read_legacy_vtk}, {"vtu", read_vtu}};

struct TriFormat {
    std::string_view ending;
    TriMeshFile (*read)(MeshInput&);
};
constexpr TriFormat tri_formats[] = {{"obj", read_obj}, {"off", read_off}, {"ply", read_ply}, {"stl", read_stl}};

template <typename Formats>
auto find_format(const Formats& formats, const std::string& name) -> decltype(formats[0].read)
{
    for (const auto& format : formats) {
        if (format.ending == name)
            return format.read;
    }
    return nullptr;
}

/// Leaves out unused nodes and keeps the order; returns how many there were.
template <std::size_t corners>
int drop_unused(std::vector<Vec3>& nodes, std::vector<std::array<int, corners>>& cells)
{
    std::vector<int> number(nodes.size(), -1);
    for (const auto& cell : cells) {
        for (int n : cell)
            number[n] = 0;
    }
    int kept = 0;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (number[n] < 0)
            continue;
        nodes[kept] = nodes[n];
        number[n] = kept++;
    }
    const int unused = static_cast<int>(nodes.size()) - kept;
    nodes.resize(kept);
    for (auto& cell : cells) {
        for (int& n : cell)
            n = number[n];
    }
    return unused;
}

[[noreturn]] void refuse_ending(const std::string& path, const std::string& expected)
{
    throw InputError(path + ": error: expected a file that ends in " + expected + ", found '." + ending(path) + "'");
}

std::string what_is_there_instead(const TriMeshFile& file)
{
    if (file.loose_edges > 0)
        return "edges alone (" + std::to_string(file.loose_edges) + ")";
    if (!file.mesh.vertices.empty())
        return "points alone (" + std::to_string(file.mesh.vertices.size()) + ")";
    return "none";
}

} // namespace

std::string first_order_only(const std::string& how)
{
    return "4-node tetrahedra (" + how + ")";
}

TetMeshFile read_tet_mesh(const std::string& path)
{
    const auto read = find_format(tet_formats, ending(path));
    if (!read)
        refuse_ending(path, ".msh, .vtk or .vtu (tetrahedra)");
    MeshInput in = MeshInput::open(path);
    RawTets raw = read(in);
    if (raw.tets.empty())
        throw InputError(path + ": error: expected 4-node tetrahedra, found none (" + std::to_string(raw.ignored_cells)
            + " other cells)");
    const int unused = drop_unused(raw.nodes, raw.tets);
    return {.mesh = {.nodes = std::move(raw.nodes), .tets = std::move(raw.tets)},
        .unused_nodes = unused,
        .ignored_cells = raw.ignored_cells};
}

TriMeshFile read_surface(const std::string& path)
{
    if (const auto read = find_format(tri_formats, ending(path))) {
        MeshInput in = MeshInput::open(path);
        TriMeshFile file = read(in);
        if (file.mesh.triangles.empty())
            throw InputError(path + ": error: expected triangles, found " + what_is_there_instead(file));
        return file;
    }
    if (!find_format(tet_formats, ending(path)))
        refuse_ending(path, ".obj, .off, .stl, .ply, .msh, .vtk or .vtu");
    TetMesh solid = read_tet_mesh(path).mesh;
    TriMesh surface = {.vertices = std::move(solid.nodes), .triangles = boundary_triangles(solid.tets)};
    drop_unused(surface.vertices, surface.triangles);
    return {.mesh = std::move(surface)};
}

TriMesh read_tri_mesh(const std::string& path)
{
    return read_surface(path).mesh;
}

std::string obj_text(const TriMesh& mesh)
{
    std::string text;
    char line[96];
    for (const Vec3& x : mesh.vertices) {
        std::snprintf(line, sizeof line, "v %.17g %.17g %.17g\n", x.x(), x.y(), x.z());
        text += line;
    }
    for (const auto& [a, b, c] : mesh.triangles) {
        std::snprintf(line, sizeof line, "f %d %d %d\n", a + 1, b + 1, c + 1);
        text += line;
    }
    return text;
}

} // namespace stickslip
