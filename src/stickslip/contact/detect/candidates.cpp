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
    const Vec3 margin = Vec3::Constant(slack * (box.max - box.min).norm());
    return {box.min - margin, box.max + margin};
}

} // namespace

void BroadPhase::take(std::span<const Bounds> box)
{
    boxes_.resize(box.size());
    unbounded_.clear();
    for (int b = 0; b < static_cast<int>(box.size()); ++b) {
        const bool bounded = (box[b].max - box[b].min).allFinite();
        boxes_[b] = bounded ? with_slack(box[b]) : Bounds{};
        if (!bounded)
            unbounded_.push_back(b);
    }
}

void BroadPhase::settle(std::span<const Bounds> box)
{
    take(box);
    tree_.refit(boxes_);
}

// Of two bodies either may be the point side.
void BroadPhase::add(const Boxed& a, const Boxed& b, std::vector<CandidatePair>& pairs) const
{
    for (const auto& [point, surface] : {std::pair(a, b), std::pair(b, a)})
        if (bodies_.points(point.body) > 0 && surface.wide->overlaps(*point.box)
            && bodies_.is_pair(point.body, surface.body))
            pairs.push_back({point.body, surface.body});
}

void BroadPhase::add_unbounded(int body, std::vector<CandidatePair>& pairs) const
{
    for (const int surface : unbounded_)
        if (bodies_.points(body) > 0 && bodies_.is_pair(body, surface))
            pairs.push_back({body, surface});
}

std::vector<CandidatePair> BroadPhase::find(std::span<const Bounds> box)
{
    take(box);
    tree_ = BoxTree(boxes_);
    std::vector<CandidatePair> pairs;
    for (int a = 0; a < static_cast<int>(box.size()); ++a) {
        if (std::binary_search(unbounded_.begin(), unbounded_.end(), a))
            continue;
        tree_.visit_overlapping(boxes_[a], [&](int b) {
            if (a < b)
                add({a, &box[a], &boxes_[a]}, {b, &box[b], &boxes_[b]}, pairs);
        });
        add_unbounded(a, pairs);
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

std::vector<CandidatePair> BroadPhase::find_of(std::span<const int> part, std::span<const Bounds> box) const
{
    std::vector<Bounds> wide;
    for (const int a : part)
        wide.push_back(with_slack(box[a]));
    const BoxTree own_tree(wide);
    std::vector<CandidatePair> pairs;
    for (std::size_t i = 0; i < part.size(); ++i) {
        const Boxed a{part[i], &box[part[i]], &wide[i]};
        tree_.visit_overlapping(wide[i], [&](int b) {
            if (!std::binary_search(part.begin(), part.end(), b))
                add(a, {b, &box[b], &boxes_[b]}, pairs);
        });
        own_tree.visit_overlapping(wide[i], [&](int k) {
            if (a.body < part[k])
                add(a, {part[k], &box[part[k]], &wide[k]}, pairs);
        });
        add_unbounded(a.body, pairs);
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

} // namespace stickslip
