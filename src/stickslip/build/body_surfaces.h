#pragma once

#include "stickslip/build/mesh_sampling.h"
#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/queries/triangulated_surface.h"
#include "stickslip/geometry/solids/level_set.h"
#include "stickslip/geometry/solids/primitives.h"
#include "stickslip/scene/scene.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace stickslip {

struct BuildResult;

/// The analytic solid of a shape, a plane's normal made unit; nothing for a mesh or a sampled level set.
std::optional<Primitive> primitive_of(const Shape& shape);

/// For the log: `bowl: spheres meet it by 5200 triangles`.
std::string by_triangles(const std::string& body, const TriangulatedSurface& triangles);

/// Rule for spheres at the edges of the body's mesh.
EdgeRule edge_rule(const BodySettings& body);

/// Surfaces and level sets of the bodies of a scene. Each file is read once, however many bodies name it.
class BodySurfaces {
public:
    /// `needs`: of a grid that a mesh is sampled on without being given its spacing.
    BodySurfaces(std::filesystem::path folder, std::filesystem::path grid_cache, SamplingNeeds needs = {})
        : folder_(std::move(folder))
        , grid_cache_(std::move(grid_cache))
        , needs_(needs)
    {
    }

    /// Triangles of a file or of several, scaled; where they are not closed as they stand, with vertices at the same
    /// place joined. Errors: as read_tri_mesh, of one of several files as MeshPartError, and for a `weld` that is a
    /// tenth of the size or more.
    std::shared_ptr<const TriMesh> mesh(const MeshShape& shape);

    /// Defects that keep the mesh from enclosing a solid, by edge or triangle, one text each.
    const std::vector<std::string>& defects(const MeshShape& shape);

    /// The triangles of a body's file as spheres meet them; the same for all bodies that share them. The first time
    /// `result` is told what was joined and left out; that no facet is left is a fault.
    std::shared_ptr<const TriangulatedSurface> triangles(
        const BodySettings& body, const MeshShape& shape, BuildResult& result);

    /// The zero surface of a sampled level set as triangles; the same for all bodies of one file. Errors: as solid(),
    /// InputError where there is none.
    std::shared_ptr<const TriangulatedSurface> triangles(const LevelSetShape& shape);

    /// Sampling of the signed distance of a mesh; null where it is exact.
    const MeshSampling* sampling(const MeshShape& shape);

    /// Errors: FileError, InputError for what is no closed solid.
    LevelSet solid(const Shape& shape);

private:
    using Scaled = std::tuple<std::vector<std::string>, double, double, double, double>; // files, scale, weld
    static Scaled key_of(const MeshShape& shape);
    struct Read {
        std::shared_ptr<const TriMesh> as_it_stands, joined;
        double weld; // [-] of the diagonal of the bounding box
    };
    const Read& read(const MeshShape& shape);
    std::shared_ptr<const GridLevelSet> grid(const LevelSetShape& shape);

    const std::shared_ptr<const ConvexPolyhedron>& convex(const MeshShape& shape);

    std::filesystem::path folder_, grid_cache_;
    SamplingNeeds needs_;
    std::map<Scaled, Read> meshes_;
    std::map<Scaled, std::vector<std::string>> defects_;
    std::map<std::tuple<Scaled, EdgeRule, double>, std::shared_ptr<const TriangulatedSurface>> triangles_; // and angle
    std::map<Scaled, std::shared_ptr<const ConvexPolyhedron>> convex_; // null: it is not
    std::map<std::pair<Scaled, double>, MeshSampling> samplings_; // and spacing; 0: none is given
    std::map<std::pair<Scaled, double>, std::shared_ptr<const GridLevelSet>> grids_; // the same
    std::map<std::string, std::shared_ptr<const GridLevelSet>> files_; // of sampled level sets
    std::map<std::string, std::shared_ptr<const TriangulatedSurface>> zero_surfaces_; // the same
};

} // namespace stickslip
