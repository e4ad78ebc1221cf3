#pragma once

#include "stickslip/math/types.h"

#include <array>
#include <map>
#include <vector>

namespace stickslip {

/// Two boxes of half edges `half` overlap in more than a face, an edge or a corner (separating axes).
bool boxes_overlap(const Vec3& half, const Frame& a, const Frame& b);

/// Boxes (or balls) of one size that do not overlap. Looks up neighbours in a grid of cells: the time for one does not
/// grow with their number.
class PlacedBoxes {
public:
    /// ball: spheres of radius half.x().
    PlacedBoxes(const Vec3& half, bool ball)
        : half_(half)
        , ball_(ball)
        , reach_(ball ? half.x() : half.norm())
    {
    }

    /// Adds it unless it overlaps another.
    bool try_to_add(const Frame& frame);

private:
    using Cell = std::array<long long, 3>;

    Vec3 half_;
    bool ball_;
    double reach_; // [m] radius of the sphere around one
    std::map<Cell, std::vector<Frame>> cells_; // edge 2 reach_: overlap with neighbours only
};

} // namespace stickslip
