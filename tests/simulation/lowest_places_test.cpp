#include <stickslip/stickslip.h>

#include <gtest/gtest.h>

#include <string>

/// Circles of rings, cylinders and cones touch where their distance has a minimum along them. As a body rocks, minima
/// appear, vanish and leap from one end of a flat stretch to the other; the force does not, and every solve has a root.
namespace stickslip::lowest_places_test {
namespace {

struct Case {
    std::string name, obstacle, body;
    double step = 0.0166666667;
    double until = 2;
};

void expect_no_failed_solve(const Case& on)
{
    SCOPED_TRACE(on.name);
    Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: " + std::to_string(on.step)
        + ", end: 4}\ncontact: {friction: 0.6}\nmaterials: {oak: {density: 1000}}\nbodies:\n  - {name: floor, kind: "
          "obstacle, shape: "
        + on.obstacle + "}\n  - {name: body, kind: rigid, material: oak, place_on: floor, shape: " + on.body + "}\n"));
    int failed = 0;
    EXPECT_EQ(simulation.run(on.until, [&](const Simulation& after) { failed += after.report().failed_solves; }),
        RunStatus::done);
    EXPECT_EQ(failed, 0);
}

TEST(LowestPlaces, ARingUnderAFlatRoundEnd)
{
    expect_no_failed_solve({"disc tilts on a ring", "{torus: {major: 0.12, minor: 0.03}}",
        "{cylinder: {radius: 0.15, height: 0.03}}, position: [0, 1, 0], rotation: {axis: [0, 0, 1], degrees: 45}"});
}

TEST(LowestPlaces, ARingUnderTheCornersOfABox)
{
    expect_no_failed_solve({"box stands in a ring", "{torus: {major: 0.12, minor: 0.03}}",
        "{box: [0.12, 0.2, 0.2]}, position: [0, 1, 0]", 0.0166666667, 4});
}

TEST(LowestPlaces, ARingLaidOverACapsule)
{
    expect_no_failed_solve(
        {"ring over a capsule", "{capsule: {radius: 0.03424, height: 0.107}}, rotation: {axis: [1, 0, 0], degrees: 90}",
            "{torus: {major: 0.07438, minor: 0.03235}}, position: [0, 1, -0.0104], velocity: [0, -0.476, -0.24]",
            0.00833333333, 1});
}

TEST(LowestPlaces, AConeOnALogAsLongAsItIsWide)
{
    expect_no_failed_solve(
        {"cone on a log", "{cylinder: {radius: 0.08, height: 0.2}}, rotation: {axis: [1, 0, 0], degrees: 90}",
            "{cone: {radius: 0.1, height: 0.2}}, position: [0, 1, 0]"});
}

} // namespace
} // namespace stickslip::lowest_places_test
