#pragma once

#include "stickslip/dem/granular_material.h"
#include "stickslip/dem/spheres.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

/// The elastic answer of one contact to its overlap d [m] (negative: a gap that adhesion bridges).
struct NormalForce {
    double force; // [N] positive pushes apart
    double stiffness; // [N/m] that the dashpot is a share of
    double shear_stiffness; // [N/m] of the tangential spring
    double pull_off; // [N] >= 0: the largest pull
};

/// Overlap at which a JKR contact of effective radius R* lets go under prescribed motion, <= 0 [m].
inline double jkr_release(const PairLaw& law, double R)
{
    const double B = std::sqrt(2 * std::numbers::pi * law.adhesion / law.young);
    return -0.75 * B * std::cbrt(B * R / 4);
}

/// Contact radius a [m] from d = a^2/R - sqrt(2 pi w a/E*), the stable branch. Pre: d >= jkr_release.
inline double jkr_contact_radius(const PairLaw& law, double d, double R)
{
    const double B = std::sqrt(2 * std::numbers::pi * law.adhesion / law.young);
    const double lowest = std::cbrt(B * R / 4); // of s = sqrt(a), where d is least
    double s = std::max(std::pow(2 * R * std::max(d, 0.0), 0.25), std::cbrt(2 * B * R));
    for (int i = 0; i < 60; ++i) { // from the right of the root of a convex function: falls towards it
        const double slope = 4 * s * s * s / R - B;
        const double next = slope > 0 ? s - (s * s * s * s / R - B * s - d) / slope : lowest;
        if (!(next < s))
            break;
        s = std::max(next, lowest);
    }
    return s * s;
}

/// Gap over which the pull of a DMT contact fades [m]: a hundredth of the effective radius.
inline double dmt_range(const PairLaw& law, double R)
{
    return law.adhesion > 0 ? 0.01 * R : 0;
}

/// Overlap at which a contact begins, and at which one that has begun ends [m].
template <NormalLaw law>
double begins_at(const PairLaw& pair, double R)
{
    return law == NormalLaw::dmt ? -dmt_range(pair, R) : 0;
}
template <NormalLaw law>
double ends_at(const PairLaw& pair, double R)
{
    return law == NormalLaw::dmt ? -dmt_range(pair, R) : law == NormalLaw::jkr ? jkr_release(pair, R) : 0;
}

/// d overlap [m]   R effective radius, 1/R* = 1/R_a + 1/R_b [m]   linear_stiffness of the linear law [N/m]
template <NormalLaw law>
NormalForce normal_force(const PairLaw& pair, double d, double R, double linear_stiffness)
{
    constexpr double pi = std::numbers::pi;
    if constexpr (law == NormalLaw::linear)
        return {linear_stiffness * d, linear_stiffness, pair.shear_ratio * linear_stiffness, 0};
    if constexpr (law == NormalLaw::jkr) {
        const double a = jkr_contact_radius(pair, d, R);
        const double force =
            4 * pair.young * a * a * a / (3 * R) - std::sqrt(8 * pi * pair.adhesion * pair.young * a) * a;
        return {force, 2 * pair.young * a, 8 * pair.shear * a, 1.5 * pi * pair.adhesion * R};
    }
    const double a = d > 0 ? std::sqrt(R * d) : 0;
    NormalForce f = {4.0 / 3 * pair.young * a * d, 2 * pair.young * a, 8 * pair.shear * a, 0};
    if constexpr (law == NormalLaw::dmt) {
        f.pull_off = 2 * pi * pair.adhesion * R;
        const double range = dmt_range(pair, R);
        const double fading = d >= 0 ? 1 : range > 0 ? 1 + d / range : 0;
        f.force -= f.pull_off * fading * fading;
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
