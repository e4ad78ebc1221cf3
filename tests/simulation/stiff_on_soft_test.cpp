#include <stickslip/stickslip.h>

#include <gtest/gtest.h>

#include <algorithm>
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

/// A soft cube falls on the edge of a step that is this high [m].
std::string cube_on_an_edge(double height)
{
    return R"(stickslip: 1
time: {step: 0.01, end: 0.1}
materials:
  gel: {density: 1000, young: 1e5, poisson: 0.3}
bodies:
  - {name: step, kind: obstacle, shape: {box: [0.3, )"
        + std::to_string(height) + R"(, 0.3]}, position: [-0.15, )" + std::to_string(-height / 2) + R"(, 0]}
  - {name: cube, kind: deformable, material: gel, resolution: 0.04, shape: {box: [0.2, 0.2, 0.2]},
     position: [0.02, 0.15, 0], rotation: {axis: [0, 0, 1], degrees: 40}, velocity: [0, -1, 0]}
)";
}

/// The largest force over depth [N/m] of a point of the step in the cube, over the first 0.1 s.
double largest_stiffness(double height)
{
    Simulation simulation(scene_from_text(cube_on_an_edge(height)));
    double largest = 0;
    while (simulation.time() < 0.1 - 1e-9 && simulation.step() == RunStatus::done) {
        const Contacts contacts = simulation.contacts();
        for (std::size_t i = 0; i < contacts.size(); ++i)
            if (contacts.first[i] == 0 && contacts.first_point[i] >= 0 && contacts.depth[i] > 1e-7)
                largest = std::max(largest, contacts.force[i].dot(contacts.normal[i]) / contacts.depth[i]);
    }
    return largest;
}

TEST(StiffOnSoft, AnEdgeIsAsStiffWhateverFacesAreBesideIt)
{
    const double low = largest_stiffness(0.6);
    EXPECT_GT(low, 0);
    EXPECT_NEAR(largest_stiffness(1.2) / low, 1, 1e-6);
}

} // namespace
} // namespace stickslip::stiff_on_soft_test
