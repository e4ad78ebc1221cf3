#pragma once

#include <vector>

namespace stickslip {

/// Renumbering for a later run: the number here of each sphere (by id) and each wall of an earlier one; -1: it is not
/// here. points: the same of walls whose `points` are those of the earlier one.
struct Succession {
    std::vector<int> sphere, wall, points;
};

} // namespace stickslip
