#pragma once

#include "stickslip/dem/bodies/point_contacts.h"
#include "stickslip/dem/walls/granular_wall.h"

#include <vector>

namespace stickslip {

/// Which materials touch which, the others pass through each other; takes these out of lists of what is near.
class TouchTable {
public:
    /// laws: of every two materials, row by row (pair_laws); refers to them.
    explicit TouchTable(const std::vector<PairLaw>& laws);

    bool touch(int a, int b) const { return laws_[static_cast<std::size_t>(a) * materials_ + b].touches; }

    /// material: of each sphere, by slots.
    void drop_passing(const std::vector<int>& material, NeighbourList& list) const;
    void drop_passing(const std::vector<int>& material, int wall_material, NearWall& near) const;
    void drop_passing(const std::vector<GranularWall>& walls, std::vector<PointPlace>& near) const;

private:
    const std::vector<PairLaw>& laws_;
    std::size_t materials_;
    bool all_; // touch all
};

} // namespace stickslip
