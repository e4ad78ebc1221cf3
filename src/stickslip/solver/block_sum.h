#pragma once

#include "stickslip/math/lanes.h"
#include "stickslip/solver/block_matrix.h"

namespace stickslip {

/// Sum of products of blocks of R rows with vectors, rows side by side in lanes: column by column, every second column
/// into a sum of its own, so that one addition need not wait for another. For loops of parallel_for_lanes.
template <int R, int C>
class BlockSum;

// Four rows of a column are read at once. Of the last column they begin one row early, so as not to read past the
// block: its row r is in lane r + 1.
template <int C>
class BlockSum<3, C> {
public:
    void add(const Block<3, C>& A, const Block<C, 1>& x)
    {
        const double* a = A.data();
        for (int c = 0; c < C - 1; ++c)
            sums_[c % 2] += load(a + 3 * c) * x[c];
        last_ += load(a + 3 * C - 4) * x[C - 1];
    }
    Block<3, 1> value() const
    {
        const Lanes sum = sums_[0] + sums_[1];
        return {sum[0] + last_[1], sum[1] + last_[2], sum[2] + last_[3]};
    }

private:
    Lanes sums_[2] = {}, last_ = {};
};

// Rows 0 to 3 and rows 2 to 5.
template <int C>
class BlockSum<6, C> {
public:
    void add(const Block<6, C>& A, const Block<C, 1>& x)
    {
        const double* a = A.data();
        for (int c = 0; c < C; ++c) {
            upper_[c % 2] += load(a + 6 * c) * x[c];
            lower_[c % 2] += load(a + 6 * c + 2) * x[c];
        }
    }
    Block<6, 1> value() const
    {
        Block<6, 1> sum;
        store(lower_[0] + lower_[1], sum.data() + 2);
        store(upper_[0] + upper_[1], sum.data());
        return sum;
    }

private:
    Lanes upper_[2] = {}, lower_[2] = {};
};

/// A x
template <int R, int C>
Block<R, 1> product_in_lanes(const Block<R, C>& A, const Block<C, 1>& x)
{
    BlockSum<R, C> sum;
    sum.add(A, x);
    return sum.value();
}

} // namespace stickslip
