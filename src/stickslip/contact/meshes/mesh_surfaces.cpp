#include "stickslip/contact/meshes/mesh_surfaces.h"

#include "stickslip/geometry/mesh/mass_properties.h"
#include "stickslip/geometry/patches/rigid_patches.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace stickslip {

namespace {

std::vector<DeformableSurface> deformable_surfaces(const DeformableSet& set)
{
    std::vector<DeformableSurface> surfaces;
    for (const DeformableBody& body : set.bodies) {
        const auto first = set.surface_nodes.begin() + body.surface_nodes.begin;
        const auto last = set.surface_nodes.begin() + body.surface_nodes.end;
        TriMesh rest;
        for (auto node = first; node != last; ++node)
            rest.vertices.push_back(set.rest[*node]);
        for (int t = body.triangles.begin; t < body.triangles.end; ++t) {
            Triangle& local = rest.triangles.emplace_back(set.triangles[t]);
            for (int& v : local)
                v = static_cast<int>(std::lower_bound(first, last, v) - first);
        }
        double volume = 0;
        for (int t = body.tets.begin; t < body.tets.end; ++t)
            volume += set.volume[t];
        surfaces.push_back({PatchSurface(SmoothPatches(rest), 2 * volume / body.surface_area), {first, last}, false});
    }
    return surfaces;
}

std::shared_ptr<const PatchSurface> standing(const TriMesh& mesh, bool is_closed)
{
    PatchSurface surface(rigid_patches(mesh), is_closed ? mean_thickness(mesh) : 0);
    const std::vector<Vec3> x = surface.patches().x;
    std::vector<int> every(x.size());
    std::iota(every.begin(), every.end(), 0);
    surface.begin_step(x, x);
    surface.move_to(x, every);
    return std::make_shared<const PatchSurface>(std::move(surface));
}

std::vector<RigidMesh> rigid_meshes(const ContactBodies& bodies)
{
    std::vector<RigidMesh> meshes;
    const auto is_met = [&](int body) {
        for (int p = 0; p < bodies.count(); ++p)
            if (bodies.are_points_on_mesh(p, body))
                return true;
        return false;
    };
    std::map<const TriangulatedSurface*, std::shared_ptr<const PatchSurface>> known;
    for (int body = bodies.first_rigid(); body < bodies.count(); ++body) {
        if (!is_met(body))
            continue;
        const TriangulatedSurface* triangles = bodies.triangles(body);
        const bool is_closed = bodies.is_mesh_solid(body);
        std::shared_ptr<const PatchSurface>& surface = known[triangles];
        if (!surface)
            surface =
                standing(is_closed ? outer_side(triangles->topology) : both_sides(triangles->topology), is_closed);
        std::shared_ptr<const SheetSides> sheet;
        if (!is_closed)
            sheet = std::make_shared<const SheetSides>(surface->patches());
        meshes.push_back({body, surface, sheet});
    }
    return meshes;
}

} // namespace

MeshSurfaces::MeshSurfaces(const ContactBodies& bodies)
    : deformable_(deformable_surfaces(*bodies.deformables))
    , rigid_(rigid_meshes(bodies))
{
}

void MeshSurfaces::begin_step(const StepStart& start)
{
    parallel_for(
        deformable_.size(),
        [&](std::size_t body) {
            std::vector<Vec3> old, next;
            for (const int node : deformable_[body].nodes) {
                old.push_back(start.x[node]);
                next.push_back(start.x[node] + start.dt * start.v[node]);
            }
            deformable_[body].patches.begin_step(old, next);
        },
        1);
}

void MeshSurfaces::move_to(std::span<const Vec3> x)
{
    for (auto& [patches, nodes, is_finite] : deformable_) {
        is_finite = std::all_of(nodes.begin(), nodes.end(), [&](int node) { return x[node].allFinite(); });
        if (is_finite)
            patches.move_to(x, nodes);
    }
}

const RigidMesh& MeshSurfaces::rigid(int body) const
{
    return *std::lower_bound(
        rigid_.begin(), rigid_.end(), body, [](const RigidMesh& mesh, int b) { return mesh.body < b; });
}

const PatchSurface& MeshSurfaces::patches(int body) const
{
    return is_deformable(body) ? deformable_[body].patches : *rigid(body).patches;
}

PatchView MeshSurfaces::view_at_start(int body, double widest_rim) const
{
    if (is_deformable(body))
        return deformable_[body].patches.view_at_start();
    const RigidMesh& mesh = rigid(body);
    PatchView surface = mesh.patches->view();
    surface.widest_rim = widest_rim;
    if (mesh.is_closed())
        surface.solid = mesh.patches.get();
    return surface;
}

} // namespace stickslip
