#include "stickslip/scene/expand/copy_boxes.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

bool boxes_overlap(const Vec3& half, const Frame& a, const Frame& b)
{
    const Vec3 d = b.x - a.x;
    const auto separated = [&](const Vec3& axis) {
        const double reach =
            (a.R.transpose() * axis).cwiseAbs().dot(half) + (b.R.transpose() * axis).cwiseAbs().dot(half);
        return std::abs(axis.dot(d)) >= reach * (1 - 1e-12) && axis.squaredNorm() > 1e-12; // parallel edges: no axis
    };
    for (int i = 0; i < 3; ++i) {
        if (separated(a.R.col(i)) || separated(b.R.col(i)))
            return false;
        for (int j = 0; j < 3; ++j)
            if (separated(a.R.col(i).cross(b.R.col(j))))
                return false;
    }
    return true;
}

bool PlacedBoxes::try_to_add(const Frame& frame)
{
    Cell cell;
    for (int i = 0; i < 3; ++i)
        cell[i] = static_cast<long long>(std::floor(frame.x[i] / (2 * reach_)));
    const auto overlaps = [&](const Frame& other) {
        if ((other.x - frame.x).norm() >= 2 * reach_)
            return false;
        return ball_ || boxes_overlap(half_, frame, other);
    };
    for (long long i = -1; i <= 1; ++i)
        for (long long j = -1; j <= 1; ++j)
            for (long long k = -1; k <= 1; ++k) {
                const auto near = cells_.find({cell[0] + i, cell[1] + j, cell[2] + k});
                if (near != cells_.end() && std::any_of(near->second.begin(), near->second.end(), overlaps))
                    return false;
            }
    cells_[cell].push_back(frame);
    return true;
}

} // namespace stickslip
