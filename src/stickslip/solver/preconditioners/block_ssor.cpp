#include "stickslip/solver/preconditioners/block_ssor.h"

#include "stickslip/math/parallel.h"

#include <Eigen/LU>

namespace stickslip {

namespace {

// Greedy, in row order: the smallest colour that no neighbour has yet. Returns the number of colours.
int colour_rows(const BlockPattern& p, std::vector<int>& colour)
{
    colour.assign(p.rows(), -1);
    std::vector<int> last_seen;
    for (std::size_t i = 0; i < p.rows(); ++i) {
        for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k)
            if (const int c = colour[p.column[k]]; c >= 0)
                last_seen[c] = static_cast<int>(i);
        int c = 0;
        while (c < static_cast<int>(last_seen.size()) && last_seen[c] == static_cast<int>(i))
            ++c;
        if (c == static_cast<int>(last_seen.size()))
            last_seen.push_back(-1);
        colour[i] = c;
    }
    return static_cast<int>(last_seen.size());
}

} // namespace

void BlockSsor::Triangle::add_row(const BlockPattern& p, int row, const std::vector<int>& colour, bool lower)
{
    for (int k = p.row_begin[row]; k < p.row_begin[row + 1]; ++k) {
        const int other = colour[p.column[k]];
        if (lower ? other < colour[row] : other > colour[row]) {
            column.push_back(p.column[k]);
            source.push_back(k);
        }
    }
    begin.push_back(static_cast<int>(column.size()));
}

void BlockSsor::Triangle::copy_values(const BlockMatrix& A)
{
    value.resize(source.size());
    parallel_for(
        source.size(), [&](std::size_t k) { value[k] = A.value[source[k]]; }, 4096);
}

Vec3 BlockSsor::Triangle::row_times(std::size_t k, const BlockVector& x) const
{
    Vec3 sum = Vec3::Zero();
    for (int b = begin[k]; b < begin[k + 1]; ++b)
        sum.noalias() += value[b] * x[column[b]];
    return sum;
}

void BlockSsor::order_rows(const BlockPattern& p)
{
    std::vector<int> colour;
    colour_begin_.assign(colour_rows(p, colour) + 1, 0);
    for (const int c : colour)
        ++colour_begin_[c + 1];
    for (std::size_t c = 1; c < colour_begin_.size(); ++c)
        colour_begin_[c] += colour_begin_[c - 1];
    rows_.resize(p.rows());
    std::vector<int> next(colour_begin_.begin(), colour_begin_.end() - 1);
    for (std::size_t i = 0; i < p.rows(); ++i)
        rows_[next[colour[i]]++] = static_cast<int>(i);
    for (Triangle* triangle : {&lower_, &upper_}) {
        *triangle = {};
        triangle->begin.push_back(0);
        for (const int row : rows_)
            triangle->add_row(p, row, colour, triangle == &lower_);
    }
    row_begin_ = p.row_begin;
    column_ = p.column;
}

void BlockSsor::update(const BlockMatrix& A)
{
    if (A.pattern.row_begin != row_begin_ || A.pattern.column != column_)
        order_rows(A.pattern);
    lower_.copy_values(A);
    upper_.copy_values(A);
    const std::size_t rows = A.pattern.rows();
    diagonal_.resize(rows);
    pivot_.resize(rows);
    inverse_pivot_.resize(rows);
    parallel_for(rows, [&](std::size_t i) {
        diagonal_[i] = A.value[A.pattern.diagonal[i]];
        inverse_pivot_[i] = diagonal_[i].inverse();
        pivot_[i] = diagonal_[i];
        if (!inverse_pivot_[i].allFinite()) // neither mass nor stiffness in some direction: such a row is left alone
            pivot_[i] = inverse_pivot_[i] = Mat3::Identity();
    });
}

void BlockSsor::sweep_forward(const BlockVector& r, BlockVector& t) const
{
    t.resize(r.size());
    for (std::size_t c = 0; c + 1 < colour_begin_.size(); ++c) {
        const int begin = colour_begin_[c];
        parallel_for(colour_begin_[c + 1] - begin, [&](std::size_t n) {
            const std::size_t k = begin + n;
            const int i = rows_[k];
            t[i] = inverse_pivot_[i] * (r[i] - lower_.row_times(k, t));
        });
    }
}

void BlockSsor::sweep_backward(const BlockVector& t, BlockVector& z) const
{
    z.resize(t.size());
    for (std::size_t c = colour_begin_.size() - 1; c-- > 0;) {
        const int begin = colour_begin_[c];
        parallel_for(colour_begin_[c + 1] - begin, [&](std::size_t n) {
            const std::size_t k = begin + n;
            const int i = rows_[k];
            z[i] = t[i] - inverse_pivot_[i] * upper_.row_times(k, z);
        });
    }
}

void BlockSsor::apply(const BlockVector& r, BlockVector& z) const
{
    BlockVector t;
    sweep_forward(r, t);
    sweep_backward(t, z);
}

void BlockSsor::apply_and_multiply(const BlockMatrix&, const BlockVector& r, BlockVector& z, BlockVector& Az) const
{
    BlockVector t;
    sweep_forward(r, t);
    sweep_backward(t, z);
    Az.resize(r.size());
    parallel_for(r.size(), [&](std::size_t k) {
        const int i = rows_[k];
        Az[i] = lower_.row_times(k, z) + diagonal_[i] * z[i] + pivot_[i] * (t[i] - z[i]);
    });
}

} // namespace stickslip
