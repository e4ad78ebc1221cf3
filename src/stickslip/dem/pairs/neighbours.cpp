#include "stickslip/dem/pairs/neighbours.h"

#include "stickslip/math/error.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace stickslip {

namespace {

using Cell = Eigen::Array3i;

/// Spheres of one size class in the cells of a grid that repeats itself: a cell also holds those from whole grid sizes
/// away, which the distance sorts out. So a far stray costs no memory.
struct Grid {
    double largest = 0; // [m] radius
    Vec3 corner, cell; // [m]
    Cell count = {1, 1, 1};
    Eigen::Array<bool, 3, 1> periodic;
    std::vector<int> first, member; // members of each cell, in rising order
    std::vector<SpherePlace> place; // of the members

    Cell cell_of(const Vec3& x) const
    {
        const Vec3 s = (x - corner).cwiseQuotient(cell);
        Cell c;
        for (int a = 0; a < 3; ++a) {
            const auto k = static_cast<std::int64_t>(std::floor(s[a])) % count[a];
            c[a] = static_cast<int>(k < 0 ? k + count[a] : k);
        }
        return c;
    }
    int index(const Cell& c) const { return (c[2] * count[1] + c[1]) * count[0] + c[0]; }
};

/// Classes by powers of two of the largest radius; 0 is the coarsest.
int size_class(double radius, double largest)
{
    return static_cast<int>(std::floor(std::log2(largest / radius) + 1e-12));
}

Bounds bounds_of(const std::vector<SpherePlace>& spheres)
{
    Bounds bounds;
    for (const SpherePlace& s : spheres)
        bounds.add(s.x);
    return bounds;
}

void lay_out(Grid& grid, const Bounds& bounds, const PeriodicBox& box, double reach, std::size_t members)
{
    // no axis has more cells than a cube of the members would need eight times over
    const int most = 8 + 8 * static_cast<int>(std::cbrt(static_cast<double>(members)));
    for (int a = 0; a < 3; ++a) {
        grid.periodic[a] = std::isfinite(box.size[a]);
        const double size = grid.periodic[a] ? box.size[a] : bounds.max[a] - bounds.min[a];
        grid.corner[a] = grid.periodic[a] ? box.corner[a] : bounds.min[a];
        if (grid.periodic[a]) {
            if (size < 2 * reach)
                throw InputError("periodic box: side " + std::to_string(size) + " m is less than twice the range "
                    + std::to_string(reach) + " m of the largest spheres");
            grid.count[a] = static_cast<int>(std::min(size / reach, static_cast<double>(most)));
            grid.cell[a] = size / grid.count[a];
        } else {
            grid.count[a] = static_cast<int>(std::min(size / reach + 1, static_cast<double>(most)));
            grid.cell[a] = reach;
        }
    }
    // few spheres in a wide box: fewer cells, each used by several repeats
    while (static_cast<double>(grid.count.cast<double>().prod()) > 64.0 + 4.0 * static_cast<double>(members)) {
        int a = 0;
        grid.count.maxCoeff(&a);
        grid.count[a] = (grid.count[a] + 1) / 2;
        if (grid.periodic[a])
            grid.cell[a] = box.size[a] / grid.count[a];
    }
}

void fill(Grid& grid, const std::vector<SpherePlace>& spheres, const std::vector<int>& members)
{
    std::vector<int> where(members.size());
    parallel_for(
        members.size(), [&](std::size_t k) { where[k] = grid.index(grid.cell_of(spheres[members[k]].x)); }, 2048);
    grid.first.assign(grid.count.prod() + 1, 0);
    for (const int c : where)
        ++grid.first[c + 1];
    std::partial_sum(grid.first.begin(), grid.first.end(), grid.first.begin());
    grid.member.resize(members.size());
    std::vector<int> next(grid.first.begin(), grid.first.end() - 1);
    for (std::size_t k = 0; k < members.size(); ++k)
        grid.member[next[where[k]]++] = members[k];
    grid.place.resize(members.size());
    parallel_for(
        members.size(), [&](std::size_t m) { grid.place[m] = spheres[grid.member[m]]; }, 2048);
}

/// Calls body(m) for the members (positions in grid.member) of the cells about x, each cell once even where the grid
/// has fewer than three. forward: only the cell itself and half of those around it, so that every pair of cells is met
/// from one side; never with fewer than three cells an axis.
template <typename Body>
void for_each_near(const Grid& grid, const Vec3& x, bool forward, const Body& body)
{
    const Cell c = grid.cell_of(x);
    const auto cells = [&](int from, int to, int y, int z) { // a row of cells, next to each other in memory
        for (int m = grid.first[grid.index({from, y, z})]; m < grid.first[grid.index({to, y, z}) + 1]; ++m)
            body(m);
    };
    const int nx = grid.count[0], ny = grid.count[1], nz = grid.count[2];
    const auto around = [](int k, int n) { return (k + n) % n; };
    const auto row = [&](int from, int to, int y, int z) { // offsets from c, which may reach round the end
        if (c[0] + from >= 0 && c[0] + to < nx)
            return cells(c[0] + from, c[0] + to, y, z);
        for (int k = from; k <= to; ++k)
            cells(around(c[0] + k, nx), around(c[0] + k, nx), y, z);
    };
    if (forward) {
        row(0, 1, c[1], c[2]);
        row(-1, 1, around(c[1] + 1, ny), c[2]);
        for (int k = -1; k <= 1; ++k)
            row(-1, 1, around(c[1] + k, ny), around(c[2] + 1, nz));
        return;
    }
    for (int z = 0; z < std::min(nz, 3); ++z) {
        for (int y = 0; y < std::min(ny, 3); ++y) {
            const int at_y = ny < 3 ? y : around(c[1] + y - 1, ny), at_z = nz < 3 ? z : around(c[2] + z - 1, nz);
            if (nx < 3)
                cells(0, nx - 1, at_y, at_z);
            else
                row(-1, 1, at_y, at_z);
        }
    }
}

std::uint64_t spread(std::uint64_t v) // two zeros after every one of 21 bits
{
    v = (v | v << 32) & 0x1f00000000ffffULL;
    v = (v | v << 16) & 0x1f0000ff0000ffULL;
    v = (v | v << 8) & 0x100f00f00f00f00fULL;
    v = (v | v << 4) & 0x10c30c30c30c30c3ULL;
    return (v | v << 2) & 0x1249249249249249ULL;
}

} // namespace

