#include "stickslip/world/time_step.h"

#include "stickslip/math/stopwatch.h"
#include "stickslip/mpm/sparse_grid.h"
#include "stickslip/world/particle_sides.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stickslip {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int hard_iterations = 100, many_iterations = 15, few_iterations = 6;
constexpr int deepest_hard_level = 3; // iterations alone do not halve steps below an eighth
constexpr double shortest_for_unfelt = 0.03125; // of the nominal step
constexpr double gained_share = 0.5; // [-] of the energy in play, from which on it is that of another root

// [-] of linear solves. A matrix of particles costs as much as 15 iterations of GMRES; what flows has kinks, beyond
// which an exact direction is worth little.
constexpr double loosest_elastic = 1e-4, loosest_flowing = 1e-2;

StepOptions completed(StepOptions options, const World& world)
{
    if (world.mpm.particles() > 0) {
        NewtonOptions& newton = options.newton;
        newton.many_kinks = std::any_of(world.mpm.materials.begin(), world.mpm.materials.end(), flows);
        newton.loosest_linear = std::min(newton.loosest_linear, newton.many_kinks ? loosest_flowing : loosest_elastic);
    }
    if (options.min_step == 0)
        options.min_step = options.step / 1024;
    if (options.max_step == 0)
        options.max_step = options.step;
    return options;
}

// [J] What rounding makes of the energy of what deforms, at most.
double rounding_of_energy(const DeformableSet& set)
{
    constexpr double rounding = 1e-9; // [-] of stiffness times volume
    double sum = 0;
    for (std::size_t t = 0; t < set.volume.size(); ++t)
        sum += rounding * set.materials[set.material_of_tet[t]].mu * set.volume[t];
    return sum;
}

// A second root, in which what deforms has more energy than there was (docs/derivations.md#roots-with-more-energy). Not
// asked of material points, whose grid takes and gives some.
bool is_other_root(const World& world, const State& before, const State& after, const StepBalance& balance)
{
    const DeformableSet& set = world.deformables;
    const double gained = -(balance.inertia_loss + balance.elastic_loss + balance.viscous_loss);
    if (set.bodies.empty() || world.mpm.particles() > 0 || !(gained > rounding_of_energy(set)))
        return false;
    return gained > gained_share * energy_in_play(energies(world, before), energies(world, after), balance);
}

} // namespace

double automatic_tolerance(const World& world, double step)
{
    const double g = world.gravity.norm();
    return g > 0 ? 1e-6 * g * step : 1e-9;
}

// A force k eps |x| on a mass m: of a node k/m is about the square of the speed of sound over that of an element's
// size.
double attainable_tolerance(const World& world, const State& state, double step)
{
    constexpr double safety = 2, eps = std::numeric_limits<double>::epsilon();
    double most = 0; // [m/s^2] eps |x| k/m
    const DeformableSet& set = world.deformables;
    for (const DeformableBody& body : set.bodies) {
        double far = 0, squared_speed = 0;
        for (int i = body.nodes.begin; i < body.nodes.end; ++i)
            far = std::max(far, state.x[i].norm());
        for (int t = body.tets.begin; t < body.tets.end; ++t) {
            const ElasticMaterial& material = set.materials[set.material_of_tet[t]];
            squared_speed = std::max(squared_speed, (material.lambda + 2 * material.mu) / material.density);
        }
        most = std::max(most, eps * far * squared_speed / (body.element_size * body.element_size));
    }
    for (std::size_t b = 0; b < world.rigids.size(); ++b) {
        const double k = world.contact.automatic[set.bodies.size() + b];
        most = std::max(most, eps * state.rigid[b].x.norm() * k / world.rigids[b].mass);
    }
    return safety * step * most;
}

NewtonReport StepReport::costs() const
{
    NewtonReport all = done ? newton : no_costs();
    for (const FailedSolve& f : failures)
        add_costs(all, f.newton);
    return all;
}

int StepReport::failed_solves() const
{
    return static_cast<int>(
        std::count_if(failures.begin(), failures.end(), [](const FailedSolve& f) { return f.was_begun(); }));
}

TimeStepper::TimeStepper(const World& world, const StepOptions& options)
    : world_(&world)
    , options_(completed(options, world))
    , system_(world)
    , solve_(system_, options.preconditioner,
          2 * world.rigids.size() > world.deformables.rest.size() + world.mpm.particles(), options_.newton)
    , turns_(world)
    , audit_(world)
{
}

StepReport TimeStepper::step(State& state)
{
    StepReport report;
    const StepClock clock = state.clock;
    begin_clock();
    if (first_off_grid(state.mpm.x, world_->mpm.grid)) {
        report.failures.push_back({state.time, choose_dt(state), no_costs(), {}});
        report.failures.back().newton.status = NewtonStatus::off_grid;
        return report;
    }
    while (true) {
        divide(state, report);
        const double dt = choose_dt(state);
        if (const Turn turn = not_to_be_shown(state, dt); turn.body >= 0) {
            report.turning = turn.body;
            report.failures.push_back({state.time, dt, no_costs(), {}});
            report.failures.back().newton.status = NewtonStatus::turns_too_far;
            state.clock = clock;
            return report;
        }
        progress_ = {.time = state.time, .dt = dt, .failures = report.failed_solves()};
        FailedSolve tried{state.time, dt, solve(state, dt), {}};
        if (tried.newton.status == NewtonStatus::converged && take(state, tried, report))
            return report;
        report.stopped = options_.newton.is_stopped(); // then it says nothing that a solve did not converge
        report.out_of_time = !report.stopped && options_.newton.is_out_of_time(); // nor then
        report.failures.push_back(std::move(tried));
        if (report.stopped || report.out_of_time || !halve(state, dt)) {
            state.clock = clock;
            return report;
        }
    }
}

