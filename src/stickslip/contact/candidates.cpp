#include "stickslip/contact/candidates.h"

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

std::vector<CandidatePair> find_candidates(const ContactBodies& bodies, std::span<const Bounds> box)
{
    // Boxes that just touch, to the last bit, are met: points flush with a face belong to it.
    constexpr double slack = 1e-6;
    std::vector<int> bounded, unbounded;
    std::vector<Bounds> boxes;
    for (int s = bodies.first_rigid(); s < bodies.count(); ++s) {
        const Vec3 size = box[s].max - box[s].min;
        if (!size.allFinite()) {
            unbounded.push_back(s);
            continue;
        }
        const Vec3 margin = Vec3::Constant(slack * size.norm());
        bounded.push_back(s);
        boxes.push_back({box[s].min - margin, box[s].max + margin});
    }
    const BoxTree tree(boxes);
    std::vector<CandidatePair> pairs;
    for (int p = 0; p < bodies.count(); ++p) {
        if (bodies.points(p) == 0)
            continue;
        const auto add = [&](int s) {
            if (bodies.is_pair(p, s))
                pairs.push_back({p, s});
        };
        const std::size_t first = pairs.size();
        tree.visit_overlapping(box[p], [&](int i) {
            if (boxes[i].overlaps(box[p]))
                add(bounded[i]);
        });
        for (const int s : unbounded)
            add(s);
        std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(first), pairs.end());
    }
    return pairs;
}

} // namespace stickslip
