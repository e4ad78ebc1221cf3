#include "stickslip/build/body_surfaces.h"

#include "stickslip/build/built_world.h"
#include "stickslip/files/meshes/vti_file.h"
#include "stickslip/geometry/mesh/self_intersection.h"
#include "stickslip/geometry/mesh/surface_flaws.h"
#include "stickslip/geometry/mesh/weld.h"
#include "stickslip/geometry/solids/zero_surface.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/mesh_parts.h"

#include <fstream>
#include <numbers>

namespace stickslip {

namespace {

std::shared_ptr<const GridLevelSet> read_grid(const std::filesystem::path& path)
{
    if (path.extension() == ".vti" || path.extension() == ".VTI")
        return grid_of_vti(read_vti(path.string()), path.string());
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw FileError("cannot read " + path.string());
    auto grid = GridLevelSet::load(in);
    if (!grid)
        throw InputError("expected VTK image data (.vti) or a grid of this program, found a damaged or other file");
    TriMesh surface = zero_surface(*grid);
    if (surface.triangles.empty())
        throw InputError("expected a level set with a surface, found none within its grid");
    return std::make_shared<const GridLevelSet>(grid->with_triangles(std::move(surface)));
}

} // namespace

std::optional<Primitive> primitive_of(const Shape& shape)
{
    return std::visit(
        [](const auto& s) -> std::optional<Primitive> {
            using S = std::decay_t<decltype(s)>;
            if constexpr (std::is_same_v<S, Plane>)
                return Plane{s.normal.normalized()};
            else if constexpr (std::is_constructible_v<Primitive, S>)
                return s;
            else
                return std::nullopt;
        },
        shape);
}

std::string by_triangles(const std::string& body, const TriangulatedSurface& triangles)
{
    return body + ": spheres meet it by " + counted(triangles.topology.facets.size(), "triangle");
}

EdgeRule edge_rule(const BodySettings& body)
{
    switch (body.edges.value_or(EdgeChoice::smooth)) {
    case EdgeChoice::zones:
        return EdgeRule::zones;
    case EdgeChoice::raw:
        return EdgeRule::raw;
    case EdgeChoice::smooth:
        break;
    }
    return EdgeRule::smooth;
}

BodySurfaces::Scaled BodySurfaces::key_of(const MeshShape& shape)
{
    std::vector<std::string> files;
    for (const MeshPart& part : shape.parts())
        files.push_back(part.file);
    const Vec3 scale = shape.metres_per_unit();
    return {files, scale.x(), scale.y(), scale.z(), shape.weld.value_or(-1)};
}

const BodySurfaces::Read& BodySurfaces::read(const MeshShape& shape)
{
    Read& known = meshes_[key_of(shape)];
    if (known.joined)
        return known;
    TriMesh mesh = read_triangles(shape, folder_);
    const double usual = usual_weld(mesh.vertices), weld = shape.weld.value_or(usual);
    if (weld > 0 && !(weld < 1e5 * usual))
        throw InputError("expected a `weld` below a tenth of the mesh's size, which is " + short_number(1e6 * usual)
            + " m, got " + short_number(weld) + " m");
    known.weld = weld > 0 ? 1e-6 * weld / usual : 0;
    known.as_it_stands = std::make_shared<const TriMesh>(std::move(mesh));
    const TriMesh& read = *known.as_it_stands;
    known.joined = is_closed(read.triangles) ? known.as_it_stands : std::make_shared<const TriMesh>(welded(read, weld));
    return known;
}

std::shared_ptr<const TriMesh> BodySurfaces::mesh(const MeshShape& shape)
{
    return read(shape).joined;
}

const std::vector<std::string>& BodySurfaces::defects(const MeshShape& shape)
{
    const Scaled key = key_of(shape);
    const auto [known, fresh] = defects_.try_emplace(key);
    if (fresh)
        for (const MeshDefect& defect : find_solid_defects(*mesh(shape)))
            known->second.push_back(defect.text);
    return known->second;
}

std::shared_ptr<const TriangulatedSurface> BodySurfaces::triangles(
    const BodySettings& body, const MeshShape& shape, BuildResult& result)
{
    const EdgeRule rule = edge_rule(body);
    std::shared_ptr<const TriangulatedSurface>& known = triangles_[{key_of(shape), rule, shape.patch_angle}];
    if (known)
        return known;
    const Read& mesh = read(shape);
    const EdgeTopologyOptions options = {.weld_tolerance = mesh.weld,
        .patch_angle = shape.patch_angle * std::numbers::pi / 180,
        .encloses = is_closed(mesh.joined->triangles) && enclosed_volume(*mesh.joined) > 0};
    known = std::make_shared<const TriangulatedSurface>(*mesh.as_it_stands, rule, options);
    const EdgeTopology& topology = known->topology;
    const auto warn = [&](const std::string& text) {
        result.warn(shape_position(body), "bodies." + body.name + "." + shape_key(body), text);
    };
    for (const MeshDefect& defect : topology.defects)
        warn(defect.text);
    for (const std::string& flaw : find_flaws(topology))
        warn(flaw);
    if (topology.patches == 0)
        result.fault(shape_position(body), body, shape_key(body), "expected a triangle with an area, found none");
    result.built.notes.push_back(body.name + ": " + counted(topology.facets.size(), "facet") + ", "
        + std::to_string(topology.welded) + (topology.welded == 1 ? " vertex" : " vertices") + " welded, "
        + std::to_string(topology.patches) + (topology.patches == 1 ? " smooth patch" : " smooth patches"));
    return known;
}

std::shared_ptr<const GridLevelSet> BodySurfaces::grid(const LevelSetShape& shape)
{
    std::shared_ptr<const GridLevelSet>& known = files_[shape.file];
    if (!known)
        known = read_grid(folder_ / shape.file);
    return known;
}

std::shared_ptr<const TriangulatedSurface> BodySurfaces::triangles(const LevelSetShape& shape)
{
    std::shared_ptr<const TriangulatedSurface>& known = zero_surfaces_[shape.file];
    if (known)
        return known;
    known = std::make_shared<const TriangulatedSurface>(
        zero_surface(*grid(shape)), EdgeRule::smooth, EdgeTopologyOptions{.weld_tolerance = -1});
    return known;
}

/// Null if the mesh is not convex, or is to be sampled.
const std::shared_ptr<const ConvexPolyhedron>& BodySurfaces::convex(const MeshShape& shape)
{
    static const std::shared_ptr<const ConvexPolyhedron> none;
    if (shape.spacing)
        return none;
    const auto [known, fresh] = convex_.try_emplace(key_of(shape));
    if (fresh)
        known->second = ConvexPolyhedron::from_mesh(*mesh(shape));
    return known->second;
}

const MeshSampling* BodySurfaces::sampling(const MeshShape& shape)
{
    if (convex(shape))
        return nullptr;
    const std::pair key{key_of(shape), shape.spacing.value_or(0)};
    const auto known = samplings_.find(key);
    if (known != samplings_.end())
        return &known->second;
    return &samplings_.emplace(key, choose_sampling(*mesh(shape), shape.spacing, needs_)).first->second;
}

LevelSet BodySurfaces::solid(const Shape& shape)
{
    if (const auto* mesh_shape = std::get_if<MeshShape>(&shape)) {
        if (const auto& polyhedron = convex(*mesh_shape))
            return polyhedron;
        std::shared_ptr<const GridLevelSet>& known = grids_[{key_of(*mesh_shape), mesh_shape->spacing.value_or(0)}];
        if (!known)
            known = cached_grid_level_set(*mesh(*mesh_shape), {.spacing = sampling(*mesh_shape)->cell}, grid_cache_);
        return known;
    }
    if (const auto* sampled = std::get_if<LevelSetShape>(&shape))
        return grid(*sampled);
    return std::visit([](const auto& s) -> LevelSet { return s; }, primitive_of(shape).value());
}

} // namespace stickslip
