#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/queries/triangle_distance.h"
#include "stickslip/geometry/solids/face_edges.h"
#include "stickslip/math/types.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace stickslip {

struct LevelSetSample;

struct GridOptions {
    double spacing = 0; // [m] 0: longest edge of the bounding box / 64, but at least 4 cells across the shortest edge
    double band = 4; // [cells] >= 1; nodes nearer to the surface than this hold the exact distance
};

/// Grids with more nodes are refused: 2^25 nodes are 268 MB.
constexpr std::size_t max_grid_nodes = std::size_t(1) << 25;

/// Coefficients of a grid: a uniform cubic B-spline with one coefficient a node.
struct GridCoefficients {
    std::string key; // content_key of mesh and options
    Vec3 origin = Vec3::Zero(); // [m] node (0, 0, 0)
    double spacing = 0; // [m]
    std::array<int, 3> count{}; // nodes along x, y, z, each >= 4
    std::vector<double> values; // [m] node (i, j, k) at (i count[1] + j) count[2] + k
    Bounds solid; // [m] box around the mesh and the zero surface
};

/// Signed distance of a closed mesh, sampled on a grid and interpolated by a C2 tricubic B-spline. Immutable.
///
/// phi is the interpolant, n its plain gradient and the Hessian that of the same function, so that finite differences
/// of one give the other. n is therefore unit only nearly: within 0.02 where the surface is smooth on the scale of a
/// cell, off by up to 0.7 within a cell of a sharp edge, which is rounded by up to 0.2 cells (docs/level_sets.md: what
/// was measured, and why n is not normalised). Nodes within the band hold the exact distance; deeper inside phi is an
/// estimate, within about two cells, of the right sign. From 2 to 3 cells outside phi goes over into the exact distance
/// to the triangles, twice continuously differentiable, and that it is farther out, at any distance: a ball touches
/// where it does, however large it is.
class GridLevelSet {
public:
    /// Takes the spline as it is, to be asked within the domain only.
    explicit GridLevelSet(GridCoefficients coefficients);

    /// With the triangles that the spline was sampled from, or that are its zero surface: to be asked anywhere.
    GridLevelSet with_triangles(TriMesh triangles) const;

    /// phi - by everywhere.
    GridLevelSet grown(double by) const;

    /// phi [m], n [-] and Hessian [1/m] of one function. Where the gradient vanishes (at a local extremum, deep
    /// inside), n is the axis direction in which phi rises most within one cell.
    LevelSetSample sample(const Vec3& U) const;

    /// phi alone [m].
    double distance(const Vec3& U) const;

    const std::string& key() const { return grid_.key; }
    double spacing() const { return grid_.spacing; } // [m]
    std::size_t node_count() const { return grid_.values.size(); } // 8 bytes each
    const Bounds& solid_bounds() const { return grid_.solid; } // [m] around the mesh and all of phi < 0
    const Bounds& domain() const { return domain_; } // [m] of the spline
    const FaceEdges& edges() const { return *edges_; } // of its triangles

    /// Writes version, contents and checksum in the byte order of this machine.
    void save(std::ostream& out) const;

    /// Reads what save wrote, without triangles; null when the stream is truncated, altered, of another version or of
    /// another byte order.
    static std::shared_ptr<const GridLevelSet> load(std::istream& in);

private:
    Eigen::Map<const Eigen::Array4d> four_along_z(int i, int j, int k) const
    {
        const std::size_t row = static_cast<std::size_t>(i) * grid_.count[1] + j;
        return Eigen::Map<const Eigen::Array4d>(&grid_.values[row * grid_.count[2] + k]);
    }
    double spline_distance(const Vec3& U) const;
    LevelSetSample spline_sample(const Vec3& U) const;
    LevelSetSample exact_sample(const Vec3& U) const;
    LevelSetSample blended(const LevelSetSample& spline, const Vec3& U) const;
    bool has_spline(const Vec3& U) const { return !triangles_ || domain_.contains(U); }

    GridCoefficients grid_;
    std::shared_ptr<const TriangleDistance> triangles_;
    std::shared_ptr<const FaceEdges> edges_ = std::make_shared<const FaceEdges>();
    Bounds domain_;
    double grown_ = 0; // [m]
};

/// Samples the signed distance of a closed, outward oriented mesh. The same bits for any number of threads.
/// Throws InputError: mesh open, inside out or degenerate; options out of range; more than max_grid_nodes nodes;
/// spacing wider than half the shortest edge of the bounding box, which would lose the solid between the nodes.
std::shared_ptr<const GridLevelSet> build_grid_level_set(const TriMesh& closed_mesh, const GridOptions& options = {});

/// Signed distances [m] that were sampled elsewhere, negative inside.
struct GridSamples {
    Vec3 origin = Vec3::Zero(); // [m] node (0, 0, 0)
    double spacing = 0; // [m]
    std::array<int, 3> count{}; // nodes along x, y, z
    std::vector<double> values; // node (i, j, k) at (i count[1] + j) count[2] + k
};

/// The spline through them, and its zero surface as triangles. The solid ends where its samples do. Within three cells
/// of the surface they must be the distance, deeper inside they must fall, as deep as anything may sink.
/// Throws InputError: a spacing or counts out of range, values that are not finite, none on one side, or whose slope at
/// the surface is not that of a distance; more than max_grid_nodes nodes.
std::shared_ptr<const GridLevelSet> grid_through(const GridSamples& samples);

/// 32 hexadecimal digits over the bytes of mesh and options and the version of the method: equal keys, equal grids.
std::string content_key(const TriMesh& mesh, const GridOptions& options);

/// build_grid_level_set through files `<key>.grid` in cache_folder. A damaged file is rebuilt. An empty path means no
/// cache; a folder that cannot be written only costs the time to build.
std::shared_ptr<const GridLevelSet> cached_grid_level_set(
    const TriMesh& closed_mesh, const GridOptions& options, const std::filesystem::path& cache_folder);

/// Spacing [m] of a grid that is given none, around a solid of this extent [m].
double automatic_spacing(const Vec3& extent);

/// Nodes along each axis of a grid around a solid of this extent [m].
Vec3 node_counts(const Vec3& extent, double spacing, double band);

/// `spacing` [m], made wider by hundredths until the grid has at most so many nodes.
double fitting_spacing(const Vec3& extent, double spacing, double band, double most_nodes);

} // namespace stickslip
