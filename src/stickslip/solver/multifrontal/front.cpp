#include "stickslip/solver/multifrontal/front.h"

#include "stickslip/math/lanes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stickslip {

namespace {

constexpr int panel_width = 24; // columns that are eliminated before the others follow

// C -= A B for 4 `vectors` rows and `columns` columns of C, from those that the pointers point to.
template <int vectors, int columns>
inline void subtract_tile(const double* A, const double* B, double* C, std::size_t stride, int depth)
{
    Lanes sum[columns][vectors];
    for (int j = 0; j < columns; ++j)
        for (int v = 0; v < vectors; ++v)
            sum[j][v] = load(C + j * stride + lanes * v);
    for (int k = 0; k < depth; ++k) {
        Lanes a[vectors];
        for (int v = 0; v < vectors; ++v)
            a[v] = load(A + k * stride + lanes * v);
        for (int j = 0; j < columns; ++j)
            for (int v = 0; v < vectors; ++v)
                sum[j][v] -= a[v] * B[j * stride + k];
    }
    for (int j = 0; j < columns; ++j)
        for (int v = 0; v < vectors; ++v)
            store(sum[j][v], C + j * stride + lanes * v);
}

template <int columns>
inline void subtract_columns(const double* A, const double* B, double* C, std::size_t stride, int rows, int depth)
{
    int i = 0;
    for (; i + lanes < rows; i += 2 * lanes)
        subtract_tile<2, columns>(A + i, B, C + i, stride, depth);
    if (i < rows)
        subtract_tile<1, columns>(A + i, B, C + i, stride, depth);
}

// C -= A B, C of rows x columns, A of rows x depth, all with the same stride.
inline void subtract_product(
    const double* A, const double* B, double* C, std::size_t stride, int rows, int columns, int depth)
{
    int j = 0;
    for (; j + 4 <= columns; j += 4)
        subtract_columns<4>(A, B + j * stride, C + j * stride, stride, rows, depth);
    for (; j < columns; ++j)
        subtract_columns<1>(A, B + j * stride, C + j * stride, stride, rows, depth);
}

// Row of the largest of column[from, to).
inline int largest_row(const double* column, int from, int to)
{
    int found = from;
    for (int i = from + 1; i < to; ++i)
        if (std::abs(column[i]) > std::abs(column[found]))
            found = i;
    return found;
}

} // namespace

STICKSLIP_WIDE void eliminate(const Front& front, double least, std::span<int> exchange)
{
    const std::size_t stride = front.stride();
    const int size = front.size, pivots = front.pivots;
    double* const F = front.value;
    for (int begin = 0; begin < pivots; begin += panel_width) {
        const int end = std::min(begin + panel_width, pivots);
        for (int k = begin; k < end; ++k) {
            double* const column = F + k * stride;
            const int row = exchange[k] = largest_row(column, k, pivots);
            if (row != k)
                for (int j = 0; j < size; ++j)
                    std::swap(F[j * stride + k], F[j * stride + row]);
            if (!(std::abs(column[k]) >= least))
                column[k] = std::copysign(least, column[k]);
            const double inverse = 1 / column[k];
            for (int i = k + 1; i < size; ++i)
                column[i] *= inverse;
            for (int j = k + 1; j < end; ++j) {
                double* const other = F + j * stride;
                const double factor = other[k];
                for (int i = k + 1; i < size; ++i)
                    other[i] -= column[i] * factor;
            }
        }
        for (int j = end; j < size; ++j) {
            double* const column = F + j * stride;
            for (int k = begin; k < end; ++k)
                for (int i = k + 1; i < end; ++i)
                    column[i] -= F[k * stride + i] * column[k];
        }
        subtract_product(F + begin * stride + end, F + end * stride + begin, F + end * stride + end, stride, size - end,
            size - end, end - begin);
    }
}

} // namespace stickslip
