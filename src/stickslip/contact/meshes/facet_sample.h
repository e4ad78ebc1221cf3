#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

/// A quadrature point of a facet, by which a deformable body meets another: three a facet, each with a third of its
/// area. They carry a uniform pressure as the nodes of a mesh do not, whatever the other's mesh
/// (docs/derivations.md#contact-on-smooth-patches). Counted 3 facet + corner.
struct FacetSample {
    int facet, corner;

    explicit FacetSample(int number)
        : facet(number / 3)
        , corner(number % 3)
    {
    }

    static constexpr double own = 2.0 / 3, other = 1.0 / 6;
    static constexpr int per_facet = 3;

    double weight(int k) const { return k == corner ? own : other; } // of corner k
    template <typename Places>
    Vec3 at(const Triangle& t, const Places& x) const
    {
        return weight(0) * x[t[0]] + weight(1) * x[t[1]] + weight(2) * x[t[2]];
    }
};

} // namespace stickslip
