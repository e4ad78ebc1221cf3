#include "stickslip/geometry/queries/tet_search.h"

#include "stickslip/geometry/mesh/tet_mesh.h"

namespace stickslip {

void TetSearch::place(std::span<const Vec3> nodes)
{
    nodes_ = nodes;
    const bool is_first = boxes_.empty();
    boxes_.resize(tets_.size());
    for (std::size_t t = 0; t < tets_.size(); ++t) {
        boxes_[t] = {};
        for (const int i : tets_[t])
            boxes_[t].add(nodes[i]);
    }
    if (is_first)
        tree_ = BoxTree(boxes_);
    else
        tree_.refit(boxes_);
}

bool TetSearch::contains(const Vec3& x) const
{
    const auto holds = [&](const Tetrahedron& t) {
        const Vec3 &a = nodes_[t[0]], &b = nodes_[t[1]], &c = nodes_[t[2]], &d = nodes_[t[3]];
        const double volume = tet_volume(a, b, c, d);
        for (const double part :
            {tet_volume(x, b, c, d), tet_volume(a, x, c, d), tet_volume(a, b, x, d), tet_volume(a, b, c, x)})
            if (part * volume < 0)
                return false;
        return volume != 0;
    };
    bool found = false;
    tree_.visit_overlapping({x, x}, [&](int t) { found = found || (boxes_[t].contains(x) && holds(tets_[t])); });
    return found;
}

} // namespace stickslip
