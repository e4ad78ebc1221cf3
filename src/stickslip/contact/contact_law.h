#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace stickslip {

/// Bodies are counted through: deformable bodies first, then rigid bodies, then obstacles, in the order of the world.
using BodyPair = std::pair<int, int>; // first < second

/// What is said of one pair of bodies; unset values are the common ones.
struct PairRule {
    std::optional<double> friction; // [-]
    std::optional<double> stiffness; // [N/m] per contact point
    bool enabled = true; // false: the two pass through each other
};

/// Coefficients of all contacts.
struct ContactLaw {
    double friction = 0.3; // [-] >= 0, infinite: never slips
    std::optional<double> stiffness; // [N/m] per contact point; unset: `automatic`
    double damping = 0; // [s] >= 0: of the normal force, in proportion to the stiffness
    std::vector<double> automatic; // by body: deformable [N/m^3], times the node's surface area; rigid [N/m], times the
                                   // sample's weight; obstacle 0 (world.h says how it is chosen)
    std::map<BodyPair, PairRule> rules;

    const PairRule* rule(int a, int b) const
    {
        const auto it = rules.find({a < b ? a : b, a < b ? b : a});
        return it == rules.end() ? nullptr : &it->second;
    }
};

} // namespace stickslip
