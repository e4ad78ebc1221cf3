#pragma once

#include "arrays.h"

#include "stickslip/simulation/simulation.h"

#include <functional>
#include <memory>
#include <vector>

namespace stickslip::python {

/// What an array of an explicit simulation shows of its spheres or bodies.
struct FollowedColumn {
    std::function<Rows(const StateView&)> rows; // as they lie in memory now
    std::vector<int> (*keys)(const Simulation&); // who is in each: for life, rising in the order of coming
};

/// Keys of a FollowedColumn: of spheres their ids; of rigid bodies, and of the clumps behind them.
std::vector<int> sphere_keys(const Simulation& simulation);
std::vector<int> body_keys(const Simulation& simulation);

/// Arrays of an explicit simulation. Its spheres and bodies change places in memory from step to step, and some come
/// and leave: an array has a row for each that was there when it was asked for, in the order of keys, and update()
/// brings it up to date. The row of one that has left is nan.
class FollowedArrays {
public:
    /// The array of a column, which the caller keeps; two that were asked for while the same are there share memory.
    py::array array(const Simulation& simulation, const std::shared_ptr<const FollowedColumn>& column);

    /// Needs no interpreter.
    void update(const Simulation& simulation) const;

private:
    struct Followed;

    std::vector<std::weak_ptr<Followed>> arrays_;
};

} // namespace stickslip::python
