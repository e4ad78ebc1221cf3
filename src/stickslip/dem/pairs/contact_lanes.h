#pragma once

#include "stickslip/dem/pairs/contact_force.h"

#include <algorithm>

namespace stickslip {

/// One entry of each of four things, as lanes.
template <typename Get>
Lanes gather(const Get& get)
{
    return Lanes{get(0), get(1), get(2), get(3)};
}
template <typename Get>
Triple<Lanes> gather3(const Get& get)
{
    return triple(get(0), get(1), get(2), get(3));
}

/// A vector and the number stored behind it, of four things: get(l) points to them.
struct VectorAndNumber {
    Triple<Lanes> vector;
    Lanes number;
};
template <typename Get>
VectorAndNumber gather4(const Get& get)
{
    const LaneRows t = transposed(load(get(0)), load(get(1)), load(get(2)), load(get(3)));
    return {{t.row[0], t.row[1], t.row[2]}, t.row[3]};
}

/// The answer of four contacts to their overlaps: fills elastic and resist, and says which lanes are in contact.
///   law_of(l)  law of lane l; one_law: that of all is the same
///   compliance  [m/N] of both sides in the linear law
template <NormalLaw law, bool damped, bool rolls, typename LawOf>
Mask<Lanes> elastic_answer(bool one_law, const LawOf& law_of, const Lanes& compliance, const Meeting<Lanes>& m,
    double dt, Elasticity<Lanes>& elastic, Resistance<Lanes>& resist)
{
    const auto of_lane = [&](auto member) {
        if (one_law)
            return Lanes{} + member(law_of(0));
        return gather([&](int l) { return member(law_of(l)); });
    };
    resist.friction = of_lane([](const PairLaw& pair) { return pair.friction; });
    if (damped) {
        const Resistance<double> unit = resistance<law>(PairLaw{.damping_ratio = 1});
        const Lanes ratio = of_lane([](const PairLaw& pair) { return pair.damping_ratio; });
        resist.damping = unit.damping * ratio;
        resist.catch_up = Lanes{} + unit.catch_up;
        resist.shear_damping = unit.shear_damping * ratio;
    } else {
        resist.shear_damping = Lanes{};
    }
    if (rolls) {
        resist.rolling_friction = of_lane([](const PairLaw& pair) { return pair.rolling_friction; });
        resist.twisting_friction = of_lane([](const PairLaw& pair) { return pair.twisting_friction; });
    }
    PairCoefficients<Lanes> pair;
    Lanes stiffness = 1.0 / compliance; // of the linear law
    if constexpr (law == NormalLaw::linear) {
        const Lanes given = of_lane([](const PairLaw& one) { return one.stiffness; });
        stiffness = given > Lanes{} ? given : stiffness;
        pair.shear_ratio = of_lane([](const PairLaw& one) { return one.shear_ratio; });
    } else {
        pair.young = of_lane([](const PairLaw& one) { return one.young; });
        pair.shear = of_lane([](const PairLaw& one) { return one.shear; });
        pair.adhesion = of_lane([](const PairLaw& one) { return one.adhesion; });
    }
    const Lanes begins = begins_at<law>(pair, m.radius);
    const Lanes ends = m.fresh ? begins : ends_at<law>(pair, m.radius);
    const Lanes overlap = larger(m.overlap, ends), earlier = overlap + dt * m.separation;
    elastic = elasticity<law>(pair, overlap, earlier, m.radius, stiffness);
    return m.overlap > ends;
}

} // namespace stickslip
