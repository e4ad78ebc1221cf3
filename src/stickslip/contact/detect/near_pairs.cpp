#include "stickslip/contact/detect/near_pairs.h"

#include <algorithm>

namespace stickslip {

namespace {

bool holds(const Bounds& roomy, const Bounds& box)
{
    return roomy.is_finite() == box.is_finite()
        && (!box.is_finite() || (roomy.contains(box.min) && roomy.contains(box.max)));
}

} // namespace

bool NearPairs::update(std::span<const Bounds> box, std::span<const int> moved)
{
    const bool is_first = roomy_.size() != box.size();
    roomy_.resize(box.size());
    const auto has_left = [&](int body) { return !holds(roomy_[body], box[body]); };
    if (!is_first && std::none_of(moved.begin(), moved.end(), has_left))
        return false;
    for (int body = 0; body < static_cast<int>(box.size()); ++body)
        if (is_first || has_left(body))
            make_room(body, box[body]);
    pairs_ = broad_phase_.find(roomy_);
    return true;
}

// What has come far since the last list goes on, or back: it gets as much room as it came, within limits, for a trial
// may throw it anywhere.
void NearPairs::make_room(int body, const Bounds& box)
{
    constexpr double least = 0.1; // of the size
    Bounds& roomy = roomy_[body];
    if (!box.is_finite()) {
        roomy = box;
        return;
    }
    const double size = (box.max - box.min).norm();
    const double way = roomy.is_finite() ? 0.5 * (box.min + box.max - roomy.min - roomy.max).norm() : 0;
    roomy = box.grown(least * size + std::min(way, size));
}

} // namespace stickslip
