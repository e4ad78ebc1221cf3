#include "stickslip/contact/meshes/patch_view.h"

#include <algorithm>

namespace stickslip {

namespace {

constexpr double on_edge = 1e-12; // [-] weight

/// Calls visit(neighbour, weight) for each inner side that a place is beyond.
template <typename Visit>
void for_each_beyond(const SmoothPatches& patches, int facet, const Vec3& w, const Visit& visit)
{
    for (int i = 0; i < 3; ++i)
        if (const int g = patches.across[facet][(i + 1) % 3]; w[i] < -on_edge && g >= 0)
            visit(g, w[i]);
}

} // namespace

bool PatchWalk::at(const SmoothPatches& patches, int facet, const Vec3& w)
{
    met_[count_++] = facet;
    double outside = 0, least = 0;
    next_ = -1;
    for_each_beyond(patches, facet, w, [&](int g, double weight) {
        outside = std::min(outside, weight);
        if (weight < least && std::find(met_.begin(), met_.begin() + count_, g) == met_.begin() + count_) {
            least = weight;
            next_ = g;
        }
    });
    if (outside > outside_) {
        outside_ = outside;
        best_ = facet;
    }
    return next_ >= 0 && count_ < limit;
}

} // namespace stickslip