NeighbourList find_neighbours(const std::vector<SpherePlace>& spheres, const PeriodicBox& box, double margin)
{
    NeighbourList list;
    list.first.assign(spheres.size() + 1, 0);
    if (spheres.empty())
        return list;
    double largest = 0;
    for (const SpherePlace& s : spheres)
        largest = std::max(largest, s.radius);

    std::vector<std::vector<int>> members;
    std::vector<int> level(spheres.size());
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        level[i] = size_class(spheres[i].radius, largest);
        if (level[i] >= static_cast<int>(members.size()))
            members.resize(level[i] + 1);
        members[level[i]].push_back(static_cast<int>(i));
    }
    const Bounds bounds = bounds_of(spheres);
    std::vector<Grid> grids(members.size());
    for (std::size_t l = 0; l < grids.size(); ++l) {
        if (members[l].empty()) // no sphere of this size
            continue;
        for (const int i : members[l])
            grids[l].largest = std::max(grids[l].largest, spheres[i].radius);
        lay_out(grids[l], bounds, box, 2 * grids[l].largest + margin, members[l].size());
        fill(grids[l], spheres, members[l]);
    }

    constexpr std::size_t block = 1024;
    std::vector<std::vector<int>> found((spheres.size() + block - 1) / block);
    const bool periodic = box.any();
    parallel_for(
        found.size(),
        [&](std::size_t b) {
            std::vector<int>& others = found[b];
            for (std::size_t i = b * block; i < std::min(spheres.size(), (b + 1) * block); ++i) {
                const SpherePlace& s = spheres[i];
                const std::size_t before = others.size();
                for (int l = level[i]; l >= 0; --l) {
                    const Grid& grid = grids[l];
                    if (grid.member.empty())
                        continue;
                    const bool own = l == level[i], forward = own && (grid.count >= 3).all();
                    const int cell = grid.index(grid.cell_of(s.x));
                    const auto keep = [&](int m) { // of two in the same cell, the one with the lower slot owns the pair
                        const int j = grid.member[m];
                        const bool same_cell = m >= grid.first[cell] && m < grid.first[cell + 1];
                        if (!own || (forward && !same_cell) || j > static_cast<int>(i))
                            others.push_back(j);
                    };
                    for_each_near(grid, s.x, forward, [&](int m) {
                        const SpherePlace& t = grid.place[m];
                        Vec3 d(t.x[0] - s.x[0], t.x[1] - s.x[1], t.x[2] - s.x[2]);
                        if (periodic)
                            d = box.shortest(d);
                        const double range = s.radius + t.radius + margin;
                        if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < range * range)
                            keep(m);
                    });
                }
                std::sort(others.begin() + static_cast<std::ptrdiff_t>(before), others.end());
                list.first[i + 1] = static_cast<int>(others.size() - before);
            }
        },
        1);
    std::partial_sum(list.first.begin(), list.first.end(), list.first.begin());
    list.other.reserve(list.first.back());
    for (const std::vector<int>& others : found)
        list.other.insert(list.other.end(), others.begin(), others.end());
    return list;
}

std::vector<int> space_filling_order(const std::vector<SpherePlace>& spheres)
{
    const Bounds bounds = bounds_of(spheres);
    const double extent = spheres.empty() ? 0 : (bounds.max - bounds.min).maxCoeff();
    const double scale = extent > 0 ? 2097151 / extent : 0; // 21 bits an axis
    std::vector<std::pair<std::uint64_t, int>> keys(spheres.size());
    parallel_for(
        spheres.size(),
        [&](std::size_t i) {
            std::uint64_t key = 0;
            for (int a = 0; a < 3; ++a)
                key |= spread(static_cast<std::uint64_t>(scale * (spheres[i].x[a] - bounds.min[a]))) << a;
            keys[i] = {key, static_cast<int>(i)};
        },
        2048);
    std::sort(keys.begin(), keys.end());
    std::vector<int> order(spheres.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = keys[i].second;
    return order;
}

} // namespace stickslip
