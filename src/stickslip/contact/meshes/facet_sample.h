#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

/// Points of a facet by which a deformable body meets another: 3, 6 or 12. They carry a uniform pressure as the nodes
/// of a mesh do not, whatever the other's mesh (docs/derivations.md#contact-on-smooth-patches). The rules are exact for
/// polynomials of degree 2, 4 and 6, with points inside and positive weights (Strang and Fix; Dunavant).
struct FacetRule {
    struct Point {
        Vec3 w; // [-] barycentric
        double share; // [-] of the area, over an even one: 1 on average
    };
    int count;
    const Point* points;

    /// Pre: count is 3, 6 or 12.
    static FacetRule of(int count);
};

/// A quadrature point of a facet, counted count facet + number.
struct FacetSample {
    int facet;
    FacetRule::Point point;

    FacetSample(int number, const FacetRule& rule)
        : facet(number / rule.count)
        , point(rule.points[number % rule.count])
    {
    }

    template <typename Places>
    Vec3 at(const Triangle& t, const Places& x) const
    {
        return point.w[0] * x[t[0]] + point.w[1] * x[t[1]] + point.w[2] * x[t[2]];
    }
};

} // namespace stickslip
