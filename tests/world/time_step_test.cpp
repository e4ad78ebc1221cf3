#include "stickslip/world/time_step.h"

#include "laws/rigid_world.h"
#include "support/same_attachment.h"
#include "support/threads.h"
#include "support/worlds.h"

#include <atomic>
#include <tuple>

namespace stickslip::time_step_test {
namespace {

constexpr double step = 0.01;

StepOptions options_for(const World& world, double dt = step)
{
    StepOptions o{.step = dt};
    o.newton.tolerance = automatic_tolerance(world, dt);
    return o;
}

/// A soft cube thrown onto a floor with friction.
CubeWorld thrown(double damping = 0, double friction = 0.4)
{
    CubeWorld w(2, 2e4, damping, 0.004);
    w.touch({.name = "floor", .solid = Plane{Vec3::UnitY()}}, friction, 1e6, true);
    for (std::size_t i = 0; i < w.v.size(); ++i)
        w.v[i] = Vec3(1, -1, 0.3) + Vec3(0, 0, 2).cross(w.x[i]);
    return w;
}

bool same_state(const State& a, const State& b)
{
    const bool attachments = std::equal(a.attachments.begin(), a.attachments.end(), b.attachments.begin(),
        b.attachments.end(), [](const Attachment& p, const Attachment& q) { return same_bits(p, q); });
    return attachments && a.time == b.time && same_bits(a.x, b.x) && same_bits(a.v, b.v);
}

TEST(TimeStepper, FallsFreelyAsBackwardEulerDoesExactly)
{
    CubeWorld w(2, 1e5, 0.01, 10);
    const Vec3 v0(0.3, 2, -1);
    w.v.assign(w.x.size(), v0);
    TimeStepper stepper(w.world, options_for(w.world));
    State state = w.state();
    for (int n = 1; n <= 20; ++n) {
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done);
        EXPECT_TRUE(report.failures.empty());
        EXPECT_EQ(report.contacts, 0);
        EXPECT_EQ(state.time, n * step);
        EXPECT_EQ(state.clock.whole, n);
        for (std::size_t i = 0; i < w.x.size(); ++i) {
            EXPECT_CLOSE_ALL(state.v[i], v0 + n * step * w.world.gravity, 1e-8);
            EXPECT_CLOSE_ALL(
                state.x[i], w.x[i] + n * step * v0 + 0.5 * n * (n + 1) * step * step * w.world.gravity, 1e-9);
        }
    }
}

TEST(TimeStepper, ClosesTheBalancesOfEnergyAndMomentum)
{
    for (const double damping : {0.0, 0.01})
        for (const RelaxationKind kind : {RelaxationKind::planar, RelaxationKind::exact_cone}) {
            CubeWorld w = thrown(damping);
            w.world.relaxation = kind;
            const StepOptions options = options_for(w.world);
            TimeStepper stepper(w.world, options);
            State state = w.state();
            int sliding = 0;
            double friction = 0;
            for (int n = 0; n < 60; ++n) {
                const State before = state;
                const StepReport report = stepper.step(state);
                ASSERT_TRUE(report.done);
                const StepBalance& b = report.balance;
                const double mass = w.world.deformables.bodies[0].mass, error = 2 * mass * options.newton.tolerance;
                double speed = 0.1;
                for (const Vec3& v : state.v)
                    speed = std::max(speed, v.norm());
                EXPECT_LT(b.momentum_error.norm(), error);
                EXPECT_LT(b.angular_error.norm(), error);
                EXPECT_LT(std::abs(b.energy_error), error * speed + 1e-12);
                EXPECT_NEAR(b.change, energies(w.world, state).total() - energies(w.world, before).total(), 1e-12);
                EXPECT_NEAR(b.change,
                    b.external_work + b.stiffening_work - b.inertia_loss - b.elastic_loss - b.viscous_loss
                        - b.friction_loss - b.contact_loss + b.energy_error,
                    1e-12);
                EXPECT_GE(b.friction_loss, -1e-15);
                EXPECT_GE(b.inertia_loss, 0);
                EXPECT_EQ(b.viscous_loss > 0, damping > 0);
                EXPECT_NEAR(b.external_work, 0, 1e-15) << "nothing is driven";
                EXPECT_EQ(report.contacts, report.sticking + report.sliding);
                EXPECT_EQ(state.attachments.size(), static_cast<std::size_t>(report.contacts));
                sliding += report.sliding;
                friction += b.friction_loss;
            }
            EXPECT_GT(sliding, 0);
            EXPECT_GT(friction, 0.1);
        }
}

TEST(TimeStepper, CountsTheWorkOfPinsAsExternal)
{
    CubeWorld w(2, 1e5, 0.01);
    DeformableSet& set = w.world.deformables;
    set.pin_frames = {{{}, {.velocity = Vec3(0, 1, 0)}}};
    for (int i = 0; i < static_cast<int>(w.x.size()); ++i)
        if (w.x[i].y() > 0.99 * CubeWorld::size)
            set.pins.push_back({i, w.x[i], 0});
    w.v.assign(w.x.size(), Vec3(0, 1, 0));
    TimeStepper stepper(w.world, options_for(w.world));
    State state = w.state();
    double work = 0;
    for (int n = 0; n < 200; ++n) {
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done);
        EXPECT_NEAR(report.balance.energy_error, 0, 1e-5 * 9.81 * step);
        work = report.balance.external_work;
    }
    EXPECT_NEAR(work, set.bodies[0].mass * 9.81 * step, 1e-5) << "in the end only the weight is lifted";
    for (const Pin& pin : set.pins)
        EXPECT_CLOSE_ALL(state.x[pin.node], pin.local + Vec3(0, state.time, 0), 1e-12);
}

