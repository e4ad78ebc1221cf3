#pragma once

#include "stickslip/bodies/friction.h"
#include "stickslip/math/types.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace stickslip {

/// Contact parameters of two bodies; an unset one is that of all bodies.
struct PairRule {
    std::optional<double> friction; // [-]
    std::optional<double> stiffness; // [N/m] per contact point
    bool enabled = true; // false: the two pass through each other
};

/// Coefficients of all contacts. Bodies are counted through: deformable bodies first, then rigid bodies, then
/// obstacles, then bodies of material points, in the order of the world.
struct ContactLaw {
    double friction = default_friction; // [-] >= 0, infinite: never slips while it is pressed
    std::optional<double> stiffness; // [N/m] per contact point; unset: `automatic`
    double penetration = infinity; // [m] > 0 allowed at rest: deeper contacts are stiffened (stiffness_growth.h)
    bool self = false; // deformable bodies meet themselves
    int quadrature = 3; // points of a facet by which a deformable body meets another: 3, 6, 12 (meshes/facet_sample.h)
    double damping = 0; // [s] >= 0: of the normal force, in proportion to the stiffness
    std::vector<double> automatic; // by body: deformable [N/m^3], times the node's surface area; rigid [N/m], times the
                                   // sample's weight; obstacle 0; material points [N/m^3], times the square of their
                                   // spacing (world.h says how it is chosen)
    std::vector<int> kinds; // by body: bodies of one kind follow the same rules; empty: each is a kind of its own
    std::map<std::pair<int, int>, PairRule> rules; // of two kinds, the first not greater: what differs from the above

    int kind(int body) const { return kinds.empty() ? body : kinds[body]; }
    const PairRule* rule(int a, int b) const
    {
        if (rules.empty())
            return nullptr;
        const auto it = rules.find(std::minmax({kind(a), kind(b)}));
        return it == rules.end() ? nullptr : &it->second;
    }
    bool lets_meet(int a, int b) const
    {
        const PairRule* of_pair = rule(a, b);
        return !of_pair || of_pair->enabled;
    }
};

} // namespace stickslip
