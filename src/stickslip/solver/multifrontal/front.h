#pragma once

#include <cstddef>
#include <span>

namespace stickslip {

/// Dense square matrix of a front of a sparse elimination, by columns. Rows `size` to `stride` are zero, so that whole
/// vectors can be read and written at a column's end.
struct Front {
    double* value; // stride x size
    int size;
    int pivots; // the first rows and columns, which no other front adds to

    static int stride(int size) { return (size + 7) / 4 * 4 + 4; }
    int stride() const { return stride(size); }
    double* column(int j) const { return value + static_cast<std::size_t>(stride()) * j; }
};

/// P F = L U of the first `pivots` columns and rows, in place: U on and above the diagonal, L below, whose diagonal is
/// 1. What remains of the other rows and columns is the Schur complement. Rows are exchanged among pivots only:
/// exchange[k] is the row that took the place of row k. A pivot of less than `least` is replaced by it, with its sign.
void eliminate(const Front& front, double least, std::span<int> exchange);

} // namespace stickslip
