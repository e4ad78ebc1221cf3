#include <stickslip/stickslip.h>

#include <gtest/gtest.h>

#include <string>

/// What the linear solver of a step is chosen for: stiff bodies on soft ones, and forces of the size of rounding.
namespace stickslip::stiff_on_soft_test {
namespace {

struct Costs {
    int newton = 0, krylov = 0, failed = 0;
};

Costs costs_of(Simulation& simulation, double until)
{
    Costs sum;
    while (simulation.time() < until - 1e-9) {
        if (simulation.step() != RunStatus::done) {
            ADD_FAILURE() << "gave up at " << simulation.time() << " s";
            return sum;
        }
        const StepSummary step = simulation.report();
        sum.newton += step.newton_iterations;
        sum.krylov += step.krylov_iterations;
        sum.failed += step.failed_solves;
    }
    return sum;
}

/// A deformable cube of this Young's modulus [Pa] on one of 0.1 MPa, which slide on each other as the lower one bulges.
std::string hard_on_soft(const std::string& young)
{
    return R"(stickslip: 1
time: {step: 0.01, end: 1}
contact: {friction: 0.3}
materials:
  soft: {density: 1000, young: 1e5, poisson: 0.3}
  hard: {density: 2000, young: )"
        + young + R"(, poisson: 0.3}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: soft, kind: deformable, material: soft, resolution: 0.05, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 0.1, 0]}
  - {name: hard, kind: deformable, material: hard, resolution: 0.1, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 0.3, 0]}
)";
}

TEST(StiffOnSoft, CostsFewIterationsOfTheLinearSolver)
{
    for (const char* young : {"1e7", "1e9", "2e11"}) {
        SCOPED_TRACE(young);
        Simulation simulation(scene_from_text(hard_on_soft(young)));
        const Costs costs = costs_of(simulation, 0.05);
        EXPECT_EQ(costs.failed, 0);
        EXPECT_LT(costs.krylov, 40 * costs.newton);
        EXPECT_LT(costs.newton, 200);
    }
}

/// A cube of rubber with this gravity [m/s^2], pressed from above.
std::string pressed(const std::string& gravity)
{
    return "stickslip: 1\ntime: {step: 0.01, end: 1}\ncontact: {friction: 0.3}\ngravity: [0, -" + gravity + R"(, 0]
materials:
  rubber: {density: 1000, young: 1e6, poisson: 0.4}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: cube, kind: deformable, material: rubber, resolution: 0.05, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 0.1, 0]}
  - {name: ball, kind: obstacle, shape: {sphere: 0.1}, position: [0, 0.301, 0], motion: {velocity: [0, -0.02, 0]}}
)";
}

TEST(TinyGravity, AsksForNoMoreThanRoundingAdmits)
{
    for (const char* gravity : {"0", "1e-4", "1e-6", "1e-9"}) {
        SCOPED_TRACE(gravity);
        Simulation simulation(scene_from_text(pressed(gravity)));
        const Costs costs = costs_of(simulation, 0.2);
        EXPECT_EQ(costs.failed, 0);
        EXPECT_LT(costs.newton, 200);
    }
}

} // namespace
} // namespace stickslip::stiff_on_soft_test
