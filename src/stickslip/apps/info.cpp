#include "stickslip/apps/commands.h"
#include "stickslip/apps/run_info.h"
#include "stickslip/apps/scene_loading.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "stickslip/files/meshes/vti_file.h"
#include "stickslip/geometry/mesh/mass_properties.h"
#include "stickslip/geometry/mesh/self_intersection.h"
#include "stickslip/geometry/mesh/tet_mesh.h"
#include "stickslip/geometry/solids/zero_surface.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace stickslip {

namespace {

namespace fs = std::filesystem;

void print_bounds(const Bounds& box)
{
    const Vec3 size = box.max - box.min;
    std::printf("box        [%.6g, %.6g, %.6g] to [%.6g, %.6g, %.6g], size %.6g x %.6g x %.6g\n", box.min.x(),
        box.min.y(), box.min.z(), box.max.x(), box.max.y(), box.max.z(), size.x(), size.y(), size.z());
}

bool print_defects(const std::vector<MeshDefect>& defects)
{
    for (const MeshDefect& defect : defects)
        std::printf("defect     %s\n", defect.text.c_str());
    if (defects.empty())
        std::printf("defects    none\n");
    return defects.empty();
}

int tet_mesh_info(const std::string& path)
{
    const TetMeshFile file = read_tet_mesh(path);
    const TetMesh& mesh = file.mesh;
    std::printf("mesh       %zu nodes, %zu tetrahedra\n", mesh.nodes.size(), mesh.tets.size());
    if (file.unused_nodes > 0 || file.ignored_cells > 0)
        std::printf("left out   %d nodes in no tetrahedron, %d other cells\n", file.unused_nodes, file.ignored_cells);
    print_bounds(bounds(mesh.nodes));
    const bool good = print_defects(find_defects(mesh));
    if (good) {
        const TetQuality q = tet_quality(mesh);
        std::printf("volume     %.6g\n", total_volume(mesh));
        std::printf("quality    mean ratio %.3f (worst) %.3f (mean), dihedral angles %.1f to %.1f degrees\n",
            q.min_ratio, q.mean_ratio, q.min_dihedral, q.max_dihedral);
        std::printf("edges      %.6g to %.6g, mean %.6g\n", q.min_edge, q.max_edge, q.mean_edge);
    }
    return good ? exit_done : exit_input;
}

void print_solid(const TriMesh& mesh)
{
    const MassProperties p = mass_properties(mesh);
    std::printf("closed     volume %.6g\n", p.volume);
    const Mat3& I = p.inertia;
    std::printf("centre     [%.6g, %.6g, %.6g] of mass\n", p.centre.x(), p.centre.y(), p.centre.z());
    std::printf("inertia    about it at density 1: xx %.6g, yy %.6g, zz %.6g, xy %.6g, yz %.6g, zx %.6g\n", I(0, 0),
        I(1, 1), I(2, 2), I(0, 1), I(1, 2), I(2, 0));
}

int tri_mesh_info(const std::string& path)
{
    const TriMesh mesh = read_tri_mesh(path);
    std::printf("surface    %zu vertices, %zu triangles\n", mesh.vertices.size(), mesh.triangles.size());
    print_bounds(bounds(mesh.vertices));
    const bool good = print_defects(find_solid_defects(mesh));
    if (good)
        print_solid(mesh);
    return good ? exit_done : exit_input;
}

int level_set_info(const std::string& path)
{
    const GridSamples samples = read_vti(path);
    const auto [nx, ny, nz] = samples.count;
    const auto [least, most] = std::minmax_element(samples.values.begin(), samples.values.end());
    std::printf(
        "distances  %d x %d x %d points, spacing %.6g, %.6g to %.6g\n", nx, ny, nz, samples.spacing, *least, *most);
    print_bounds({samples.origin, samples.origin + samples.spacing * Vec3(nx - 1, ny - 1, nz - 1)});
    const TriMesh surface = zero_surface(*grid_of_vti(samples, path));
    std::printf("surface    %zu vertices, %zu triangles\n", surface.vertices.size(), surface.triangles.size());
    print_bounds(bounds(surface.vertices));
    print_solid(surface);
    return exit_done;
}

const char* kind_word(const BodySettings& body)
{
    switch (body.kind) {
    case BodyKind::deformable:
        return "deformable";
    case BodyKind::rigid:
        return body.motion ? "rigid, scripted" : "rigid";
    case BodyKind::obstacle:
        return "obstacle";
    case BodyKind::mpm:
        return "mpm";
    case BodyKind::spheres:
        return "spheres";
    }
    return "";
}

int scene_info(const std::string& path)
{
    const LoadedScene loaded = load_scene(path, {});
    if (loaded.status != 0)
        return loaded.status;
    const Scene& scene = loaded.scene;
    std::printf("scene      %s\n", scene.title.c_str());
    const auto& granular = loaded.built.granular;
    std::printf(
        "time       %.6g s in steps of %.6g s\n", scene.time.end, granular ? granular->world.dt : scene.time.step);
    std::vector<NamedBody> bodies;
    for (const BodySettings& body : scene.bodies)
        bodies.push_back({body.name, kind_word(body)});
    print_bodies(bodies);
    for (const std::string& note : loaded.built.notes)
        std::printf("           %s\n", note.c_str());
    return exit_done;
}

} // namespace

int info_command(const std::string& path)
{
    const std::string ending = fs::path(path).extension().string();
    const fs::file_status status = status_of(path);
    if (fs::is_directory(status))
        return run_info(path);
    if (ending == ".yaml" || ending == ".yml" || ending == ".json")
        return scene_info(path);
    if (ending == ".msh" || ending == ".vtu" || ending == ".vtk")
        return tet_mesh_info(path);
    if (ending == ".vti")
        return level_set_info(path);
    if (!fs::exists(status)) // before its ending is found wanting
        throw FileError("cannot read " + path + ": No such file or directory");
    return tri_mesh_info(path);
}

} // namespace stickslip
