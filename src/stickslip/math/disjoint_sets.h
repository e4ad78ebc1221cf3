#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace stickslip {

/// Numbers 0 to count - 1 in sets that can be joined. A set is known by its least number.
class DisjointSets {
public:
    explicit DisjointSets(int count)
        : leader_(count)
        , size_(count, 1)
    {
        std::iota(leader_.begin(), leader_.end(), 0);
    }

    int leader(int i)
    {
        while (leader_[i] != i)
            i = leader_[i] = leader_[leader_[i]];
        return i;
    }

    int size(int i) { return size_[leader(i)]; }

    void join(int i, int j)
    {
        const auto [first, second] = std::minmax({leader(i), leader(j)});
        if (first == second)
            return;
        leader_[second] = first;
        size_[first] += size_[second];
    }

private:
    std::vector<int> leader_, size_;
};

} // namespace stickslip
