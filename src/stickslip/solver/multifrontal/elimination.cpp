#include "stickslip/solver/multifrontal/elimination.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <algorithm>
#include <utility>

namespace stickslip {

namespace {

std::vector<int> minimum_degree(const BlockPattern& pattern)
{
    const int n = static_cast<int>(pattern.rows());
    const std::vector<double> ones(pattern.blocks(), 1);
    const Eigen::Map<const Eigen::SparseMatrix<double>> graph(n, n, static_cast<Eigen::Index>(pattern.blocks()),
        pattern.row_begin.data(), pattern.column.data(), ones.data());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
    Eigen::AMDOrdering<int>()(Eigen::SparseMatrix<double>(graph), permutation);
    const auto& indices = permutation.indices();
    return {indices.data(), indices.data() + n};
}

std::vector<int> inverted(const std::vector<int>& order)
{
    std::vector<int> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        place[order[k]] = static_cast<int>(k);
    return place;
}

// Of each pivot: the first later one that it couples to once all before are eliminated; -1: none.
std::vector<int> elimination_tree(
    const BlockPattern& pattern, const std::vector<int>& order, const std::vector<int>& place)
{
    const int n = static_cast<int>(order.size());
    std::vector<int> parent(n, -1), ancestor(n, -1);
    for (int k = 0; k < n; ++k)
        for (int b = pattern.row_begin[order[k]]; b < pattern.row_begin[order[k] + 1]; ++b)
            for (int i = place[pattern.column[b]], next; i >= 0 && i < k; i = next) {
                next = std::exchange(ancestor[i], k);
                if (next < 0)
                    parent[i] = k;
            }
    return parent;
}

// Nodes of a forest, children before parents, subtrees together.
std::vector<int> postorder(const std::vector<int>& parent)
{
    const int n = static_cast<int>(parent.size());
    std::vector<int> first_child(n, -1), sibling(n, -1), order, stack;
    for (int k = n - 1; k >= 0; --k)
        if (parent[k] >= 0)
            sibling[k] = std::exchange(first_child[parent[k]], k);
    order.reserve(n);
    for (int root = 0; root < n; ++root) {
        if (parent[root] >= 0)
            continue;
        stack.push_back(root);
        while (!stack.empty()) {
            const int top = stack.back();
            if (const int child =
                    std::exchange(first_child[top], first_child[top] < 0 ? -1 : sibling[first_child[top]]);
                child >= 0) {
                stack.push_back(child);
            } else {
                order.push_back(top);
                stack.pop_back();
            }
        }
    }
    return order;
}

// Later pivots that each couples to once all before it are eliminated, ascending.
std::vector<std::vector<int>> later_pivots(
    const BlockPattern& pattern, const std::vector<int>& order, const std::vector<int>& place)
{
    const int n = static_cast<int>(order.size());
    std::vector<std::vector<int>> later(n), children(n);
    std::vector<int> seen(n, -1);
    for (int k = 0; k < n; ++k) {
        const auto add = [&](int i) {
            if (i > k && std::exchange(seen[i], k) != k)
                later[k].push_back(i);
        };
        for (int b = pattern.row_begin[order[k]]; b < pattern.row_begin[order[k] + 1]; ++b)
            add(place[pattern.column[b]]);
        for (const int child : children[k])
            std::for_each(later[child].begin(), later[child].end(), add);
        std::sort(later[k].begin(), later[k].end());
        if (!later[k].empty())
            children[later[k].front()].push_back(k);
    }
    return later;
}

// Neighbours in the order make one group where few zeros are stored for that: fewer and larger fronts are faster.
class Grouping {
public:
    explicit Grouping(const std::vector<std::vector<int>>& later)
        : later_(later)
    {
        for (const std::vector<int>& rows : later)
            full_.push_back(full_.back() + 1 + static_cast<double>(rows.size()));
    }

    // Pivots [first, middle) and [middle, last).
    bool joins(int first, int middle, int last) const
    {
        constexpr int few = 4; // pivots
        constexpr double share = 0.15;
        const std::vector<int>& rows = later_[middle - 1];
        if (rows.empty() || rows.front() >= last)
            return false;
        const double pivots = last - first, size = pivots + static_cast<double>(later_[last - 1].size());
        const double stored = pivots * size - 0.5 * pivots * (pivots - 1);
        return pivots <= few || stored - (full_[last] - full_[first]) <= share * stored;
    }

private:
    const std::vector<std::vector<int>>& later_;
    std::vector<double> full_{0}; // blocks of the columns of U before each pivot
};

} // namespace

Elimination make_elimination(const BlockPattern& pattern)
{
    const int n = static_cast<int>(pattern.rows());
    Elimination e;
    e.order = minimum_degree(pattern);
    e.place = inverted(e.order);
    const std::vector<int> sorted = postorder(elimination_tree(pattern, e.order, e.place));
    std::vector<int> order(n);
    for (int k = 0; k < n; ++k)
        order[k] = e.order[sorted[k]];
    e.order = std::move(order);
    e.place = inverted(e.order);
    const std::vector<std::vector<int>> later = later_pivots(pattern, e.order, e.place);
    const Grouping grouping(later);
    for (int k = 0; k < n; ++k) {
        int first = k;
        while (!e.groups.empty() && grouping.joins(e.groups.back().first, first, k + 1)) {
            first = e.groups.back().first;
            e.groups.pop_back();
        }
        e.groups.push_back({first, k + 1, 0, 0, -1});
    }
    std::vector<int> group_of(n);
    for (std::size_t s = 0; s < e.groups.size(); ++s)
        std::fill(group_of.begin() + e.groups[s].first, group_of.begin() + e.groups[s].last, static_cast<int>(s));
    for (Elimination::Group& g : e.groups) {
        const std::vector<int>& rows = later[g.last - 1];
        g.rows_begin = static_cast<int>(e.rows.size());
        e.rows.insert(e.rows.end(), rows.begin(), rows.end());
        g.rows_end = static_cast<int>(e.rows.size());
        g.parent = rows.empty() ? -1 : group_of[rows.front()];
    }
    return e;
}

} // namespace stickslip
