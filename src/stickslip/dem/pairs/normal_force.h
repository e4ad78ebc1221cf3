#pragma once

#include "stickslip/dem/granular_material.h"
#include "stickslip/dem/spheres.h"
#include "stickslip/math/lanes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace stickslip {

/// The elastic answer of a contact to its overlap d [m] (negative: a gap that adhesion bridges). Real here and below:
/// one contact, or Lanes of four, each with the bits that it would have alone.
template <typename Real>
struct NormalForce {
    Real force; // [N] positive pushes apart
    Real stiffness; // [N/m] that the dashpot is a share of
    Real shear_stiffness; // [N/m] of the tangential spring
    Real pull_off; // [N] >= 0: the largest pull
};

/// JKR's d = s^4/R* - B s in s = sqrt(a), a the contact radius, is t^4 - t = d/unit with s = t scale. Least at t_least.
template <typename Real>
struct JkrScale {
    static constexpr double t_least = 0.62996052494743658; // (1/4)^(1/3)
    static constexpr double least = -0.75 * t_least; // of t^4 - t

    Real B; // [m^(1/2)] sqrt(2 pi w/E*)
    Real scale; // [m^(1/2)] (B R*)^(1/3)
    Real unit; // [m] of d: B scale
};
template <typename Real>
JkrScale<Real> jkr_scale(const PairCoefficients<Real>& law, const std::type_identity_t<Real>& R)
{
    const Real none = {};
    const Real nothing = none + 1e-60; // as good as no adhesion: the overlap of Hertz's contact is then 1e80 units
    const Real B = larger(square_root(Real(2 * std::numbers::pi * law.adhesion / law.young)), nothing);
    const Real scale = cube_root(Real(B * R));
    return {B, scale, B * scale};
}

/// Overlap at which a JKR contact of effective radius R* lets go under prescribed motion, < 0 [m].
template <typename Real>
Real jkr_release(const PairCoefficients<Real>& law, const std::type_identity_t<Real>& R)
{
    return JkrScale<Real>::least * jkr_scale(law, R).unit;
}

/// s = sqrt(contact radius) [m^(1/2)] on the stable branch, to round-off of s and of d. Pre: d >= jkr_release. A
/// guess within 2 % of t - t_least, exact at both ends, and two steps of Halley's:
/// docs/derivations.md#granular-spheres.
template <typename Real>
Real jkr_root(const JkrScale<Real>& jkr, const Real& d)
{
    constexpr double t_least = JkrScale<Real>::t_least, first = 1.5430805124363555; // sqrt(6) t_least
    constexpr double shape = 1.45; // [-] best
    const Real none = {};
    const Real ratio = d / jkr.unit;
    const Real u = square_root(larger(Real(ratio - JkrScale<Real>::least), none)), v = square_root(u);
    Real t = t_least + u * (1.0 + shape * v) / (first + (1.0 + shape * t_least) * v + shape * u);
    for (int i = 0; i < 2; ++i) {
        const Real square = t * t;
        const Real value = square * square - t - ratio, slope = 4.0 * square * t - 1.0;
        const Real below = slope * slope - 6.0 * square * value;
        t = t - (below > none ? Real(value * slope / below) : none); // not above 0: at the double root, to round-off
    }
    return t * jkr.scale;
}

/// Contact radius a [m] from d = a^2/R - sqrt(2 pi w a/E*), the stable branch. Pre: d >= jkr_release.
template <typename Real>
Real jkr_contact_radius(
    const PairCoefficients<Real>& law, const std::type_identity_t<Real>& d, const std::type_identity_t<Real>& R)
{
    const Real s = jkr_root(jkr_scale(law, R), d);
    return s * s;
}

/// Gap over which the pull of a DMT contact fades [m]: a hundredth of the effective radius.
template <typename Real>
Real dmt_range(const PairCoefficients<Real>& law, const std::type_identity_t<Real>& R)
{
    const Real none = {};
    return law.adhesion > none ? Real(0.01 * R) : none;
}

/// Overlap at which a contact begins, and at which one that has begun ends [m].
template <NormalLaw law, typename Real>
Real begins_at(const PairCoefficients<Real>& pair, const std::type_identity_t<Real>& R)
{
    if constexpr (law == NormalLaw::dmt)
        return -dmt_range(pair, R);
    // What is placed in touch is so but for round-off, and sticks.
    if constexpr (law == NormalLaw::jkr)
        return -1e-9 * R;
    return Real{};
}
template <NormalLaw law, typename Real>
Real ends_at(const PairCoefficients<Real>& pair, const std::type_identity_t<Real>& R)
{
    if constexpr (law == NormalLaw::jkr)
        return jkr_release(pair, R);
    return begins_at<law>(pair, R);
}