TEST(TimeStepper, HalvedStepsReturnToTheGrid)
{
    CubeWorld w = thrown();
    StepOptions options = options_for(w.world);
    options.newton.max_iterations = 3;
    options.min_step = 1e-9;
    TimeStepper stepper(w.world, options);
    State state = w.state();
    int failures = 0, halved = 0;
    double sum = 0;
    std::int64_t whole = 0;
    for (int n = 0; n < 400 && state.clock.whole < 30; ++n) {
        const double before = state.time;
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done);
        failures += static_cast<int>(report.failures.size());
        halved += report.dt < step;
        sum += report.dt;
        for (const FailedSolve& f : report.failures) {
            EXPECT_EQ(f.time, before);
            EXPECT_NE(f.newton.status, NewtonStatus::converged);
            EXPECT_GT(f.dt, report.dt);
        }
        int exponent = 0;
        EXPECT_EQ(std::frexp(step / report.dt, &exponent), 0.5) << "a power of two of the step";
        EXPECT_NEAR(state.time - before, report.dt, 1e-15);
        EXPECT_NEAR(state.time, sum, 1e-14);
        EXPECT_GE(state.clock.whole, whole);
        EXPECT_LE(state.clock.whole, whole + 1);
        if (state.clock.level == 0) {
            EXPECT_EQ(state.clock.sub, 0);
            EXPECT_EQ(state.time, static_cast<double>(state.clock.whole) * step) << "on the grid to the last bit";
        } else {
            EXPECT_LT(state.clock.sub, std::int64_t{1} << state.clock.level);
        }
        whole = state.clock.whole;
    }
    EXPECT_EQ(state.clock.whole, 30);
    EXPECT_GT(failures, 0) << "the test means nothing without";
    EXPECT_GT(halved, 1);
}

/// Steps one after the other; each whole step is begun as such, and not solved where it says so, the first one too.
void expect_halved(RigidWorld& w, int steps, bool halved)
{
    State state = w.start(0.5);
    TimeStepper stepper(w.world, w.options());
    for (int n = 0; n < steps; ++n) {
        const bool is_whole = state.clock.level == 0;
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done);
        EXPECT_EQ(report.dt, halved ? 0.5 * w.dt : w.dt) << n;
        EXPECT_EQ(report.failed_solves(), 0) << n;
        EXPECT_EQ(report.divided, halved && is_whole) << n;
        EXPECT_EQ(report.turning, report.divided ? 0 : -1) << n;
        EXPECT_TRUE(report.failures.empty()) << n;
    }
}

TEST(TimeStepper, HalvesWhatRollsTooFarWithoutASolve)
{
    for (const double dt : {1.0 / 30, 1.0 / 60}) {
        RigidWorld w(dt);
        w.plane(Vec3::UnitY());
        const double radius = 0.06, v = 2; // 1.1 rad in a step of 1/30 s
        w.rimmed(Torus{0.05, 0.01}, 700, Vec3(0, radius, 0), rotation_exp(Vec3(M_PI / 2, 0, 0)), Vec3(v, 0, 0),
            Vec3(0, 0, -v / radius));
        expect_halved(w, 6, dt > 1.0 / 60);
    }
}

TEST(TimeStepper, GivesUpAtTheSmallestStepAndLeavesTheStateAsItWas)
{
    for (const bool adaptive : {false, true}) {
        CubeWorld w = thrown();
        StepOptions options = options_for(w.world);
        options.newton.max_iterations = 0;
        options.min_step = step / 8;
        options.adaptive = adaptive;
        TimeStepper stepper(w.world, options);
        State state = w.state();
        const State before = state;
        const StepReport report = stepper.step(state);
        EXPECT_FALSE(report.done);
        EXPECT_EQ(report.failures.size(), 4u);
        EXPECT_EQ(report.failures.back().dt, step / 8);
        EXPECT_TRUE(same_state(state, before));
        EXPECT_EQ(state.clock, before.clock)
            << "adaptive " << adaptive << ": level " << state.clock.level << ", next dt " << state.clock.next_dt;
    }
}

