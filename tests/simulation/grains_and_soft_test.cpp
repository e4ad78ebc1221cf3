#include <stickslip/stickslip.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

/// Material points touch a deformable body by the face they come to, not by those around the corner.
namespace stickslip::grains_and_soft_test {
namespace {

std::string world(const std::string& bodies, const std::string& gravity)
{
    return "stickslip: 1\ntime: {step: 0.005, end: 1}\ngravity: " + gravity + R"(
contact: {friction: 0.4}
materials:
  grains: {density: 1000, young: 1.0e5, poisson: 0.3, damping: 0.01}
  rubber: {density: 1000, young: 1.0e5, poisson: 0.3}
bodies:
)" + bodies;
}

/// The largest rise of the energy in a step [J].
double largest_rise(Simulation& simulation, double until)
{
    double rise = 0, before = simulation.energies().total();
    EXPECT_EQ(simulation.run(until,
                  [&](const Simulation& s) {
                      const double after = s.energies().total();
                      rise = std::max(rise, after - before);
                      before = after;
                  }),
        RunStatus::done);
    return rise;
}

TEST(GrainsAndSoft, ABedBearsTheWeightOfACube)
{
    Simulation simulation(scene_from_text(world(R"(
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: bed, kind: mpm, material: grains, shape: {box: [0.3, 0.1, 0.3]}, resolution: 0.03, position: [0, 0.05, 0]}
  - {name: cube, kind: deformable, material: rubber, shape: {box: [0.1, 0.1, 0.1]}, resolution: 0.025, position: [0, 0.15, 0]}
)",
        "[0, -9.81, 0]")));
    EXPECT_LT(largest_rise(simulation, 0.5), 1e-6);
    EXPECT_NEAR(simulation.contact_force("cube").y(), 9.81, 0.02);
    double pressed = 0; // [N] sum of the normal forces on the cube
    const Contacts contacts = simulation.contacts();
    for (std::size_t i = 0; i < contacts.size(); ++i)
        if (simulation.bodies()[contacts.second[i]].name == "cube")
            pressed += std::abs(contacts.force[i].dot(contacts.normal[i]));
    EXPECT_NEAR(pressed, 9.81, 0.05);
}

TEST(GrainsAndSoft, TwoCubesHitEachOtherFaceOnAndLoseEnergy)
{
    Simulation simulation(scene_from_text(world(R"(
  - {name: left, kind: mpm, material: grains, shape: {box: [0.1, 0.1, 0.1]}, resolution: 0.03, position: [-0.06, 0, 0], velocity: [0.5, 0, 0]}
  - {name: right, kind: deformable, material: rubber, shape: {box: [0.1, 0.1, 0.1]}, resolution: 0.025, position: [0.06, 0, 0]}
)",
        "[0, 0, 0]")));
    EXPECT_LT(largest_rise(simulation, 0.3), 1e-9);
}

} // namespace
} // namespace stickslip::grains_and_soft_test
