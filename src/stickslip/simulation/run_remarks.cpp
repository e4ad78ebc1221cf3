#include "stickslip/simulation/run_remarks.h"

#include "stickslip/contact/relax/rim_share.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stickslip {

namespace {

constexpr double told_gain = 0.01; // [-] of the energy in play
constexpr double told_depth = 0.1; // [-] of the smallest size of a body

/// [m] The smallest extent of a body's points, or size of its solid. A flat sheet has no thickness that one could sink
/// through.
double narrowest(const ContactBodies& bodies, const World& world, const State& state, int body)
{
    double size = 0;
    if (bodies.is_mpm(body) || bodies.is_deformable(body)) {
        const std::vector<Vec3>& x = bodies.is_mpm(body) ? state.mpm.x : state.x;
        const Range own = bodies.is_mpm(body) ? bodies.mpm_body(body).particles : world.deformables.bodies[body].nodes;
        Bounds box;
        for (int i = own.begin; i < own.end; ++i)
            box.add(x[i]);
        size = (box.max - box.min).minCoeff();
        if (bodies.is_mpm(body))
            size += bodies.mpm_body(body).spacing;
    } else {
        size = smallest_size(bodies.solid(body));
    }
    return size > 0 ? size : infinity;
}

struct Deepest {
    int body = -1, other = -1;
    double depth = 0, size = infinity; // [m]
};

/// The contact that is deepest for the size of its bodies.
Deepest deepest_contact(const World& world, const State& state, const BackwardEuler& system)
{
    const ContactBodies bodies = contact_bodies(world);
    std::vector<double> sizes;
    for (int body = 0; body < bodies.total(); ++body)
        sizes.push_back(narrowest(bodies, world, state, body));
    Deepest deepest;
    system.contacts().for_each_contact([&](const Contact& c) {
        const double size = std::min(sizes[c.point_body], sizes[c.surface_body]);
        if (c.at.depth / size > deepest.depth / deepest.size)
            deepest = {c.point_body, c.surface_body, c.at.depth, size};
    });
    return deepest;
}

} // namespace

double tolerated_energy(const World& world, double tolerance)
{
    double mass = std::accumulate(world.mpm.mass.begin(), world.mpm.mass.end(), 0.0);
    for (const DeformableBody& body : world.deformables.bodies)
        mass += body.mass;
    for (const RigidBody& body : world.rigids)
        mass += body.mass;
    return 0.5 * mass * tolerance * tolerance;
}

void watch_gains(const Energies& before, const Energies& after, const StepBalance& balance, double negligible,
    double time, RunTotals& totals, const Say& say)
{
    const double there = std::max(0.0, energy_in_play(before, after, balance)) + negligible; // rounding takes it below
    if (-balance.contact_loss > there) {
        say(formatted("t = %.9g s: contacts released %.3g J (energy before the step: %.3g J): bodies overlapped at the "
                      "start or penetrated within one step",
            time, -balance.contact_loss, there));
        return;
    }
    const double gain = balance.change - balance.external_work - balance.stiffening_work - balance.energy_error;
    if (!(gain > told_gain * there))
        return;
    EnergyGains& gains = totals.gains;
    ++gains.steps;
    if (gain > gains.largest) {
        gains.largest = gain;
        gains.time = time;
        gains.share = gain / there;
    }
}

void tell_of_gains(const RunTotals& totals, double time, const Say& say)
{
    const EnergyGains& gains = totals.gains;
    if (gains.steps == 0)
        return;
    const std::string steps = gains.steps == 1 ? "one step" : std::to_string(gains.steps) + " steps";
    say(formatted(
        "t = %.9g s: %s gained more than 1 %% of the energy in play, the most at t = %.9g s: %.3g J, %.2g %% of it; "
        "a shorter time.step may help",
        time, steps.c_str(), gains.time, gains.largest, 100 * gains.share));
}

void tell_of_depth(const World& world, const State& state, const BackwardEuler& system, double max_contact_depth,
    RunTotals& totals, const Say& say)
{
    const double allowed = world.contact.penetration;
    if (allowed == infinity) {
        const Deepest d = deepest_contact(world, state, system);
        if (d.depth > told_depth * d.size)
            say(formatted("t = %.9g s: \"%s\" and \"%s\" overlap by %.3g m, %.2g %% of the smallest size of either; "
                          "`contact: {penetration: %.2g}` stiffens contacts until they rest within that depth",
                state.time, contact_body_name(world, d.body).c_str(), contact_body_name(world, d.other).c_str(),
                d.depth, 100 * d.depth / d.size, 0.01 * d.size));
        return;
    }
    double stiffest = 1;
    for (const Attachment& a : state.attachments)
        stiffest = std::max(stiffest, a.stiffness_scale);
    totals.last.penetration = max_contact_depth;
    totals.last.stiffness_scale = stiffest;
    if (max_contact_depth > (1 + 1e-9) * allowed)
        say(formatted("t = %.9g s: the deepest contact is %.3g m deep, contact.penetration is %.3g m: the body still "
                      "moves, or contacts are still being stiffened (by 5 %% a step, at most %.3g times so far)",
            state.time, max_contact_depth, allowed, stiffest));
}

} // namespace stickslip
