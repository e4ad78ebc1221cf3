#include "stickslip/geometry/solids/zero_surface.h"

#include "stickslip/geometry/solids/level_set.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace stickslip {

namespace {

/// [spacings] Nodes count as inside from this depth on. Flat faces often lie in a plane of nodes, where the sign of phi
/// is noise of some 0.01 spacings; on curved surfaces it matters as little as where the nodes are.
constexpr double inside_from = 0.15;

constexpr double most_moved = 0.5; // [spacings] in one of the steps onto the surface
constexpr int most_newton_steps = 8;

class SurfaceNet {
public:
    explicit SurfaceNet(const GridLevelSet& grid)
        : grid_(grid)
        , spacing_(grid.spacing())
    {
        const Vec3 cells = (grid.domain().max - grid.domain().min) / spacing_;
        for (int axis = 0; axis < 3; ++axis)
            count_[axis] = static_cast<std::size_t>(std::lround(cells[axis])) + 1;
        phi_.resize(count_[0] * count_[1] * count_[2]);
        parallel_for(phi_.size(), [&](std::size_t n) { phi_[n] = grid.distance(place(n)) + inside_from * spacing_; });
    }

    TriMesh surface()
    {
        find_cells();
        mesh_.vertices.resize(cells_.size());
        parallel_for(cells_.size(), [&](std::size_t v) { mesh_.vertices[v] = on_surface(middle_of_net(cells_[v])); });
        for (std::size_t v = 0; v < cells_.size(); ++v)
            vertex_of_[cells_[v]] = static_cast<int>(v);
        for (const std::size_t cell : cells_)
            for (int axis = 0; axis < 3; ++axis)
                add_quad(cell, axis);
        return std::move(mesh_);
    }

private:
    std::size_t step(int axis) const { return axis == 0 ? count_[1] * count_[2] : axis == 1 ? count_[2] : 1; }
    std::array<std::size_t, 3> index(std::size_t n) const
    {
        return {n / step(0), n / step(1) % count_[1], n % count_[2]};
    }
    Vec3 place(std::size_t n) const
    {
        const auto [i, j, k] = index(n);
        return grid_.domain().min
            + spacing_ * Vec3(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
    }
    bool is_inside(std::size_t n) const { return phi_[n] < 0; }

    /// Corner `c` of a cell, which has the number of its lowest node: bits of c are steps along x, y, z.
    std::size_t corner(std::size_t cell, int c) const
    {
        return cell + (c & 1 ? step(0) : 0) + (c & 2 ? step(1) : 0) + (c & 4 ? step(2) : 0);
    }

    void find_cells()
    {
        for (std::size_t i = 0; i + 1 < count_[0]; ++i)
            for (std::size_t j = 0; j + 1 < count_[1]; ++j)
                for (std::size_t k = 0; k + 1 < count_[2]; ++k) {
                    const std::size_t cell = i * step(0) + j * step(1) + k;
                    int inside = 0;
                    for (int c = 0; c < 8; ++c)
                        inside += is_inside(corner(cell, c));
                    if (inside > 0 && inside < 8)
                        cells_.push_back(cell);
                }
    }

    /// Mean of the places where the cell's edges go through the surface.
    Vec3 middle_of_net(std::size_t cell) const
    {
        Vec3 sum = Vec3::Zero();
        int crossings = 0;
        for (int c = 0; c < 8; ++c)
            for (int axis = 0; axis < 3; ++axis) {
                const std::size_t a = corner(cell, c), b = a + step(axis);
                if ((c >> axis & 1) != 0 || is_inside(a) == is_inside(b))
                    continue;
                const double share = phi_[a] / (phi_[a] - phi_[b]);
                sum += place(a) + share * spacing_ * Vec3::Unit(axis);
                ++crossings;
            }
        return sum / crossings;
    }

    /// Newton's method along the gradient.
    Vec3 on_surface(Vec3 x) const
    {
        for (int i = 0; i < most_newton_steps; ++i) {
            const LevelSetSample s = grid_.sample(x);
            const Vec3 way = -s.phi / s.n.squaredNorm() * s.n;
            x += std::min(1.0, most_moved * spacing_ / way.norm()) * way;
        }
        return x;
    }

    /// Of the edge along `axis` that begins at the cell's lowest node, where it goes through the surface.
    void add_quad(std::size_t cell, int axis)
    {
        const std::size_t end = cell + step(axis);
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const std::array<std::size_t, 3> at = index(cell);
        if (is_inside(cell) == is_inside(end) || at[u] == 0 || at[v] == 0)
            return;
        std::array<int, 4> q = {vertex_of_.at(cell - step(u) - step(v)), vertex_of_.at(cell - step(v)),
            vertex_of_.at(cell), vertex_of_.at(cell - step(u))}; // counter-clockwise about the axis
        if (!is_inside(cell))
            std::swap(q[1], q[3]);
        const auto off = [&](int a, int b) {
            return std::abs(grid_.distance(0.5 * (mesh_.vertices[a] + mesh_.vertices[b])));
        };
        const int first = off(q[0], q[2]) <= off(q[1], q[3]) ? 0 : 1; // the diagonal that is nearer to the surface
        mesh_.triangles.push_back({q[first], q[first + 1], q[first + 2]});
        mesh_.triangles.push_back({q[first], q[first + 2], q[(first + 3) % 4]});
    }

    const GridLevelSet& grid_;
    double spacing_; // [m]
    std::array<std::size_t, 3> count_; // nodes along x, y, z
    std::vector<double> phi_; // [m] of the nodes, in the order of the grid
    std::vector<std::size_t> cells_; // that the surface goes through, rising
    std::unordered_map<std::size_t, int> vertex_of_;
    TriMesh mesh_;
};

} // namespace

TriMesh zero_surface(const GridLevelSet& grid)
{
    return SurfaceNet(grid).surface();
}

} // namespace stickslip
