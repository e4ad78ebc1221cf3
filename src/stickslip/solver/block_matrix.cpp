#include "stickslip/solver/block_matrix.h"

#include "stickslip/math/check.h"
#include "stickslip/math/parallel_lanes.h"
#include "stickslip/solver/block_sum.h"

#include <algorithm>

namespace stickslip {

int BlockPattern::find(int row, int col) const
{
    const auto begin = column.begin() + row_begin[row];
    const auto end = column.begin() + row_begin[row + 1];
    const auto it = std::lower_bound(begin, end, col);
    return it != end && *it == col ? static_cast<int>(it - column.begin()) : -1;
}

namespace {

// Where the transposed and the diagonal blocks stand, from rows and columns: rows in order meet the blocks of a column
// from its top down, which are those of the row of that number from left to right.
void find_places(BlockPattern& p)
{
    p.transposed.resize(p.blocks());
    p.diagonal.resize(p.rows());
    std::vector<int> next(p.row_begin.begin(), p.row_begin.end() - 1);
    for (std::size_t i = 0; i < p.rows(); ++i)
        for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k) {
            p.transposed[k] = next[p.column[k]]++;
            if (p.column[k] == static_cast<int>(i))
                p.diagonal[i] = k;
        }
}

} // namespace

BlockPattern make_pattern(const std::vector<std::vector<int>>& columns)
{
    BlockPattern p;
    p.row_begin.push_back(0);
    for (const auto& list : columns) {
        p.column.insert(p.column.end(), list.begin(), list.end());
        p.row_begin.push_back(static_cast<int>(p.column.size()));
    }
    find_places(p);
    return p;
}

BlockPattern side_by_side(const BlockPattern& a, const BlockPattern& b)
{
    BlockPattern p = a;
    if (p.row_begin.empty())
        p.row_begin.push_back(0);
    const int rows = static_cast<int>(a.rows()), blocks = static_cast<int>(a.blocks());
    for (std::size_t i = 1; i < b.row_begin.size(); ++i)
        p.row_begin.push_back(b.row_begin[i] + blocks);
    for (const int c : b.column)
        p.column.push_back(c + rows);
    for (const int k : b.transposed)
        p.transposed.push_back(k + blocks);
    for (const int k : b.diagonal)
        p.diagonal.push_back(k + blocks);
    return p;
}

BlockPattern make_pattern(std::size_t rows, const std::vector<std::vector<int>>& groups)
{
    std::vector<std::vector<int>> neighbours(rows);
    for (std::size_t i = 0; i < rows; ++i)
        neighbours[i].push_back(static_cast<int>(i));
    for (const auto& group : groups)
        for (const int i : group)
            neighbours[i].insert(neighbours[i].end(), group.begin(), group.end());

    for (auto& list : neighbours) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return make_pattern(neighbours);
}

BlockPattern with_couplings(const BlockPattern& pattern, const std::vector<std::pair<int, int>>& pairs)
{
    std::vector<std::pair<int, int>> entries;
    for (const auto& [i, j] : pairs) {
        entries.push_back({i, j});
        entries.push_back({j, i});
    }
    std::sort(entries.begin(), entries.end());
    BlockPattern p;
    p.row_begin.push_back(0);
    p.column.reserve(pattern.blocks() + entries.size());
    auto next = entries.begin();
    for (std::size_t i = 0; i < pattern.rows(); ++i) {
        const auto first = next;
        while (next != entries.end() && next->first == static_cast<int>(i))
            ++next;
        const auto own = pattern.column.begin() + pattern.row_begin[i];
        const auto own_end = pattern.column.begin() + pattern.row_begin[i + 1];
        const auto begin = static_cast<std::ptrdiff_t>(p.column.size());
        p.column.insert(p.column.end(), own, own_end);
        for (auto it = first; it != next; ++it)
            p.column.push_back(it->second);
        std::inplace_merge(p.column.begin() + begin, p.column.begin() + begin + (own_end - own), p.column.end());
        p.row_begin.push_back(static_cast<int>(p.column.size()));
    }
    find_places(p);
    return p;
}

void BlockMatrix::multiply(const BlockVector& x, BlockVector& y) const
{
    STICKSLIP_ASSERT(x.size() == pattern.rows() && &x != &y);
    y.resize(x.size());
    parallel_for_lanes(y.size(), [&](std::size_t i) {
        BlockSum<3, 3> sum;
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k)
            sum.add(value[k], x[pattern.column[k]]);
        y[i] = sum.value();
    });
}

// Scatters in row order on one thread: gathering the blocks of the other triangle in parallel jumps through memory and
// is three times slower on two threads (bench/product_bench.cpp). It is needed once in a Newton iteration.
void BlockMatrix::multiply_transpose(const BlockVector& x, BlockVector& y) const
{
    STICKSLIP_ASSERT(x.size() == pattern.rows() && &x != &y);
    y.assign(x.size(), Vec3::Zero());
    for (std::size_t i = 0; i < x.size(); ++i)
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k)
            y[pattern.column[k]].noalias() += value[k].transpose() * x[i];
}

} // namespace stickslip
