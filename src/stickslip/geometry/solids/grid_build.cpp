#include "stickslip/geometry/queries/mesh_distance.h"
#include "stickslip/geometry/solids/grid_extent.h"
#include "stickslip/geometry/solids/grid_level_set.h"
#include "stickslip/geometry/solids/level_set.h"
#include "stickslip/geometry/solids/zero_surface.h"
#include "stickslip/math/error.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

// Two lattices: a coarse one holds the exact distance everywhere, the fine one where the coarse one says the surface
// may be within the band. The other fine nodes take the value of the coarse spline.

namespace stickslip {

double automatic_spacing(const Vec3& extent)
{
    return std::min(extent.maxCoeff() / 64, extent.minCoeff() / 4);
}

Vec3 node_counts(const Vec3& extent, double spacing, double band)
{
    const double margin = std::ceil(band) + 2; // [cells] on each side: the band, one of interpolation, one for the end
    return (extent / spacing).array().ceil() + (1 + 2 * margin);
}

double fitting_spacing(const Vec3& extent, double spacing, double band, double most_nodes)
{
    while (node_counts(extent, spacing, band).prod() > most_nodes)
        spacing *= 1.01;
    return spacing;
}

namespace {

constexpr int coarse_step = 4; // fine cells per coarse cell

std::string grid_number(double x)
{
    std::ostringstream text;
    text << x;
    return text.str();
}

/// Throws InputError unless the options suit the mesh.
double checked_spacing(const Vec3& extent, const GridOptions& options)
{
    if (!(options.band >= 1 && options.band <= 64))
        throw InputError("grid band: expected 1 to 64 cells, got " + grid_number(options.band));
    if (!(options.spacing >= 0 && std::isfinite(options.spacing)))
        throw InputError("grid spacing: expected a length > 0 or 0 for automatic, got " + grid_number(options.spacing));
    const double spacing = options.spacing > 0 ? options.spacing : automatic_spacing(extent);
    if (spacing > extent.minCoeff() / 2) {
        throw InputError("grid spacing " + grid_number(spacing) + " m is too wide for a solid "
            + grid_number(extent.minCoeff()) + " m thin: at most " + grid_number(extent.minCoeff() / 2) + " m");
    }
    const double limit = static_cast<double>(max_grid_nodes);
    if (const double nodes = node_counts(extent, spacing, options.band).prod(); nodes > limit) {
        throw InputError("grid spacing " + grid_number(spacing) + " m needs " + grid_number(nodes)
            + " nodes, more than " + grid_number(limit) + "; a spacing of "
            + grid_number(fitting_spacing(extent, spacing, options.band, limit)) + " m would fit");
    }
    return spacing;
}

GridCoefficients empty_lattice(const Vec3& origin, double spacing, const std::array<int, 3>& count)
{
    GridCoefficients lattice{
        .key = {}, .origin = origin, .spacing = spacing, .count = count, .values = {}, .solid = {}};
    lattice.values.resize(static_cast<std::size_t>(count[0]) * count[1] * count[2]);
    return lattice;
}

Vec3 node(const GridCoefficients& lattice, int i, int j, int k)
{
    return lattice.origin + lattice.spacing * Vec3(i, j, k);
}

/// Calls row(i, j, values of the nodes (i, j, 0..)) for all rows in parallel.
template <typename Row>
void for_each_row(GridCoefficients& lattice, const Row& row)
{
    const std::size_t length = lattice.count[2];
    parallel_for(
        lattice.values.size() / length,
        [&](std::size_t r) {
            row(static_cast<int>(r / lattice.count[1]), static_cast<int>(r % lattice.count[1]),
                &lattice.values[r * length]);
        },
        1);
}

/// Samples at n places `step` apart to spline coefficients, for `width` neighbouring lines at once:
/// (c[i-1] + 4 c[i] + c[i+1]) / 6 = f[i], and no curvature at the two ends, c = f.
void prefilter_lines(double* f, int n, std::size_t step, std::size_t width)
{
    // Elimination from the front: pivot[i] is the same for all lines.
    std::vector<double> inverse_pivot(n, 1);
    for (int i = 1; i + 1 < n; ++i) {
        const double coupling = i == 1 ? 0 : inverse_pivot[i - 1]; // f[0] is known and moves to the right side
        inverse_pivot[i] = 1 / (4 - coupling);
        double* at = f + i * step;
        for (std::size_t k = 0; k < width; ++k)
            at[k] = (6 * at[k] - at[k - step]) * inverse_pivot[i];
    }
    for (int i = n - 2; i > 0; --i) {
        double* at = f + i * step;
        for (std::size_t k = 0; k < width; ++k)
            at[k] -= inverse_pivot[i] * at[k + step];
    }
}

/// Samples to coefficients of the spline through them. Along y and x a whole row of nodes is taken through at a time.
void prefilter(GridCoefficients& lattice)
{
    const auto [nx, ny, nz] = lattice.count;
    const std::size_t row = nz;
    const std::size_t slice = row * ny;
    double* values = lattice.values.data();
    for_each_row(lattice, [nz = nz](int, int, double* line) { prefilter_lines(line, nz, 1, 1); });
    parallel_for(
        nx, [&, ny = ny](std::size_t i) { prefilter_lines(values + i * slice, ny, row, row); }, 1);
    parallel_for(
        ny, [&, nx = nx](std::size_t j) { prefilter_lines(values + j * row, nx, slice, row); }, 1);
}

/// The exact distance at every node that may be within `band` [m] of the surface, an estimate beyond.
void sample_band(const MeshDistance& mesh, double band, GridCoefficients& fine)
{
    std::array<int, 3> count;
    for (int axis = 0; axis < 3; ++axis)
        count[axis] =
            (fine.count[axis] + coarse_step - 2) / coarse_step + 3; // one more on each side: the spline's ends
    const double spacing = coarse_step * fine.spacing;
    GridCoefficients coarse = empty_lattice(fine.origin - Vec3::Constant(spacing), spacing, count);
    for_each_row(coarse, [&](int i, int j, double* phi) {
        for (int k = 0; k < count[2]; ++k)
            phi[k] = mesh.sample(node(coarse, i, j, k)).phi;
    });
    GridCoefficients coarse_spline = coarse;
    prefilter(coarse_spline);
    const GridLevelSet estimate(std::move(coarse_spline));
    const auto nearest = [](int fine_index) { return (fine_index + coarse_step / 2) / coarse_step + 1; };
    for_each_row(fine, [&](int i, int j, double* phi) {
        const std::size_t coarse_row = (static_cast<std::size_t>(nearest(i)) * count[1] + nearest(j)) * count[2];
        for (int k = 0; k < fine.count[2]; ++k) {
            const Vec3 x = node(fine, i, j, k);
            const double known = coarse.values[coarse_row + nearest(k)];
            const double away = (x - node(coarse, nearest(i), nearest(j), nearest(k))).norm();
            const double least = std::abs(known) - away; // a distance changes by no more than the way
            const double most = std::abs(known) + away;
            if (least > band)
                phi[k] = std::copysign(std::clamp(std::abs(estimate.distance(x)), least, most), known);
            else
                phi[k] = mesh.sample(x, most * (1 + 1e-12)).phi;
        }
    });
}

/// The samples, with nodes on all sides for the band around a surface that ends with them: outside of the box of the
/// samples is outside of the solid.
GridCoefficients bounded(const GridSamples& samples)
{
    constexpr int margin = 6; // [cells] as of a mesh: a band of 4, one of interpolation, one for the end
    std::array<int, 3> count;
    double nodes = 1;
    for (int axis = 0; axis < 3; ++axis) {
        count[axis] = samples.count[axis] + 2 * margin;
        nodes *= count[axis];
    }
    if (nodes > static_cast<double>(max_grid_nodes))
        throw InputError("expected at most " + grid_number(static_cast<double>(max_grid_nodes))
            + " nodes with a margin of 6 cells, found " + grid_number(nodes));
    const double h = samples.spacing;
    GridCoefficients grid = empty_lattice(samples.origin - h * Vec3::Constant(margin), h, count);
    const Vec3 last = h * Vec3(samples.count[0] - 1, samples.count[1] - 1, samples.count[2] - 1);
    const auto nearest = [&](int n, int axis) {
        return static_cast<std::size_t>(std::clamp(n - margin, 0, samples.count[axis] - 1));
    };
    for_each_row(grid, [&](int i, int j, double* phi) {
        for (int k = 0; k < count[2]; ++k) {
            const Vec3 x = h * Vec3(i - margin, j - margin, k - margin);
            const Vec3 beyond = (x - last).cwiseMax(-x); // the sides of the box of the samples
            const double outside = beyond.cwiseMax(0.0).norm(), box = outside > 0 ? outside : beyond.maxCoeff();
            const std::size_t at =
                (nearest(i, 0) * samples.count[1] + nearest(j, 1)) * samples.count[2] + nearest(k, 2);
            phi[k] = std::max(samples.values[at], box);
        }
    });
    return grid;
}

/// Throws InputError unless the gradient has about unit length at most places of the surface.
void check_slope(const GridLevelSet& grid, const TriMesh& surface)
{
    constexpr double least = 0.7, most = 1.4; // a cube of 5 cells, most of whose surface is near an edge: 0.9
    std::vector<double> slopes;
    for (const Vec3& x : surface.vertices)
        slopes.push_back(grid.sample(x).n.norm());
    const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
    std::nth_element(slopes.begin(), middle, slopes.end());
    if (!(*middle >= least && *middle <= most))
        throw InputError("expected a signed distance, whose slope at the surface is 1, found a slope of "
            + grid_number(*middle) + " (median)");
}

} // namespace

std::shared_ptr<const GridLevelSet> grid_through(const GridSamples& samples)
{
    const auto [nx, ny, nz] = samples.count;
    constexpr double largest = 1e9, rounding = 1e-9; // what squares and differences of places still tell apart
    const double h = samples.spacing, farthest = samples.origin.cwiseAbs().maxCoeff();
    if (!(farthest <= largest && h >= rounding * std::max(1.0, farthest) && h <= largest))
        throw InputError("expected an origin within 1e9 m and a spacing of 1e-9 to 1e9 m, no smaller than 1e-9 of the "
                         "origin, found "
            + grid_number(farthest) + " and " + grid_number(h));
    if (std::min({nx, ny, nz}) < 4)
        throw InputError("expected at least 4 nodes along each axis, found " + std::to_string(nx) + " x "
            + std::to_string(ny) + " x " + std::to_string(nz));
    STICKSLIP_ASSERT(samples.values.size() == static_cast<std::size_t>(nx) * ny * nz);
    const double most = 1e3 * h * (nx + ny + nz); // a thousand times the size of the grid, and finite
    for (const double value : samples.values)
        if (!(std::abs(value) <= most))
            throw InputError("expected distances of at most " + grid_number(most) + " m, found " + grid_number(value));
    GridCoefficients grid = bounded(samples);
    prefilter(grid);
    const GridLevelSet spline(grid);
    const TriMesh surface = zero_surface(spline);
    if (surface.triangles.empty()) {
        const auto [low, high] = std::minmax_element(samples.values.begin(), samples.values.end());
        throw InputError("expected distances on both sides of a surface, two cells within the grid, found "
            + grid_number(*low) + " to " + grid_number(*high) + " m");
    }
    check_slope(spline, surface);
    Bounds solid;
    for (const Vec3& x : surface.vertices)
        solid.add(x);
    grid.solid = grown_to_zero_surface(grid, solid);
    return std::make_shared<const GridLevelSet>(GridLevelSet(std::move(grid)).with_triangles(surface));
}

std::shared_ptr<const GridLevelSet> build_grid_level_set(const TriMesh& closed_mesh, const GridOptions& options)
{
    const MeshDistance mesh(closed_mesh);
    Bounds solid;
    for (const Triangle& t : closed_mesh.triangles) {
        for (int v : t)
            solid.add(closed_mesh.vertices[v]);
    }
    const Vec3 extent = solid.max - solid.min;
    const double spacing = checked_spacing(extent, options);
    const Vec3 nodes = node_counts(extent, spacing, options.band);
    const Vec3 origin = (solid.min + solid.max) / 2 - spacing / 2 * (nodes - Vec3::Ones());
    GridCoefficients grid = empty_lattice(
        origin, spacing, {static_cast<int>(nodes.x()), static_cast<int>(nodes.y()), static_cast<int>(nodes.z())});
    sample_band(mesh, options.band * spacing, grid);
    prefilter(grid);
    grid.key = content_key(closed_mesh, options);
    grid.solid = grown_to_zero_surface(grid, solid);
    return std::make_shared<const GridLevelSet>(GridLevelSet(std::move(grid)).with_triangles(closed_mesh));
}

} // namespace stickslip
