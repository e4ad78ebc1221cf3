#include <stickslip/stickslip.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

/// A slope that falls from the rim of a table is not felt by what slides over that rim, nor is a table of the same
/// height: springs and material points let it sink a little, so that it passes through the corner of the slope.
namespace stickslip::falling_slopes_test {
namespace {

constexpr double speed = 2;

// Its velocity after 0.25 s, 0.5 m on: it crosses the rim at half of that.
Vec3 after_the_rim(const std::string& body, double degrees, double dt)
{
    const double turn = degrees * std::numbers::pi / 180, c = std::cos(turn), s = std::sin(turn);
    const auto text = [](double x) { return std::to_string(x); };
    Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: " + text(dt)
        + ", end: 1}\ncontact: {friction: 0}\n"
          "materials:\n  stone: {density: 1000}\n  rubber: {density: 1000, young: 1.0e5, poisson: 0.3}\n"
          "  water: {density: 1000, model: fluid, bulk_modulus: 1.0e5, viscosity: 0.01}\nbodies:\n"
          "  - {name: table, kind: obstacle, shape: {box: [0.5, 0.1, 1]}, position: [-0.25, -0.05, 0]}\n"
          "  - {name: slope, kind: obstacle, shape: {box: [0.6, 0.1, 1]}, position: ["
        + text(0.3 * c - 0.05 * s) + ", " + text(-0.3 * s - 0.05 * c)
        + ", 0], rotation: {axis: [0, 0, 1], degrees: " + text(-degrees) + "}}\n  - {name: slider, " + body
        + ", shape: {box: [0.1, 0.06, 0.1]}, position: [-0.2, 0.03, 0.011], velocity: [2, 0, 0]}\n"));
    EXPECT_EQ(simulation.run(0.25), RunStatus::done);
    return simulation.pose("slider").v;
}

class FallingSlopes : public testing::TestWithParam<const char*> { };

TEST_P(FallingSlopes, DoNotStopWhatSlidesOntoThem)
{
    for (const double degrees : {0.0, 0.2, 1.0, 11.0})
        for (const double dt : {0.01, 0.0025}) {
            SCOPED_TRACE(degrees);
            SCOPED_TRACE(dt);
            const Vec3 v = after_the_rim(GetParam(), degrees, dt);
            // a material point feels the end of a slope a little, from half its width before it on
            EXPECT_GT(v.x(), speed - (std::string(GetParam()).starts_with("kind: mpm") ? 0.1 : 5e-3));
            // down the slope it gains speed: no more than all of the time since the rim gives
            EXPECT_LT(v.x(), speed + 5e-3 + 9.81 * std::sin(degrees * std::numbers::pi / 180) * 0.15);
        }
}

INSTANTIATE_TEST_SUITE_P(OfAllKinds, FallingSlopes,
    testing::Values("kind: rigid, material: stone", "kind: deformable, material: rubber, resolution: 0.03",
        "kind: mpm, material: rubber, resolution: 0.03, particles_per_cell: 8",
        "kind: mpm, material: water, resolution: 0.03, particles_per_cell: 8"));

} // namespace
} // namespace stickslip::falling_slopes_test
