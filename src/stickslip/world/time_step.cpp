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

// What an earlier try cost counts for the step as well.
void add_costs(NewtonReport& report, const NewtonReport& earlier)
{
    report.guesses += earlier.guesses;
    report.iterations += earlier.iterations;
    report.krylov_iterations += earlier.krylov_iterations;
    report.evaluations += earlier.evaluations;
    report.gradient_steps += earlier.gradient_steps;
    report.failed_linear_solves += earlier.failed_linear_solves;
    report.linear_seconds += earlier.linear_seconds;
    report.assembly_seconds += earlier.assembly_seconds;
    report.evaluation_seconds += earlier.evaluation_seconds;
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
    , preconditioner_(make_preconditioner(
          options.preconditioner, system_.size(), 2 * world.rigids.size() > world.deformables.rest.size()))
{
}

StepReport TimeStepper::step(State& state)
{
    StepReport report;
    const StepClock clock = state.clock;
    while (true) {
        const double dt = choose_dt(state);
        const NewtonReport newton = solve(state, dt);
        if (newton.status == NewtonStatus::converged) {
            report.done = true;
            report.dt = dt;
            report.newton = newton;
            accept(state, report);
            return report;
        }
        report.failures.push_back({state.time, dt, newton});
        if (!halve(state, dt)) {
            state.clock = clock;
            return report;
        }
    }
}

// Two first guesses for each body: the acceleration of the last step, and constant velocity. What falls, slides or
// rides along steadily is nearly solved by the first, and a contact that sticks is found sticking; after an impact the
// second is better. The one that leaves the smaller residual goes first; a kink that stops the search from one side
// need not stop it from the other, so bodies that are left unsolved get their other guess in a second try.
NewtonReport TimeStepper::solve(const State& state, double dt)
{
    system_.begin_step(state, dt);
    const BlockVector accelerated = system_.last_acceleration(), zero(system_.size(), Vec3::Zero());
    BlockVector g;
    system_.residual(accelerated, g);
    const std::vector<double> with_acceleration = system_.body_measures(g);
    system_.residual(zero, g);
    const std::vector<double> without = system_.body_measures(g);

    std::vector<bool> accelerate(system_.body_count());
    for (std::size_t b = 0; b < accelerate.size(); ++b)
        accelerate[b] = with_acceleration[b] < without[b]; // not where the extrapolation is not finite
    const auto guess = [&] {
        BlockVector z = zero;
        for (std::size_t b = 0; b < accelerate.size(); ++b) {
            const Range blocks = system_.blocks_of_body(b);
            if (accelerate[b])
                std::copy_n(accelerated.begin() + blocks.begin, blocks.size(), z.begin() + blocks.begin);
        }
        return z;
    };
    const BlockVector first_guess = guess();
    BlockVector z = first_guess;
    const NewtonReport first = newton_from(z);
    if (first.status == NewtonStatus::converged)
        return first;
    system_.residual(z, g);
    const std::vector<double> left = system_.body_measures(g);
    for (std::size_t b = 0; b < accelerate.size(); ++b)
        if (!(left[b] <= options_.newton.tolerance))
            accelerate[b] = !accelerate[b];
    z = guess();
    if (z == first_guess)
        return first;
    NewtonReport second = newton_from(z);
    add_costs(second, first);
    return second;
}

NewtonReport TimeStepper::newton_from(BlockVector& z)
{
    NewtonReport report = newton_solve(system_, *preconditioner_, options_.newton, z);
    if (report.status == NewtonStatus::converged && system_.turned_too_far())
        report.status = NewtonStatus::turned_too_far;
    return report;
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
