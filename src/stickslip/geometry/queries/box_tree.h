#pragma once

#include "stickslip/math/types.h"

#include <array>
#include <utility>
#include <vector>

namespace stickslip {

/// Binary tree over axis-aligned boxes for searching by box and for the nearest item. The boxes decide the tree,
/// whatever the thread.
class BoxTree {
public:
    struct Nearest {
        int item = -1; // -1: none within the bound
        double squared = infinity; // [m^2] distance
    };

    BoxTree() = default;

    /// Item i is boxes[i]. O(n log n): halves the items by their centres along the longest side until `leaf_size` are
    /// left.
    explicit BoxTree(const std::vector<Bounds>& boxes);

    /// Moves the boxes and keeps the tree: O(n), right for any motion and fast while neighbours stay neighbours. Same
    /// number of boxes.
    void refit(const std::vector<Bounds>& boxes);

    /// Box around all items; empty without items.
    Bounds bounds() const { return nodes_.empty() ? Bounds{} : nodes_.front().box; }

    /// Calls visit(item) for every item whose leaf overlaps the box: all items that overlap it and a few that do not.
    template <typename Visit>
    void visit_overlapping(const Bounds& box, const Visit& visit) const;

    /// Item with the least squared_distance(item) [m^2] among those below `bound` [m^2]; an item must not be nearer
    /// than its box. Among equals, the first one met.
    template <typename SquaredDistance>
    Nearest nearest(const Vec3& x, const SquaredDistance& squared_distance, double bound = infinity) const;

private:
    struct Node {
        Bounds box;
        int first = 0; // leaf: first of its items in items_; inner: its right child (the left one is the next node)
        int count = 0; // items of a leaf; 0: inner
    };

    static constexpr int leaf_size = 4;
    static constexpr int max_depth = 40; // halving 2^31 items down to leaves

    void split(int begin, int end, const std::vector<Bounds>& boxes);
    Bounds leaf_box(const Node& leaf, const std::vector<Bounds>& boxes) const;

    static double squared_distance_to(const Bounds& box, const Vec3& x)
    {
        return (x - x.cwiseMax(box.min).cwiseMin(box.max)).squaredNorm();
    }

    std::vector<Node> nodes_; // depth first: children after their parent
    std::vector<int> items_;
};

template <typename Visit>
void BoxTree::visit_overlapping(const Bounds& box, const Visit& visit) const
{
    std::array<int, max_depth> waiting;
    int depth = 0;
    if (!nodes_.empty())
        waiting[depth++] = 0;
    while (depth > 0) {
        const int at = waiting[--depth];
        const Node& node = nodes_[at];
        if (!node.box.overlaps(box))
            continue;
        if (node.count > 0) {
            for (int i = node.first; i < node.first + node.count; ++i)
                visit(items_[i]);
        } else {
            waiting[depth++] = node.first;
            waiting[depth++] = at + 1;
        }
    }
}

template <typename SquaredDistance>
BoxTree::Nearest BoxTree::nearest(const Vec3& x, const SquaredDistance& squared_distance, double bound) const
{
    Nearest best{.item = -1, .squared = bound};
    std::array<std::pair<int, double>, max_depth> waiting; // node and squared distance to its box
    int depth = 0;
    if (!nodes_.empty())
        waiting[depth++] = {0, squared_distance_to(nodes_.front().box, x)};
    while (depth > 0) {
        const auto [at, least] = waiting[--depth];
        if (!(least < best.squared))
            continue;
        const Node& node = nodes_[at];
        if (node.count > 0) {
            for (int i = node.first; i < node.first + node.count; ++i) {
                const double squared = squared_distance(items_[i]);
                if (squared < best.squared)
                    best = {.item = items_[i], .squared = squared};
            }
            continue;
        }
        std::pair<int, double> near{at + 1, squared_distance_to(nodes_[at + 1].box, x)};
        std::pair<int, double> far{node.first, squared_distance_to(nodes_[node.first].box, x)};
        if (far.second < near.second)
            std::swap(near, far);
        waiting[depth++] = far;
        waiting[depth++] = near;
    }
    return best;
}

} // namespace stickslip