NewtonReport TimeStepper::solve(const State& state, double dt)
{
    double seconds = 0;
    {
        const Stopwatch watch(seconds);
        system_.begin_step(state, dt);
    }
    NewtonReport report = solve_();
    report.evaluation_seconds += seconds;
    return report;
}

void TimeStepper::begin_clock()
{
    constexpr double longest = 1e9; // [s] what the clock's nanoseconds hold
    began_ = Clock::now();
    if (options_.max_seconds < longest)
        options_.newton.deadline =
            began_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.max_seconds));
    if (options_.watch)
        options_.newton.watch = [this](const NewtonReport& newton) { show(newton); };
}

void TimeStepper::show(const NewtonReport& newton)
{
    const bool begins = newton.iterations == 0;
    progress_.tries += begins;
    progress_.iterations = newton.iterations;
    progress_.descent_steps = newton.descent_steps;
    progress_.residual = newton.residual;
    progress_.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    options_.watch(progress_);
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
    for (const Vec3& v : state.mpm.v)
        dt = std::min(dt, 0.5 * world_->mpm.grid / std::max(v.norm(), 1e-300));
    return slowed(std::clamp(dt, options_.min_step, options_.max_step), state);
}

// So that nothing turns too far, down to the shortest step. What keyframes turn by does not go with the step.
double TimeStepper::slowed(double dt, const State& state) const
{
    constexpr double rounding = 1e-12;
    while (dt > options_.min_step) {
        const Turn turn = turns_.too_far(state, dt);
        if (turn.body < 0)
            return dt;
        dt = std::max(options_.min_step, dt * (1 - rounding) * TurnsAhead::longest / turn.angle);
    }
    return dt;
}

// What a script turns too far in the shortest step, too, while others touch it.
Turn TimeStepper::not_to_be_shown(const State& state, double dt) const
{
    if (0.5 * dt >= options_.min_step)
        return {};
    const Turn turn = turns_.too_far(state, dt);
    return turn.is_scripted && turn.touches ? turn : Turn{};
}

// Such solves would be thrown away, or be wrong. Steps of adaptive runs are shorter by themselves.
void TimeStepper::divide(State& state, StepReport& report) const
{
    while (!options_.adaptive) {
        const double dt = choose_dt(state);
        const Turn turn = turns_.too_far(state, dt);
        const bool crosses = longest_free_way(state.mpm, dt) / world_->mpm.grid > GridEquations::longest_way;
        if (!(turn.body >= 0 || crosses) || !halve(state, dt))
            break;
        report.divided = true;
        if (turn.body >= 0)
            report.turning = turn.body;
    }
}

void TimeStepper::refine(StepClock& clock)
{
    ++clock.level;
    clock.sub *= 2;
}

bool TimeStepper::halve(State& state, double dt) const
{
    if (0.5 * dt < options_.min_step)
        return false;
    if (options_.adaptive) {
        state.clock.next_dt = 0.5 * dt;
    } else {
        refine(state.clock);
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
    while (newton.iterations <= many_iterations && clock.level > 0 && clock.sub % 2 == 0) {
        clock.sub /= 2; // two halves make the next larger step: try that one again
        --clock.level;
    }
    if (clock.sub == 1 << clock.level) {
        ++clock.whole;
        clock.sub = 0;
    }
    if (newton.iterations > hard_iterations && clock.level < deepest_hard_level && 0.5 * dt >= options_.min_step)
        refine(clock);
    state.time =
        (static_cast<double>(clock.whole) + std::ldexp(static_cast<double>(clock.sub), -clock.level)) * options_.step;
}

// The step of a solve that converged, unless a shorter one may detect contact that it has missed, or find the root that
// it has not.
bool TimeStepper::take(State& state, FailedSolve& tried, StepReport& report)
{
    const Stopwatch watch(report.balance_seconds);
    State next = end_of_step(state, tried);
    tried.unfelt = system_.contacts().unfelt_overlaps();
    for (const UnfeltOverlap& missed : audit_.missed(state, next, system_.contacts()))
        tried.unfelt.push_back(missed);
    const bool is_shortest = tried.dt < 1.5 * options_.step * shortest_for_unfelt;
    if (!is_shortest && !tried.unfelt.empty()) {
        tried.newton.status = NewtonStatus::missed_contact;
        return false;
    }
    StepBalance balance = step_balance(*world_, system_, state, next);
    if (!is_shortest && 0.5 * tried.dt >= options_.min_step && is_other_root(*world_, state, next, balance)) {
        tried.newton.status = NewtonStatus::gained_energy;
        return false;
    }
    report.done = true;
    report.unfelt = std::move(tried.unfelt);
    report.dt = tried.dt;
    report.newton = tried.newton;
    report.balance = std::move(balance);
    widen_untouched(contact_bodies(*world_), next);
    system_.contacts().for_each_contact([&](const Contact& contact) {
        if (!contact.presses())
            return;
        ++report.contacts;
        ++(contact.at.sticks ? report.sticking : report.sliding);
        report.max_contact_depth = std::max(report.max_contact_depth, contact.at.depth);
    });
    state = std::move(next);
    return true;
}

// Paper: Alg 1 lines 3 to 8
State TimeStepper::end_of_step(const State& state, const FailedSolve& solved) const
{
    State next = state;
    advance_clock(next, solved.dt, solved.newton);
    next.x = system_.positions();
    next.v = system_.velocities();
    for (std::size_t i = 0; i < next.v.size(); ++i)
        next.a[i] = (next.v[i] - state.v[i]) / solved.dt;
    next.rigid = system_.rigid().end_of_step();
    next.mpm = system_.grid().end_of_step();
    next.attachments = system_.contacts().update_attachments();
    return next;
}

} // namespace stickslip