/// d overlap [m]   R effective radius, 1/R* = 1/R_a + 1/R_b [m]   linear_stiffness of the linear law [N/m]
template <NormalLaw law, typename Real>
NormalForce<Real> normal_force(const PairCoefficients<Real>& pair, const std::type_identity_t<Real>& d,
    const std::type_identity_t<Real>& R, const std::type_identity_t<Real>& linear_stiffness)
{
    constexpr double pi = std::numbers::pi;
    const Real none = {}, one = none + 1.0;
    if constexpr (law == NormalLaw::linear)
        return {linear_stiffness * d, linear_stiffness, pair.shear_ratio * linear_stiffness, none};
    if constexpr (law == NormalLaw::jkr) {
        const JkrScale<Real> jkr = jkr_scale(pair, R);
        const Real s = jkr_root(jkr, d), a = s * s;
        const Real force = 2.0 * pair.young * s * a * (2.0 / 3 * s * a / R - jkr.B);
        return {force, 2.0 * pair.young * a, 8.0 * pair.shear * a, 1.5 * pi * pair.adhesion * R};
    }
    const Real a = square_root(Real(R * larger(d, none)));
    NormalForce<Real> f = {4.0 / 3 * pair.young * a * d, 2.0 * pair.young * a, 8.0 * pair.shear * a, none};
    if constexpr (law == NormalLaw::dmt) {
        f.pull_off = 2 * pi * pair.adhesion * R;
        const Real range = dmt_range(pair, R);
        const Real fading = d >= none ? one : range > none ? Real(1.0 + d / range) : none;
        f.force = f.force - f.pull_off * fading * fading;
    }
    return f;
}

/// Energy stored by normal_force since the contact began [J].
template <NormalLaw law>
double normal_energy(const PairLaw& pair, double d, double R, double linear_stiffness)
{
    constexpr double pi = std::numbers::pi;
    if constexpr (law == NormalLaw::linear)
        return linear_stiffness * d * d / 2;
    if constexpr (law == NormalLaw::jkr) {
        const auto stored = [&](double a) {
            const double w = pair.adhesion, E = pair.young, a2 = a * a;
            return 8 * E * a2 * a2 * a / (15 * R * R) - 4.0 / 3 * std::sqrt(2 * pi * w * E * a) * a2 * a / R
                + pi * w * a2;
        };
        return stored(jkr_contact_radius(pair, d, R)) - stored(jkr_contact_radius(pair, 0, R));
    }
    const double hertz = d > 0 ? 8.0 / 15 * pair.young * std::sqrt(R * d) * d * d : 0;
    if constexpr (law == NormalLaw::hertz)
        return hertz;
    const double range = dmt_range(pair, R), pull = 2 * pi * pair.adhesion * R;
    const double fading = d >= 0 ? 1 : range > 0 ? 1 + d / range : 0;
    return hertz - pull * (std::max(d, 0.0) + range * fading * fading * fading / 3);
}

/// Books what a contact that ends still had in its springs.
template <NormalLaw law>
void book_release(
    const PairLaw& pair, double R, double stiffness, const Vec3& slip, const Vec3* turn, ContactLosses& losses)
{
    const double at = ends_at<law>(pair, R);
    const double kt = normal_force<law>(pair, at, R, stiffness).shear_stiffness;
    losses.friction += 0.5 * kt * slip.squaredNorm();
    if (turn)
        losses.rolling += 0.5 * kt * R * R * turn->squaredNorm();
    if constexpr (law == NormalLaw::jkr)
        losses.adhesion += normal_energy<law>(pair, at, R, stiffness);
}

/// Calls body with the law as a compile-time constant: body.template operator()<law>().
template <typename Body>
decltype(auto) with_law(NormalLaw law, const Body& body)
{
    switch (law) {
    case NormalLaw::hertz:
        return body.template operator()<NormalLaw::hertz>();
    case NormalLaw::dmt:
        return body.template operator()<NormalLaw::dmt>();
    case NormalLaw::jkr:
        return body.template operator()<NormalLaw::jkr>();
    default:
        return body.template operator()<NormalLaw::linear>();
    }
}

} // namespace stickslip
