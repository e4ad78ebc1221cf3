#include "stickslip/mpm/sparse_grid.h"

#include "stickslip/math/error.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace stickslip {

namespace {

constexpr int block_bits = 2, block_width = 1 << block_bits, block_nodes = block_width * block_width * block_width;
constexpr int axis_bits = 19; // of a block's place along each axis
constexpr int farthest = 1 << (axis_bits - 1 + block_bits); // cells from the origin

using Key = std::uint64_t;

Key block_key(const GridIndex& node)
{
    Key key = 0;
    for (int axis = 2; axis >= 0; --axis)
        key = key << axis_bits | static_cast<Key>((node[axis] + farthest) >> block_bits);
    return key;
}

int place_in_block(const GridIndex& node)
{
    int place = 0;
    for (int axis = 2; axis >= 0; --axis)
        place = place << block_bits | (node[axis] & (block_width - 1));
    return place;
}

Key cell_key(const GridIndex& cell)
{
    return block_key(cell) * block_nodes + static_cast<Key>(place_in_block(cell));
}

GridIndex node_at(Key block, int place)
{
    GridIndex node;
    for (int axis = 0; axis < 3; ++axis) {
        node[axis] = (static_cast<int>(block & ((Key(1) << axis_bits) - 1)) << block_bits) - farthest
            + (place & (block_width - 1));
        block >>= axis_bits;
        place >>= block_bits;
    }
    return node;
}

GridIndex offset(const GridIndex& cell, int slot)
{
    return {cell[0] + slot % 3, cell[1] + slot / 3 % 3, cell[2] + slot / 9};
}

void sort_particles(std::span<const Vec3> x, SparseGrid& grid)
{
    if (first_off_grid(x, grid.h))
        throw InputError("expected material points within 2^20 grid spacings of the origin");
    std::vector<std::pair<Key, int>> keys(x.size());
    for (std::size_t p = 0; p < x.size(); ++p)
        keys[p] = {cell_key(cell_of(x[p], grid.h)), static_cast<int>(p)};
    tbb::parallel_sort(keys);
    for (std::size_t k = 0; k < keys.size(); ++k) {
        if (k == 0 || keys[k].first != keys[k - 1].first) {
            if (k > 0)
                grid.cells.back().end = static_cast<int>(k);
            grid.cells.push_back({cell_of(x[keys[k].second], grid.h), static_cast<int>(k), 0, {}});
        }
        grid.order.push_back(keys[k].second);
    }
    if (!grid.cells.empty())
        grid.cells.back().end = static_cast<int>(keys.size());
}

void find_blocks(SparseGrid& grid)
{
    for (const SparseGrid::Cell& c : grid.cells)
        for (const int corner : {0, 2, 6, 8, 18, 20, 24, 26}) {
            const Key key = block_key(offset(c.index, corner));
            if (grid.blocks.empty() || grid.blocks.back() != key)
                grid.blocks.push_back(key);
        }
    std::sort(grid.blocks.begin(), grid.blocks.end());
    grid.blocks.erase(std::unique(grid.blocks.begin(), grid.blocks.end()), grid.blocks.end());
}

int* slot_of(SparseGrid& grid, const GridIndex& node)
{
    const auto at = std::lower_bound(grid.blocks.begin(), grid.blocks.end(), block_key(node));
    return &grid.node_of_block[(at - grid.blocks.begin()) * block_nodes + place_in_block(node)];
}

void number_nodes(SparseGrid& grid)
{
    constexpr int touched = 0;
    grid.node_of_block.assign(grid.blocks.size() * block_nodes, -1);
    for (const SparseGrid::Cell& c : grid.cells)
        for (int slot = 0; slot < stencil_size; ++slot)
            *slot_of(grid, offset(c.index, slot)) = touched;
    for (std::size_t k = 0; k < grid.node_of_block.size(); ++k)
        if (grid.node_of_block[k] == touched) {
            grid.node_of_block[k] = static_cast<int>(grid.nodes.size());
            grid.nodes.push_back(node_at(grid.blocks[k / block_nodes], static_cast<int>(k % block_nodes)));
        }
    for (SparseGrid::Cell& c : grid.cells)
        for (int slot = 0; slot < stencil_size; ++slot)
            c.nodes[slot] = *slot_of(grid, offset(c.index, slot));
}

void list_incidences(SparseGrid& grid)
{
    grid.incidences_begin.assign(grid.nodes.size() + 1, 0);
    for (const SparseGrid::Cell& c : grid.cells)
        for (const int node : c.nodes)
            ++grid.incidences_begin[node + 1];
    for (std::size_t i = 0; i < grid.nodes.size(); ++i)
        grid.incidences_begin[i + 1] += grid.incidences_begin[i];
    grid.incidences.resize(stencil_size * grid.cells.size());
    std::vector<int> next(grid.incidences_begin.begin(), grid.incidences_begin.end() - 1);
    for (std::size_t c = 0; c < grid.cells.size(); ++c)
        for (int slot = 0; slot < stencil_size; ++slot)
            grid.incidences[next[grid.cells[c].nodes[slot]]++] = static_cast<int>(stencil_size * c) + slot;
}

void colour_tiles(SparseGrid& grid)
{
    const auto tile_of = [&](int c) {
        const auto [i, j, k] = grid.cells[c].index;
        return GridIndex{i >> 1, j >> 1, k >> 1};
    };
    grid.by_tile.resize(grid.cells.size());
    std::iota(grid.by_tile.begin(), grid.by_tile.end(), 0);
    std::stable_sort(grid.by_tile.begin(), grid.by_tile.end(), [&](int a, int b) { return tile_of(a) < tile_of(b); });
    const int count = static_cast<int>(grid.by_tile.size());
    for (int begin = 0, end = 0; begin < count; begin = end) {
        const GridIndex tile = tile_of(grid.by_tile[begin]);
        while (end < count && tile_of(grid.by_tile[end]) == tile)
            ++end;
        grid.colours[(tile[0] & 1) + 2 * (tile[1] & 1) + 4 * (tile[2] & 1)].push_back({begin, end});
    }
}

} // namespace

int SparseGrid::find(const GridIndex& node) const
{
    const auto at = std::lower_bound(blocks.begin(), blocks.end(), block_key(node));
    if (at == blocks.end() || *at != block_key(node))
        return -1;
    return node_of_block[(at - blocks.begin()) * block_nodes + place_in_block(node)];
}

std::optional<std::size_t> first_off_grid(std::span<const Vec3> x, double h)
{
    const auto on_grid = [&](const Vec3& place) { return ((place.array().abs() / h) < farthest - 4).all(); };
    const auto found = std::find_if_not(x.begin(), x.end(), on_grid);
    return found == x.end() ? std::nullopt : std::optional<std::size_t>(found - x.begin());
}

SparseGrid make_sparse_grid(std::span<const Vec3> x, double h)
{
    SparseGrid grid;
    grid.h = h;
    sort_particles(x, grid);
    find_blocks(grid);
    number_nodes(grid);
    list_incidences(grid);
    colour_tiles(grid);
    return grid;
}

} // namespace stickslip
