#include "stickslip/mpm/cell_matrix.h"

#include "stickslip/math/lanes.h"

namespace stickslip {

namespace {

constexpr int rows_at_once = 3, columns_at_once = 2 * lanes;

} // namespace

STICKSLIP_WIDE void CellMatrix::add_product(const double* left, const double* right, int depth, bool is_symmetric)
{
    for (int a = 0; a < stencil_size; a += rows_at_once)
        for (int c = is_symmetric ? 9 * a / columns_at_once * columns_at_once : 0; c < width; c += columns_at_once) {
            Lanes sums[rows_at_once][2] = {};
            for (int k = 0; k < depth; ++k) {
                const Lanes first = load(right + width * k + c), second = load(right + width * k + c + lanes);
                for (int i = 0; i < rows_at_once; ++i) {
                    const double factor = left[(a + i) * depth + k];
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

void CellMatrix::mirror()
{
    for (int a = 0; a < stencil_size; ++a)
        for (int b = 0; b < a; ++b)
            block(a, b) = block(b, a).transpose();
}

} // namespace stickslip
