#include "stickslip/mpm/cell_matrix.h"

#include "stickslip/math/lanes.h"

namespace stickslip {

namespace {

constexpr int rows_at_once = 3, columns_at_once = 2 * lanes;

} // namespace

STICKSLIP_WIDE void CellMatrix::add(const CellProduct& product, bool is_symmetric)
{
    for (int a = 0; a < stencil_size; a += rows_at_once)
        for (int c = is_symmetric ? 9 * a / columns_at_once * columns_at_once : 0; c < width; c += columns_at_once) {
            Lanes sums[rows_at_once][2] = {};
            for (int k = 0; k < product.depth; ++k) {
                const double* right = product.right[k].data() + c;
                const Lanes first = load(right), second = load(right + lanes);
                for (int i = 0; i < rows_at_once; ++i) {
                    const double factor = product.left[k][a + i];
                    sums[i][0] += factor * first;
                    sums[i][1] += factor * second;
                }
            }
            for (int i = 0; i < rows_at_once; ++i) {
                double* to = value.data() + width * (a + i) + c;
                store(load(to) + sums[i][0], to);
                store(load(to + lanes) + sums[i][1], to + lanes);
            }
        }
}

// A block has nine numbers, two vectors and a quarter: what stands beyond is overwritten by the next.
STICKSLIP_WIDE void contract(const Mat9& D, const std::array<Vec3, stencil_size>& g, double* rows)
{
    constexpr int vectors = 3;
    for (int k = 0; k < 3; ++k) {
        Lanes blocks[3][vectors] = {};
        for (int l = 0; l < 3; ++l)
            for (int i = 0; i < 9; ++i)
                blocks[l][i / lanes][i % lanes] = D(3 * k + i % 3, 3 * l + i / 3);
        for (int slot = 0; slot < stencil_size; ++slot)
            for (int i = 0; i < vectors; ++i)
                store(g[slot][0] * blocks[0][i] + g[slot][1] * blocks[1][i] + g[slot][2] * blocks[2][i],
                    rows + CellProduct::width * k + 9 * slot + lanes * i);
    }
}

STICKSLIP_WIDE void add_scaled(const CellMatrix& blocks, const std::array<int, stencil_size>& nodes,
    std::span<const double> scale_of_row, std::span<const double> scale_of_column, std::span<const int> slots,
    std::span<Mat3> H)
{
    for (int a = 0; a < stencil_size; ++a) {
        const double row = scale_of_row[nodes[a]];
        const int* const near = &slots[neighbourhood * nodes[a] + neighbour_slot(a, 0)];
        const double* from = &blocks.value[CellMatrix::width * a];
        if (a + 1 < stencil_size) {
            const int* const next = &slots[neighbourhood * nodes[a + 1] + neighbour_slot(a + 1, 0)];
            for (int k = 0; k < 3; ++k)
                for (int j = 0; j < 3; ++j)
                    for (int i = 0; i < 3; ++i)
                        __builtin_prefetch(H[next[i + 5 * (j + 5 * k)]].data(), 1);
        }
        for (int k = 0; k < 3; ++k)
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 3; ++i, from += 9) {
                    const double scale = row * scale_of_column[nodes[stencil_slot(i, j, k)]];
                    double* const to = H[near[i + 5 * (j + 5 * k)]].data();
                    store(load(to) + scale * load(from), to);
                    store(load(to + lanes) + scale * load(from + lanes), to + lanes);
                    to[8] += scale * from[8];
                }
    }
}

void CellMatrix::mirror()
{
    for (int a = 0; a < stencil_size; ++a)
        for (int b = 0; b < a; ++b)
            block(a, b) = block(b, a).transpose();
}

} // namespace stickslip
