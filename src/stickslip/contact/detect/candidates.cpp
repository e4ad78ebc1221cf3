#include "stickslip/contact/detect/candidates.h"

#include <algorithm>

namespace stickslip {

Bounds placed(const Bounds& local, const Frame& frame)
{
    const Vec3 size = local.max - local.min;
    if (!size.allFinite())
        return {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
    const Vec3 centre = frame.to_world(0.5 * (local.min + local.max));
    const Vec3 half = frame.R.cwiseAbs() * (0.5 * size);
    return {centre - half, centre + half};
}

namespace {

// Boxes that just touch, to the last bit, are met: points flush with a face belong to it.
Bounds with_slack(const Bounds& box)
{
    constexpr double slack = 1e-6;
    return box.grown(slack * (box.max - box.min).norm());
}

} // namespace

bool boxes_meet(const Bounds& points, const Bounds& surface)
{
    return points.is_finite() && (!surface.is_finite() || with_slack(surface).overlaps(points));
}

// Of two bodies either may be the point side.
std::vector<CandidatePair> BroadPhase::find(std::span<const Bounds> box) const
{
    std::vector<Bounds> wide(box.size()); // empty for unbounded bodies
    std::vector<int> unbounded;
    for (int b = 0; b < static_cast<int>(box.size()); ++b)
        if (box[b].is_finite())
            wide[b] = with_slack(box[b]);
        else
            unbounded.push_back(b);
    const BoxTree tree(wide);
    std::vector<CandidatePair> pairs;
    const auto add = [&](int point, int surface) {
        if ((bodies_.points(point) > 0 || bodies_.is_deformable(surface)) && bodies_.is_pair(point, surface))
            pairs.push_back({point, surface});
    };
    for (int a = 0; a < static_cast<int>(box.size()); ++a) {
        if (!box[a].is_finite())
            continue;
        const auto first = static_cast<std::ptrdiff_t>(pairs.size());
        tree.visit_overlapping(wide[a], [&](int b) {
            if (a != b && box[b].is_finite() && wide[b].overlaps(box[a])) // the tree knows no place of unbounded ones
                add(a, b);
        });
        for (const int surface : unbounded)
            add(a, surface);
        std::sort(pairs.begin() + first, pairs.end());
    }
    return pairs;
}

} // namespace stickslip
