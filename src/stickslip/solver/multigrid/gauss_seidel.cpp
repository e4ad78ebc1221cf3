#include "stickslip/solver/multigrid/gauss_seidel.h"

#include "stickslip/math/parallel_lanes.h"

#include <Eigen/LU>

namespace stickslip {

int colour_rows(std::span<const int> begin, std::span<const int> column, std::vector<int>& colour)
{
    const std::size_t rows = begin.size() - 1;
    colour.assign(rows, -1);
    std::vector<int> last_seen;
    for (std::size_t i = 0; i < rows; ++i) {
        for (int k = begin[i]; k < begin[i + 1]; ++k)
            if (const int c = colour[column[k]]; c >= 0)
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

template <int N>
void GaussSeidel<N>::order_rows(const BlockRowsView<N, N>& A)
{
    std::vector<int> colour;
    colour_begin_.assign(colour_rows(A.begin, A.column, colour) + 1, 0);
    for (const int c : colour)
        ++colour_begin_[c + 1];
    for (std::size_t c = 1; c < colour_begin_.size(); ++c)
        colour_begin_[c] += colour_begin_[c - 1];
    rows_.resize(A.rows());
    diagonal_place_.resize(A.rows());
    std::vector<int> next(colour_begin_.begin(), colour_begin_.end() - 1);
    for (int i = 0; i < A.rows(); ++i) {
        const int k = next[colour[i]]++;
        rows_[k] = i;
        const auto row = A.column.subspan(A.begin[i], A.begin[i + 1] - A.begin[i]);
        diagonal_place_[k] = A.begin[i] + static_cast<int>(std::lower_bound(row.begin(), row.end(), i) - row.begin());
    }
    for (Triangle* triangle : {&lower_, &upper_}) {
        *triangle = {};
        triangle->begin.push_back(0);
        for (const int i : rows_) {
            for (int k = A.begin[i]; k < A.begin[i + 1]; ++k) {
                const int other = colour[A.column[k]];
                if (triangle == &lower_ ? other < colour[i] : other > colour[i]) {
                    triangle->column.push_back(A.column[k]);
                    triangle->source.push_back(k);
                }
            }
            triangle->begin.push_back(static_cast<int>(triangle->column.size()));
        }
    }
    row_begin_.assign(A.begin.begin(), A.begin.end());
    column_.assign(A.column.begin(), A.column.end());
}

template <int N>
void GaussSeidel<N>::update(const BlockRowsView<N, N>& A)
{
    if (!std::equal(A.begin.begin(), A.begin.end(), row_begin_.begin(), row_begin_.end())
        || !std::equal(A.column.begin(), A.column.end(), column_.begin(), column_.end()))
        order_rows(A);
    for (Triangle* triangle : {&lower_, &upper_}) {
        triangle->value.resize(triangle->source.size());
        parallel_for(
            triangle->source.size(), [&](std::size_t k) { triangle->value[k] = A.value[triangle->source[k]]; }, 4096);
    }
    diagonal_.resize(rows());
    inverse_.resize(rows());
    parallel_for(rows(), [&](std::size_t k) {
        diagonal_[k] = A.value[diagonal_place_[k]];
        inverse_[k] = diagonal_[k].inverse();
    });
    singular_.clear();
    for (std::size_t k = 0; k < rows(); ++k)
        if (!inverse_[k].allFinite()) { // neither mass nor stiffness in some direction
            inverse_[k].setIdentity();
            singular_.push_back(k);
        }
}

template <int N>
template <typename Body>
void GaussSeidel<N>::for_rows(std::size_t colour, const Body& body) const
{
    const int begin = colour_begin_[colour];
    parallel_for_lanes(colour_begin_[colour + 1] - begin, [&](std::size_t n) { body(begin + n, rows_[begin + n]); });
}

template <int N>
void GaussSeidel<N>::forward(const Blocks<N>& r, Blocks<N>& t) const
{
    const auto lower = lower_.view();
    t.resize(r.size());
    for (std::size_t c = 0; c < colours(); ++c)
        for_rows(c,
            [&](std::size_t k, int i) { t[i] = product_in_lanes<N, N>(inverse_[k], r[i] - row_times(lower, k, t)); });
}

template <int N>
void GaussSeidel<N>::backward(const Blocks<N>& t, Blocks<N>& z) const
{
    const auto upper = upper_.view();
    z.resize(t.size());
    for (std::size_t c = colours(); c-- > 0;)
        for_rows(c,
            [&](std::size_t k, int i) { z[i] = t[i] - product_in_lanes<N, N>(inverse_[k], row_times(upper, k, z)); });
}

template <int N>
void GaussSeidel<N>::relax_backward(const Blocks<N>& r, Blocks<N>& z) const
{
    const auto lower = lower_.view();
    const auto upper = upper_.view();
    for (std::size_t c = colours(); c-- > 0;)
        for_rows(c, [&](std::size_t k, int i) {
            z[i] = product_in_lanes<N, N>(inverse_[k], r[i] - row_times(lower, k, z) - row_times(upper, k, z));
        });
}

template <int N>
void GaussSeidel<N>::residual_after_forward(const Blocks<N>& t, Blocks<N>& s) const
{
    const auto upper = upper_.view();
    s.resize(t.size());
    parallel_for_lanes(t.size(), [&](std::size_t k) { s[rows_[k]] = -row_times(upper, k, t); });
    for (const std::size_t k : singular_) {
        const int i = rows_[k];
        s[i] += t[i] - diagonal_[k] * t[i];
    }
}

template <int N>
void GaussSeidel<N>::multiply_after_backward(const Blocks<N>& t, const Blocks<N>& z, Blocks<N>& Az) const
{
    const auto lower = lower_.view();
    Az.resize(z.size());
    parallel_for_lanes(z.size(), [&](std::size_t k) {
        const int i = rows_[k];
        Az[i] = product_in_lanes<N, N>(diagonal_[k], t[i]) + row_times(lower, k, z);
    });
    for (const std::size_t k : singular_) {
        const Block<N, 1> rest = z[rows_[k]] - t[rows_[k]];
        Az[rows_[k]] += diagonal_[k] * rest - rest;
    }
}

template <int N>
void GaussSeidel<N>::multiply_after_relaxing(
    const Blocks<N>& r, const Blocks<N>& before, const Blocks<N>& z, Blocks<N>& Az) const
{
    const auto lower = lower_.view();
    Blocks<N> change(z.size());
    parallel_for(z.size(), [&](std::size_t i) { change[i] = z[i] - before[i]; });
    Az.resize(z.size());
    parallel_for_lanes(z.size(), [&](std::size_t k) {
        const int i = rows_[k];
        Az[i] = r[i] + row_times(lower, k, change);
    });
    for (const std::size_t k : singular_) {
        const int i = rows_[k];
        Az[i] += diagonal_[k] * z[i] - z[i];
    }
}

template class GaussSeidel<3>;
template class GaussSeidel<6>;

} // namespace stickslip
