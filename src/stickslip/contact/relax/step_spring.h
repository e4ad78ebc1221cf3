#pragma once

#include "stickslip/contact/relax/damped_depth.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

/// State at the start of a step of a contact whose share of a spring may change. The share that it has then presses
/// with the depth that its energy stands for; share that it gets in the step presses with the depth alone that it gains
/// in the step. So a share that grows stores no more than the work that is done against it, and what is deep when it is
/// first felt is pushed out by no more than what is flush (docs/derivations.md#shares-that-grow).
struct SpringStart {
    double share; // [-] in [0, 1]
    double depth; // [m] 0 in front
    double felt; // [m] of that depth, what presses
    double flush = 0; // [m] of that depth, what presses any share that it gets in the step

    /// It holds no energy.
    static SpringStart empty(double depth, double flush = 0) { return {0, depth, 0, std::min(depth, flush)}; }
    /// Its whole depth presses: what a run starts with.
    static SpringStart whole(double depth) { return {1, depth, depth}; }
};

/// With the energy [J] that the last step has left in a spring of k [N/m]; lean: |ray|^2 >= 1.
///     k/2 share felt^2 lean = energy          felt <= depth
inline SpringStart spring_start(double share, double depth, double energy, double k, double lean)
{
    constexpr double round_off = 1e-9;
    const double felt = std::sqrt(2 * energy / (k * share * lean));
    return {share, depth, felt < (1 - round_off) * depth ? felt : depth};
}

/// Place of a contact in the step.
struct SpringPlace {
    double share; // [-]
    double depth; // [m] > 0
    double approach; // [m] what the two material points there have come nearer to each other in the step, along n
};

/// The sum of share times depth that presses [m], and 2/k of energies for a ray of length 1 [m^2].
struct PressedSpring {
    double pressed, by_share, by_depth, by_approach; // of spring and damper; its derivatives
    double elastic; // of the spring alone
    double stored; // share times depth squared
    double lacking; // what it would store in addition if its whole depth pressed
    // of one spring with this force and energy; 0 of one that does not press
    double share() const { return stored > 0 ? elastic * elastic / stored : 0; }
};

/// What is gained in the step is no more than the approach: a depth that grows as the normal turns is no work.
///     gain = flush + min(depth - depth_old, approach)
/// damping: as a share of the step. Continuous; its derivatives jump where the share or the depth is that of the start,
/// and where both gains are the same.
inline PressedSpring press(const SpringStart& start, const SpringPlace& at, double damping)
{
    const double old = std::min(at.share, start.share), added = at.share - old;
    const double felt = std::max(0.0, at.depth - (start.depth - start.felt)), deepened = at.depth - start.depth;
    const double gained = std::max(0.0, start.flush + std::min(deepened, at.approach));
    const DampedDepth of_old = damped_depth(-felt, -start.felt, damping),
                      of_added = damped_depth(-gained, -start.flush, damping);
    const double elastic = old * felt + added * gained, stored = old * felt * felt + added * gained * gained;
    const bool by_approach = at.approach < deepened;
    return {.pressed = -old * of_old.phi - added * of_added.phi,
        .by_share = added > 0 ? -of_added.phi : -of_old.phi,
        .by_depth = old * of_old.dphi + (by_approach ? 0 : added * of_added.dphi),
        .by_approach = by_approach ? added * of_added.dphi : 0,
        .elastic = elastic,
        .stored = stored,
        .lacking = std::max(0.0, at.share * at.depth * at.depth - stored)};
}

} // namespace stickslip
