#pragma once

#include "stickslip/math/small_matrix.h"
#include "stickslip/mpm/spline.h"

#include <array>
#include <vector>

namespace stickslip {

/// The 27 x 27 blocks of 3 x 3 that the particles of one cell add to a matrix of the grid. Rows of blocks lie one after
/// the other, padded to whole vectors.
struct CellMatrix {
    static constexpr int width = 248; // of a row: 27 blocks of 9, a block by columns
    alignas(32) std::array<double, stencil_size * width> value;

    Eigen::Map<Mat3> block(int a, int b) { return Eigen::Map<Mat3>(&value[width * a + 9 * b]); }
    Eigen::Map<const Mat3> block(int a, int b) const { return Eigen::Map<const Mat3>(&value[width * a + 9 * b]); }

    /// Adds left(a, k) right(k, columns) over k < depth, of left by rows of `depth` and right by rows of `width`. Only
    /// the blocks (a, b >= a), and some before them, where these say the others too.
    void add_product(const double* left, const double* right, int depth, bool is_symmetric);

    /// Block (a, b) = block (b, a)^T for b < a.
    void mirror();
};

/// rows: three of CellMatrix::width; row k has the block sum over l of g[l] D(k, l) for each g, D in 3x3 blocks.
void contract(const Mat9& D, const std::array<Vec3, stencil_size>& g, double* rows);

/// Nodes within two spacings of a node along each axis, x fastest; that of node b of a cell seen from node a.
constexpr int neighbourhood = 125;
constexpr int neighbour_slot(int a, int b)
{
    return b % 3 - a % 3 + 2 + 5 * (b / 3 % 3 - a / 3 % 3 + 2 + 5 * (b / 9 - a / 9 + 2));
}

} // namespace stickslip
