#pragma once

#include "stickslip/mpm/spline.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace stickslip {

/// The nodes that particles touch, in blocks of 4 x 4 x 4: no bounding box, memory follows the particles. Particles are
/// sorted by block and cell, nodes by block; both orders depend on the places alone.
struct SparseGrid {
    struct Cell {
        GridIndex index;
        int begin, end; // of `order`
        std::array<int, stencil_size> nodes;
    };

    struct Tile {
        int begin, end; // of `by_tile`
    };

    double h = 1; // [m] spacing
    std::vector<int> order; // particles, cell by cell
    std::vector<Cell> cells;
    std::vector<GridIndex> nodes;
    std::vector<int> incidences_begin; // nodes + 1
    std::vector<int> incidences; // 27 cell + slot, ascending, of each node
    std::vector<int> by_tile; // cells, tile by tile of 2 x 2 x 2
    std::array<std::vector<Tile>, 8> colours; // tiles: those of one colour share no node

    /// Number of the node; -1: no particle touches it.
    int find(const GridIndex& node) const;

    std::vector<std::uint64_t> blocks; // keys, ascending
    std::vector<int> node_of_block; // 64 for each block; -1: none
};

/// The first place farther than 2^20 spacings h [m] from the origin along an axis, or nowhere: the grid ends there.
std::optional<std::size_t> first_off_grid(std::span<const Vec3> x, double h);

/// InputError where there is a place off the grid.
SparseGrid make_sparse_grid(std::span<const Vec3> x, double h);

} // namespace stickslip