TEST(TimeStepper, LeavesTheStateAsItWasWhenItIsStopped)
{
    const CubeWorld w = thrown();
    std::atomic<bool> stop = false;
    StepOptions options = options_for(w.world);
    options.newton.stop = &stop;
    TimeStepper stepper(w.world, options), undisturbed(w.world, options_for(w.world));
    State state = w.state(), other = w.state();
    for (int n = 0; n < 12; ++n) {
        const State before = state;
        stop = true;
        const StepReport stopped = stepper.step(state);
        ASSERT_TRUE(!stopped.done && stopped.stopped);
        EXPECT_TRUE(same_state(state, before));
        EXPECT_EQ(std::tuple(state.clock.whole, state.clock.sub, state.clock.level),
            std::tuple(before.clock.whole, before.clock.sub, before.clock.level));
        stop = false;
        ASSERT_TRUE(stepper.step(state).done);
        ASSERT_TRUE(undisturbed.step(other).done);
        EXPECT_TRUE(same_state(state, other));
    }
}

TEST(TimeStepper, AdaptiveStepsStayWithinTheirBoundsAndBelowHalfAnElementPerStep)
{
    CubeWorld w = thrown();
    for (Vec3& p : w.x)
        p.y() += 2;
    StepOptions options = options_for(w.world);
    options.adaptive = true;
    options.max_step = 0.03;
    TimeStepper stepper(w.world, options);
    State state = w.state();
    const double element = w.world.deformables.bodies[0].element_size;
    double last = 0, time = 0;
    bool grew = false, was_limited = false;
    for (int n = 0; n < 100; ++n) {
        double speed = 0;
        for (const Vec3& v : state.v)
            speed = std::max(speed, v.norm());
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done);
        EXPECT_GE(report.dt, stepper.options().min_step);
        EXPECT_LE(report.dt, 0.03);
        EXPECT_LE(report.dt * speed, 0.5 * element * (1 + 1e-12));
        if (last > 0) {
            EXPECT_LE(report.dt, 1.25 * last * (1 + 1e-12));
        }
        grew = grew || (last > 0 && report.dt > 1.2 * last);
        was_limited = was_limited || report.dt * speed > 0.499 * element;
        time += report.dt;
        EXPECT_NEAR(state.time, time, 1e-12);
        last = report.dt;
    }
    EXPECT_TRUE(grew);
    EXPECT_TRUE(was_limited);
}

TEST(TimeStepper, ResumesFromAStateToTheSameBits)
{
    const CubeWorld w = thrown();
    StepOptions options = options_for(w.world);
    options.newton.max_iterations = 3; // with halvings
    TimeStepper whole(w.world, options);
    State state = w.state(), resumed;
    for (int n = 0; n < 40; ++n) {
        if (n == 15)
            resumed = state;
        ASSERT_TRUE(whole.step(state).done);
    }
    TimeStepper second(w.world, options);
    for (int n = 15; n < 40; ++n)
        ASSERT_TRUE(second.step(resumed).done);
    EXPECT_TRUE(same_state(state, resumed));
    EXPECT_EQ(state.clock, resumed.clock);
    EXPECT_EQ(state_hash(state), state_hash(resumed));
}

TEST(TimeStepper, GivesTheSameBitsForAnyNumberOfThreads)
{
    std::vector<State> states;
    for (const std::size_t threads : {1, 2})
        for (const PreconditionerKind kind : {PreconditionerKind::lu, PreconditionerKind::block_ssor}) {
            const ThreadLimit limit(threads);
            CubeWorld w(7, 2e4, 0.001, 0.001);
            w.touch({.name = "floor", .solid = Plane{Vec3::UnitY()}}, 0.4, 1e6, true);
            w.v.assign(w.x.size(), Vec3(1, -1, 0));
            StepOptions options = options_for(w.world);
            options.preconditioner = kind;
            TimeStepper stepper(w.world, options);
            states.push_back(w.state());
            for (int n = 0; n < 3; ++n)
                EXPECT_TRUE(stepper.step(states.back()).done);
        }
    EXPECT_TRUE(same_state(states[0], states[2]));
    EXPECT_TRUE(same_state(states[1], states[3]));
}

TEST(AutomaticTolerance, FollowsGravityAndTheStep)
{
    World world;
    EXPECT_EQ(automatic_tolerance(world, 0.01), 1e-9);
    world.gravity = Vec3(0, 0, -10);
    EXPECT_NEAR(automatic_tolerance(world, 0.01), 1e-7, 1e-20);
}

TEST(AttainableTolerance, FollowsStiffnessAndDistance)
{
    const CubeWorld w(4, 1e6, 0.01, 0.01);
    State state = w.state();
    const double here = attainable_tolerance(w.world, state, 0.01);
    EXPECT_GT(here, 0);
    EXPECT_LT(here, 1e-10);
    for (Vec3& x : state.x)
        x += Vec3(1000, 0, 0);
    EXPECT_GT(attainable_tolerance(w.world, state, 0.01), 100 * here);
    EXPECT_NEAR(attainable_tolerance(CubeWorld(4, 4e6, 0.01, 0.01).world, w.state(), 0.01), 4 * here, 1e-6 * here);
    EXPECT_EQ(attainable_tolerance(World(), State(), 0.01), 0);
}

} // namespace
} // namespace stickslip::time_step_test
