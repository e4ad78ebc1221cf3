#include "stickslip/solver/preconditioners/block_lu.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

constexpr double negligible_pivot = 1e-10; // of the largest entry

// Not finite where some entry is not.
double largest_entry(const BlockMatrix& A)
{
    double largest = 0;
    for (const Mat3& block : A.value)
        largest = std::max(largest, block.allFinite() ? block.cwiseAbs().maxCoeff() : infinity);
    return largest;
}

int size_of(const Elimination::Group& g)
{
    return 3 * g.blocks();
}
std::size_t schur_size(const Elimination::Group& g)
{
    const std::size_t left = size_of(g) - 3 * g.pivots();
    return left * left;
}

} // namespace

void BlockLu::analyse(const BlockPattern& pattern)
{
    elimination_ = make_elimination(pattern);
    const auto& groups = elimination_.groups;
    factors_.clear();
    children_.assign(groups.size(), {});
    position_.assign(pattern.rows(), 0);
    x_.assign(3 * pattern.rows(), 0);
    std::size_t values = 0, exchanges = 0, front = 0, stack = 0, highest = 0;
    for (std::size_t s = 0; s < groups.size(); ++s) {
        const Elimination::Group& g = groups[s];
        const std::size_t size = size_of(g), pivots = 3 * g.pivots();
        factors_.push_back({values, values + size * pivots, exchanges});
        values += size * pivots + pivots * (size - pivots);
        exchanges += pivots;
        front = std::max(front, Front::stride(static_cast<int>(size)) * size);
        for (const int child : children_[s])
            stack -= schur_size(groups[child]);
        stack += schur_size(g);
        highest = std::max(highest, stack);
        if (g.parent >= 0)
            children_[g.parent].push_back(static_cast<int>(s));
    }
    values_.resize(values);
    exchange_.resize(exchanges);
    front_.resize(front);
    stack_.resize(highest);
}

void BlockLu::add_entries(const BlockMatrix& A, const Elimination::Group& group, const Front& front)
{
    const BlockPattern& p = A.pattern;
    for (int k = group.first; k < group.last; ++k) {
        const int row = elimination_.order[k], at = 3 * position_[k];
        for (int b = p.row_begin[row]; b < p.row_begin[row + 1]; ++b) {
            const int other = elimination_.place[p.column[b]];
            if (other < group.first)
                continue;
            const int there = 3 * position_[other];
            const Mat3& right = A.value[b];
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 3; ++i)
                    front.column(there + j)[at + i] += right(i, j);
            if (other < group.last)
                continue;
            const Mat3& below = A.value[p.transposed[b]];
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 3; ++i)
                    front.column(at + j)[there + i] += below(i, j);
        }
    }
}

void BlockLu::add_child(const Elimination::Group& child, const double* schur, const Front& front)
{
    const std::span<const int> rows = elimination_.rows_of(child);
    for (const int column : rows)
        for (int j = 0; j < 3; ++j) {
            double* const to = front.column(3 * position_[column] + j);
            for (const int row : rows) {
                double* const entry = to + 3 * position_[row];
                for (int i = 0; i < 3; ++i)
                    entry[i] += schur[i];
                schur += 3;
            }
        }
}

void BlockLu::keep(const Elimination::Group& group, const Factor& factor, const Front& front)
{
    const int pivots = 3 * group.pivots();
    double* to = values_.data() + factor.left;
    for (int j = 0; j < front.size; ++j)
        to = std::copy_n(front.column(j), j < pivots ? front.size : pivots, to);
}

void BlockLu::update(const BlockMatrix& A)
{
    if (row_begin_ != A.pattern.row_begin || column_ != A.pattern.column) {
        analyse(A.pattern);
        row_begin_ = A.pattern.row_begin;
        column_ = A.pattern.column;
    }
    const double least = negligible_pivot * largest_entry(A);
    factored_ = std::isfinite(least) && least > 0;
    if (!factored_)
        return;
    const auto& groups = elimination_.groups;
    std::size_t stack = 0;
    for (std::size_t s = 0; s < groups.size(); ++s) {
        const Elimination::Group& g = groups[s];
        const Front front{front_.data(), size_of(g), 3 * g.pivots()};
        std::fill_n(front.value, static_cast<std::size_t>(front.stride()) * front.size, 0.0);
        for (int k = g.first; k < g.last; ++k)
            position_[k] = k - g.first;
        int at = g.pivots();
        for (const int row : elimination_.rows_of(g))
            position_[row] = at++;
        add_entries(A, g, front);
        for (auto child = children_[s].rbegin(); child != children_[s].rend(); ++child) {
            stack -= schur_size(groups[*child]);
            add_child(groups[*child], stack_.data() + stack, front);
        }
        eliminate(front, least, {exchange_.data() + factors_[s].exchange, static_cast<std::size_t>(front.pivots)});
        keep(g, factors_[s], front);
        for (int j = front.pivots; j < front.size; ++j) {
            std::copy_n(front.column(j) + front.pivots, front.size - front.pivots, stack_.data() + stack);
            stack += front.size - front.pivots;
        }
    }
}

void BlockLu::apply(const BlockVector& r, BlockVector& z) const
{
    if (!factored_) { // zero or not finite: no preconditioner is better than garbage
        z = r;
        return;
    }
    const auto& groups = elimination_.groups;
    const std::size_t n = r.size();
    for (std::size_t k = 0; k < n; ++k)
        Vec3::Map(x_.data() + 3 * k) = r[elimination_.order[k]];
    for (std::size_t s = 0; s < groups.size(); ++s) {
        const Elimination::Group& g = groups[s];
        const int pivots = 3 * g.pivots();
        double* const x = x_.data() + 3 * static_cast<std::size_t>(g.first);
        const int* const exchange = exchange_.data() + factors_[s].exchange;
        for (int k = 0; k < pivots; ++k)
            std::swap(x[k], x[exchange[k]]);
        const double* column = values_.data() + factors_[s].left;
        for (int k = 0; k < pivots; ++k, column += size_of(g)) {
            for (int i = k + 1; i < pivots; ++i)
                x[i] -= column[i] * x[k];
            const double* entry = column + pivots;
            for (const int row : elimination_.rows_of(g))
                for (int i = 0; i < 3; ++i)
                    x_[3 * static_cast<std::size_t>(row) + i] -= *entry++ * x[k];
        }
    }
    for (std::size_t s = groups.size(); s-- > 0;) {
        const Elimination::Group& g = groups[s];
        const int pivots = 3 * g.pivots();
        double* const x = x_.data() + 3 * static_cast<std::size_t>(g.first);
        const double* right = values_.data() + factors_[s].right;
        for (const int row : elimination_.rows_of(g))
            for (int i = 0; i < 3; ++i, right += pivots)
                for (int k = 0; k < pivots; ++k)
                    x[k] -= right[k] * x_[3 * static_cast<std::size_t>(row) + i];
        for (int k = pivots - 1; k >= 0; --k) {
            const double* const column = values_.data() + factors_[s].left + static_cast<std::size_t>(size_of(g)) * k;
            x[k] /= column[k];
            for (int i = 0; i < k; ++i)
                x[i] -= column[i] * x[k];
        }
    }
    z.resize(n);
    for (std::size_t k = 0; k < n; ++k)
        z[elimination_.order[k]] = Vec3::Map(x_.data() + 3 * k);
}

} // namespace stickslip
