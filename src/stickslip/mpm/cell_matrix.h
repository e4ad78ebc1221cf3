#pragma once

#include "stickslip/math/small_matrix.h"
#include "stickslip/mpm/spline.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace stickslip {

/// A product of two matrices of 27 rows and of 27 columns of 3 x 3 blocks: the sum over k < depth of left[k][a]
/// right[k], block b. What particles add to a matrix of the grid is such a sum.
struct CellProduct {
    static constexpr int width = 248; // of a row: 27 blocks of 9 by columns, padded to whole vectors
    static constexpr int most = 24;
    int depth = 0;
    std::array<std::array<double, stencil_size>, most> left;
    alignas(32) std::array<std::array<double, width>, most> right; // beyond the blocks 0

    CellProduct()
    {
        for (auto& row : right)
            std::fill(row.begin() + 9 * stencil_size, row.end(), 0.0);
    }
    Eigen::Map<Mat3> block(int k, int b) { return Eigen::Map<Mat3>(&right[k][9 * b]); }
};

/// The 27 x 27 blocks of 3 x 3 that the particles of one cell add to a matrix of the grid. Rows of blocks lie one after
/// the other, padded to whole vectors.
struct CellMatrix {
    static constexpr int width = CellProduct::width;
    alignas(32) std::array<double, stencil_size * width> value;

    Eigen::Map<Mat3> block(int a, int b) { return Eigen::Map<Mat3>(&value[width * a + 9 * b]); }
    Eigen::Map<const Mat3> block(int a, int b) const { return Eigen::Map<const Mat3>(&value[width * a + 9 * b]); }

    /// Of a symmetric product only the blocks (a, b >= a), and some before them.
    void add(const CellProduct& product, bool is_symmetric);

    /// Block (a, b) = block (b, a)^T for b < a.
    void mirror();
};

/// Nodes within two spacings of a node along each axis, x fastest; that of node b of a cell seen from node a.
constexpr int neighbourhood = 125;
constexpr int neighbour_slot(int a, int b)
{
    return b % 3 - a % 3 + 2 + 5 * (b / 3 % 3 - a / 3 % 3 + 2 + 5 * (b / 9 - a / 9 + 2));
}

/// Adds block (a, b) times scale of node a times scale of node b to the block of `H` that slots names: 125 a node, the
/// neighbour_slot of b seen from a. nodes: those of the cell.
void add_scaled(const CellMatrix& blocks, const std::array<int, stencil_size>& nodes,
    std::span<const double> scale_of_row, std::span<const double> scale_of_column, std::span<const int> slots,
    std::span<Mat3> H);

/// rows: three of CellProduct::width; row k has the block sum over l of g[l] D(k, l) for each g, D in 3x3 blocks.
void contract(const Mat9& D, const std::array<Vec3, stencil_size>& g, double* rows);

} // namespace stickslip
