#include "stickslip/geometry/queries/box_tree.h"

#include "stickslip/math/check.h"

#include <algorithm>
#include <numeric>

namespace stickslip {

BoxTree::BoxTree(const std::vector<Bounds>& boxes)
{
    items_.resize(boxes.size());
    std::iota(items_.begin(), items_.end(), 0);
    if (!boxes.empty())
        split(0, static_cast<int>(boxes.size()), boxes);
}

void BoxTree::split(int begin, int end, const std::vector<Bounds>& boxes)
{
    const auto at = nodes_.size();
    nodes_.emplace_back();
    if (end - begin <= leaf_size) {
        nodes_[at].first = begin;
        nodes_[at].count = end - begin;
        nodes_[at].box = leaf_box(nodes_[at], boxes);
        return;
    }
    // Twice the centre: only the order matters.
    Bounds centres;
    for (int i = begin; i < end; ++i)
        centres.add(boxes[items_[i]].min + boxes[items_[i]].max);
    int axis = 0;
    (centres.max - centres.min).maxCoeff(&axis);
    const int middle = begin + (end - begin) / 2;
    const auto key = [&](int item) { return std::pair(boxes[item].min[axis] + boxes[item].max[axis], item); };
    std::nth_element(items_.begin() + begin, items_.begin() + middle, items_.begin() + end,
        [&](int i, int j) { return key(i) < key(j); });
    split(begin, middle, boxes);
    const int right = static_cast<int>(nodes_.size());
    split(middle, end, boxes);
    nodes_[at].first = right;
    nodes_[at].box = nodes_[at + 1].box;
    nodes_[at].box.add(nodes_[right].box.min);
    nodes_[at].box.add(nodes_[right].box.max);
}

Bounds BoxTree::leaf_box(const Node& leaf, const std::vector<Bounds>& boxes) const
{
    Bounds box;
    for (int i = leaf.first; i < leaf.first + leaf.count; ++i) {
        box.add(boxes[items_[i]].min);
        box.add(boxes[items_[i]].max);
    }
    return box;
}

void BoxTree::refit(const std::vector<Bounds>& boxes)
{
    STICKSLIP_ASSERT(boxes.size() == items_.size());
    for (int at = static_cast<int>(nodes_.size()) - 1; at >= 0; --at) {
        Node& node = nodes_[at];
        if (node.count > 0) {
            node.box = leaf_box(node, boxes);
        } else {
            node.box = nodes_[at + 1].box;
            node.box.add(nodes_[node.first].box.min);
            node.box.add(nodes_[node.first].box.max);
        }
    }
}

} // namespace stickslip
