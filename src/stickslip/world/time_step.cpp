#include "stickslip/world/time_step.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stickslip {

namespace {

constexpr int many_iterations = 15, few_iterations = 6;

StepOptions completed(StepOptions options)
{
    if (options.min_step == 0)
        options.min_step = options.step / 1024;
    if (options.max_step == 0)
        options.max_step = options.step;
    return options;
}

} // namespace

double automatic_tolerance(const World& world, double step)
{
    const double g = world.gravity.norm();
    return g > 0 ? 1e-6 * g * step : 1e-9;
}

TimeStepper::TimeStepper(const World& world, const StepOptions& options)
    : world_(&world)
    , options_(completed(options))
    , system_(world)
    , solve_(system_, options.preconditioner, 2 * world.rigids.size() > world.deformables.rest.size(), options_.newton)
{
}

StepReport TimeStepper::step(State& state)
{
    StepReport report;
    const StepClock clock = state.clock;
    while (true) {
        const double dt = choose_dt(state);
        system_.begin_step(state, dt);
        const NewtonReport newton = solve_();
        if (newton.status == NewtonStatus::converged) {
            report.done = true;
            report.dt = dt;
            report.newton = newton;
            accept(state, report);
            return report;
        }
        report.stopped = options_.newton.is_stopped(); // then it says nothing that a solve did not converge
        report.failures.push_back({state.time, dt, newton});
        if (report.stopped || !halve(state, dt)) {
            state.clock = clock;
            return report;
        }
    }
}

double TimeStepper::choose_dt(const State& state) const
{
    if (!options_.adaptive)
        return std::ldexp(options_.step, -state.clock.level);
    double dt = state.clock.next_dt > 0 ? state.clock.next_dt : options_.step;
    for (const DeformableBody& body : world_->deformables.bodies) {
        double speed = 0;
        for (int i = body.nodes.begin; i < body.nodes.end; ++i)
            speed = std::max(speed, state.v[i].norm());
        if (speed * dt > 0.5 * body.element_size)
            dt = 0.5 * body.element_size / speed;
    }
    return std::clamp(dt, options_.min_step, options_.max_step);
}

bool TimeStepper::halve(State& state, double dt) const
{
    if (0.5 * dt < options_.min_step)
        return false;
    if (options_.adaptive) {
        state.clock.next_dt = 0.5 * dt;
    } else {
        ++state.clock.level;
        state.clock.sub *= 2;
    }
    return true;
}

void TimeStepper::advance_clock(State& state, double dt, const NewtonReport& newton) const
{
    StepClock& clock = state.clock;
    if (options_.adaptive) {
        ++clock.whole;
        state.time += dt;
        clock.next_dt = dt;
        if (newton.iterations > many_iterations)
            clock.next_dt = std::max(0.5 * dt, options_.min_step);
        else if (newton.iterations <= few_iterations)
            clock.next_dt = std::min(1.25 * dt, options_.max_step);
        return;
    }
    ++clock.sub;
    while (clock.level > 0 && clock.sub % 2 == 0) { // two halves make the next larger step: try that one again
        clock.sub /= 2;
        --clock.level;
    }
    if (clock.level == 0) {
        clock.whole += clock.sub;
        clock.sub = 0;
    }
    state.time =
        (static_cast<double>(clock.whole) + std::ldexp(static_cast<double>(clock.sub), -clock.level)) * options_.step;
}

// Paper: Alg 1 lines 3 to 8
void TimeStepper::accept(State& state, StepReport& report)
{
    State next = state;
    advance_clock(next, report.dt, report.newton);
    next.x = system_.positions();
    next.v = system_.velocities();
    for (std::size_t i = 0; i < next.v.size(); ++i)
        next.a[i] = (next.v[i] - state.v[i]) / report.dt;
    next.rigid = system_.rigid().end_of_step();
    next.attachments = system_.contacts().update_attachments();
    report.balance = step_balance(*world_, system_, state, next);
    system_.contacts().for_each_contact([&](const ContactInfo& contact) {
        ++report.contacts;
        ++(contact.at.sticks ? report.sticking : report.sliding);
        report.max_penetration = std::max(report.max_penetration, contact.at.depth);
    });
    state = std::move(next);
}

} // namespace stickslip
