#include "stickslip/world/step_solve.h"
#include "stickslip/world/time_step.h"

#include "laws/rigid_world.h"

#include <gtest/gtest.h>

namespace stickslip::solve_costs_test {
namespace {

constexpr double dt = 1.0 / 240, size = 0.1;

/// A row of boxes side by side, without friction, into which another one flies.
RigidWorld hit_row(int boxes)
{
    RigidWorld w(dt);
    w.plane(Vec3::UnitY());
    for (int i = 0; i < boxes; ++i)
        w.box(Vec3::Constant(size), 600, Vec3(size * i, 0.5 * size, 0));
    w.box(Vec3::Constant(size), 600, Vec3(-1.12 * size, 0.5 * size, 0.01), rotation_exp(Vec3(0, 0.1, 0.02)),
        Vec3(5, 0, 0));
    return w;
}

/// The equations of a step that count what is asked of them.
class CountingEquations : public BackwardEuler {
public:
    using BackwardEuler::BackwardEuler;
    void residual(const BlockVector& z, BlockVector& g) override
    {
        ++evaluations;
        BackwardEuler::residual(z, g);
    }
    const BlockMatrix& assemble() override
    {
        ++assemblies;
        return BackwardEuler::assemble();
    }
    const BlockMatrix* assemble_convex() override
    {
        ++convex_assemblies;
        return BackwardEuler::assemble_convex();
    }
    int evaluations = 0, assemblies = 0, convex_assemblies = 0;
};

/// The row in the step of the hit.
struct Hit {
    RigidWorld w;
    State state;
    CountingEquations system;
    NewtonOptions options;

    explicit Hit(int boxes)
        : w(hit_row(boxes))
        , state(w.start(0))
        , system(w.world)
        , options(w.options().newton)
    {
        system.begin_step(state, dt);
    }
    void expect_counted(const NewtonReport& report) const
    {
        EXPECT_EQ(report.evaluations, system.evaluations);
        EXPECT_EQ(report.iterations, system.assemblies);
        EXPECT_EQ(report.descent_steps, system.convex_assemblies);
    }
};

TEST(SolveCosts, OfEveryWayInAreCounted)
{
    int tries = 0, descents = 0;
    for (const int iterations : {3, 20, 50}) {
        Hit hit(7);
        hit.options.max_iterations = iterations;
        const auto P = make_preconditioner(PreconditionerKind::automatic, hit.system.size(), true);
        SolveStrategies strategies(hit.system, *P, hit.options);
        NewtonReport spent = no_costs();
        FirstGuess guess(hit.system, hit.options.tolerance, spent);
        NewtonReport report = strategies.solve(guess.z(), &guess);
        add_costs(report, spent);
        tries += report.tries;
        descents += report.descent_steps;
        hit.expect_counted(report);
    }
    EXPECT_GT(tries, 6) << "the test means nothing without";
    EXPECT_GT(descents, 0) << "the test means nothing without";
}

TEST(SolveCosts, OfAStepOfAFewBodiesAreCounted)
{
    for (const int iterations : {2, 50}) {
        Hit hit(3); // so few are not solved in parts
        hit.options.max_iterations = iterations;
        StepSolve solve(hit.system, PreconditionerKind::automatic, true, hit.options);
        hit.expect_counted(solve());
    }
}

// Parts count by their share, in one sum rounded up.
TEST(SolveCosts, OfPartsAreNoneOfTheWholeButCount)
{
    Hit hit(7);
    hit.options.max_iterations = 2;
    StepSolve solve(hit.system, PreconditionerKind::automatic, true, hit.options);
    const NewtonReport report = solve();
    EXPECT_GT(report.iterations, hit.system.assemblies);
    EXPECT_GT(report.evaluations, hit.system.evaluations) << "of the whole, also between the rounds of parts";
}

TEST(SolveCosts, OfHalvedStepsAreCounted)
{
    RigidWorld w = hit_row(3);
    State state = w.start(0);
    StepOptions options = w.options();
    options.newton.max_iterations = 2;
    int seen_iterations = 0, seen_tries = 0, seen_failures = 0;
    StepProgress last;
    options.watch = [&](const StepProgress& progress) {
        seen_tries += progress.iterations == 0;
        seen_iterations += progress.iterations > last.iterations ? 1 : 0;
        seen_failures = std::max(seen_failures, progress.failures);
        last = progress;
    };
    TimeStepper stepper(w.world, options);
    int failures = 0;
    for (int n = 0; n < 4; ++n) {
        seen_iterations = seen_tries = seen_failures = 0;
        last = {};
        const double time = state.time;
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done);
        const NewtonReport costs = report.costs();
        EXPECT_EQ(costs.tries, seen_tries);
        EXPECT_EQ(costs.iterations, seen_iterations);
        EXPECT_EQ(static_cast<int>(report.failures.size()), seen_failures);
        EXPECT_EQ(last.time, time);
        EXPECT_EQ(last.dt, report.dt);
        EXPECT_GE(costs.evaluation_seconds, report.newton.evaluation_seconds);
        failures += seen_failures;
    }
    EXPECT_GT(failures, 0) << "the test means nothing without";
}

TEST(TimeStepper, EndsAStepThatTakesTooLongAndLeavesTheStateAsItWas)
{
    RigidWorld w = hit_row(7);
    State state = w.start(0), free = state;
    const State before = state;
    StepOptions options = w.options();
    TimeStepper unlimited(w.world, options);
    options.max_seconds = 0;
    TimeStepper limited(w.world, options);
    const StepReport report = limited.step(state);
    EXPECT_TRUE(!report.done && report.out_of_time && !report.stopped);
    ASSERT_EQ(report.failures.size(), 1u) << "no half step is begun";
    EXPECT_EQ(report.failures[0].newton.status, NewtonStatus::out_of_time);
    EXPECT_GT(report.failures[0].newton.residual, 0);
    EXPECT_EQ(state_hash(state), state_hash(before));
    EXPECT_EQ(state.clock, before.clock);

    options.max_seconds = 1e300; // more than a clock can hold
    TimeStepper patient(w.world, options);
    ASSERT_TRUE(patient.step(state).done);
    ASSERT_TRUE(unlimited.step(free).done);
    EXPECT_EQ(state_hash(state), state_hash(free));
}

} // namespace
} // namespace stickslip::solve_costs_test
