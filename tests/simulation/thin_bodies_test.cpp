#include <stickslip/stickslip.h>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

/// What is round and no wider than some elements of a deformable body meets it between its nodes.
namespace stickslip::thin_bodies_test {
namespace {

constexpr double g = 9.81; // [m/s^2]

std::string world(const std::string& bodies, double friction = 0.5, const std::string& gravity = "[0, -9.81, 0]")
{
    return "stickslip: 1\ntime: {step: 0.01, end: 3}\ngravity: " + gravity
        + "\ncontact: {friction: " + std::to_string(friction) + R"(}
materials:
  steel: {density: 7000}
  rubber: {density: 1000, young: 3e5, poisson: 0.3, damping: 0.05}
  plastic: {density: 1000, young: 1e8, poisson: 0.3, damping: 0.002}
  foam: {density: 1000, young: 2e5, poisson: 0.3, damping: 0.01}
  cork: {density: 500}
bodies:
)" + bodies;
}

// Supports go between the nodes of the mat, which are 10 cm apart.
TEST(ThinBody, CarriesACoarseMat)
{
    const std::string lying = "position: [-0.143, 0.5, 0], rotation: {axis: [1, 0, 0], degrees: 90}, copies: {grid: "
                              "{count: [2, 1, 1], spacing: [0.31, 1, 1]}}";
    const std::string four =
        "position: [-0.143, 0.5, -0.133], copies: {grid: {count: [2, 1, 2], spacing: [0.31, 1, 0.29]}}";
    const std::vector<std::pair<std::string, std::string>> supports{{"cylinder: {radius: 0.01, height: 1}", lying},
        {"capsule: {radius: 0.01, height: 1}", lying}, {"cone: {radius: 0.02, height: 1}", lying},
        {"torus: {major: 0.12, minor: 0.01}", "position: [0.007, 0.5, 0.003]"}, {"sphere: 0.02", four},
        {"capsule: {radius: 0.015, height: 0.3}", four}};
    for (const auto& [shape, more] : supports) {
        SCOPED_TRACE(shape);
        Simulation simulation(
            scene_from_text(world("  - {name: bar, kind: obstacle, shape: {" + shape + "}, " + more + R"(}
  - {name: mat, kind: deformable, material: rubber, resolution: 0.1, shape: {box: [0.6, 0.05, 0.6]}, position: [0, 0.7, 0]}
)")));
        ASSERT_EQ(simulation.run(3), RunStatus::done);
        const double weight = 1000 * 0.6 * 0.05 * 0.6 * g;
        EXPECT_NEAR(simulation.contact_force("mat").y(), weight, 1e-2 * weight);
        EXPECT_TRUE(simulation.messages().empty()) << simulation.messages().front();
    }
}

TEST(ThinBody, LiesOnACoarseSlab)
{
    Simulation simulation(scene_from_text(world(R"(
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: slab, kind: deformable, material: rubber, resolution: 0.1, shape: {box: [0.6, 0.1, 0.6]}, position: [0, 0.05, 0]}
  - {name: capsule, kind: rigid, material: steel, shape: {capsule: {radius: 0.01, height: 0.2}}, position: [0.013, 0.24, 0.017]}
  - {name: ring, kind: rigid, material: steel, shape: {torus: {major: 0.06, minor: 0.008}}, position: [0.17, 0.2, 0.117],
     rotation: {axis: [1, 0, 0], degrees: 20}}
  - {name: rod, kind: rigid, material: steel, shape: {cylinder: {radius: 0.01, height: 0.3}}, position: [-0.15, 0.2, 0.05],
     rotation: {axis: [1, 0, 0.2], degrees: 80}}
)")));
    ASSERT_EQ(simulation.run(3), RunStatus::done);
    for (const char* name : {"capsule", "ring", "rod"}) {
        const double weight = simulation.body(name).mass * g;
        EXPECT_NEAR(simulation.contact_force(name).y(), weight, 2e-2 * weight) << name;
        EXPECT_NEAR(simulation.pose(name).x.y(), 0.109, 3e-3) << name;
    }
    EXPECT_TRUE(simulation.messages().empty()) << simulation.messages().front();
}

// On a slab that is held a rod slides along its axis as a point does, and across it rolls.
TEST(ThinBody, SlidesAndRollsByTheLaw)
{
    constexpr double slope = 0.3, mu = 0.2, until = 0.4;
    const std::string down =
        "[" + std::to_string(g * std::sin(slope)) + ", " + std::to_string(-g * std::cos(slope)) + ", 0]";
    for (const char* axis : {"[0, 0, 1]", "[1, 0, 0]"}) {
        Simulation simulation(scene_from_text(world(std::string(R"(
  - {name: slab, kind: deformable, material: rubber, resolution: 0.1, shape: {box: [2, 0.1, 0.6]}, fix: [{box: {min: [-2, -1, -1], max: [2, 1, 1]}}]}
  - {name: rod, kind: rigid, material: steel, shape: {capsule: {radius: 0.01, height: 0.2}}, position: [-0.7, 0.06, 0.013],
     rotation: {axis: )")
                + axis + ", degrees: 90}}\n",
            mu, down)));
        ASSERT_EQ(simulation.run(until), RunStatus::done);
        // I/(m r^2) of a capsule ten times as long as wide
        const double cylinder = 20, balls = 4.0 / 3, inertia = (0.5 * cylinder + 0.4 * balls) / (cylinder + balls);
        const bool rolls = axis[1] == '1';
        const double a = rolls ? g * std::sin(slope) / (1 + inertia) : g * (std::sin(slope) - mu * std::cos(slope));
        const double way = 0.5 * a * until * (until + simulation.time_step()); // of backward Euler
        EXPECT_NEAR(simulation.pose("rod").x.x() + 0.7, way, 2e-3 * way) << axis; // it first sinks into its contact
    }
}

// By its nodes alone it lies in the valleys between them: the plate would stop after 25 mm.
TEST(RoundBody, LetsASoftPlateGlide)
{
    Simulation simulation(scene_from_text(world(R"(
  - {name: bar, kind: obstacle, shape: {cylinder: {radius: 0.1, height: 0.4}}, position: [-0.3, -0.1, 0], rotation: {axis: [1, 0, 0], degrees: 90},
     copies: {grid: {count: [2, 1, 1], spacing: [0.6, 1, 1]}}}
  - {name: plate, kind: deformable, material: plastic, resolution: 0.05, shape: {box: [1.2, 0.05, 0.2]},
     position: [-0.1, 0.025, 0], velocity: [0.1, 0, 0]}
)",
        0)));
    ASSERT_EQ(simulation.run(1.5), RunStatus::done);
    EXPECT_NEAR(simulation.pose("plate").x.x() + 0.1, 0.15, 6e-3);
}

// A capsule of two elements' radius. By nodes alone it loses half of its speed in 0.8 m.
TEST(RoundBody, RollsOnASoftMat)
{
    Simulation simulation(scene_from_text(world(R"(
  - {name: mat, kind: deformable, material: foam, resolution: 0.05, shape: {box: [1.6, 0.1, 0.6]},
     position: [0.2, -0.05, 0], fix: [{box: {min: [-2, -0.101, -1], max: [2, -0.099, 1]}}]}
  - {name: capsule, kind: rigid, material: cork, shape: {capsule: {radius: 0.1, height: 0.2}}, position: [-0.3, 0.09, 0],
     rotation: {axis: [1, 0, 0], degrees: 90}, velocity: [1, 0, 0], angular_velocity: [0, 0, -10]}
)")));
    ASSERT_EQ(simulation.run(0.8), RunStatus::done);
    EXPECT_NEAR(simulation.pose("capsule").v.x(), 1, 6e-2);
}

} // namespace
} // namespace stickslip::thin_bodies_test
