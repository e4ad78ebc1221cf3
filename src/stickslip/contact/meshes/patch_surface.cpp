#include "stickslip/contact/meshes/patch_surface.h"

#include <algorithm>

namespace stickslip {

PatchSurface::PatchSurface(const TriMesh& rest, double thickness)
    : patches_(rest)
    , may_be_sunk_(0.25 * std::min(patches_.edge_length, thickness))
{
}

void PatchSurface::begin_step(const std::vector<Vec3>& x_old, const std::vector<Vec3>& x_next)
{
    const bool is_first = boxes_.empty();
    x_old_ = x_old;
    patches_.update(x_next);
    boxes_.assign(patches_.facets.size(), {});
    for (std::size_t f = 0; f < boxes_.size(); ++f)
        for (const int v : patches_.facets[f]) {
            boxes_[f].add(x_old_[v]);
            boxes_[f].add(x_next[v]);
        }
    if (is_first)
        tree_ = BoxTree(boxes_);
    else
        tree_.refit(boxes_);
}

} // namespace stickslip
