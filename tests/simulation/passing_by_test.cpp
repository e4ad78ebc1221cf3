#include <stickslip/stickslip.h>

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <string>

/// What goes past a corner of another body, however near, is not touched by it.
namespace stickslip::passing_by_test {
namespace {

// A square hole of 0.1 m through a square plate of 0.3 x 0.3 x 0.1 m.
const char* const frame =
    "v .15 -.05 .15\nv .15 -.05 -.15\nv -.15 -.05 -.15\nv -.15 -.05 .15\nv .15 .05 .15\nv .15 .05 -.15\n"
    "v -.15 .05 -.15\nv -.15 .05 .15\nv .05 -.05 .05\nv .05 -.05 -.05\nv -.05 -.05 -.05\nv -.05 -.05 .05\n"
    "v .05 .05 .05\nv .05 .05 -.05\nv -.05 .05 -.05\nv -.05 .05 .05\n"
    "f 1 2 6\nf 1 6 5\nf 9 14 10\nf 9 13 14\nf 5 6 14\nf 5 14 13\nf 1 10 2\nf 1 9 10\nf 2 3 7\nf 2 7 6\n"
    "f 10 15 11\nf 10 14 15\nf 6 7 15\nf 6 15 14\nf 2 11 3\nf 2 10 11\nf 3 4 8\nf 3 8 7\nf 11 16 12\nf 11 15 16\n"
    "f 7 8 16\nf 7 16 15\nf 3 12 4\nf 3 11 12\nf 4 1 5\nf 4 5 8\nf 12 13 9\nf 12 16 13\nf 8 5 13\nf 8 13 16\n"
    "f 4 9 1\nf 4 12 9\n";

constexpr double g = 9.81, dt = 0.002;

class PassingBy : public testing::Test {
protected:
    PassingBy() { std::ofstream(folder_.path() / "frame.obj") << frame; }

    Simulation start(const std::string& bodies, double gravity = g) const
    {
        return Simulation(scene_from_text("stickslip: 1\ngravity: [0, " + std::to_string(-gravity)
                + ", 0]\ntime: {step: " + std::to_string(dt)
                + ", end: 1}\ncontact: {friction: 0}\nmaterials: {rock: {density: 2500}, "
                  "rubber: {density: 1000, young: 1.0e6, poisson: 0.4}}\nbodies:\n"
                + bodies,
            {.folder = folder_.path().string()}));
    }

    // Of backward Euler in free fall.
    static void expect_to_fall(Simulation& simulation, double from)
    {
        constexpr double until = 0.25;
        ASSERT_EQ(simulation.run(until), RunStatus::done);
        EXPECT_NEAR(simulation.pose("block").x.y(), from - g * until * (until + dt) / 2, 1e-9);
        EXPECT_NEAR(simulation.pose("block").w.norm(), 0, 1e-9);
    }

    TemporaryFolder folder_;
};

TEST_F(PassingBy, APegFallsThroughAHole)
{
    for (const double clearance : {1e-4, 1e-3, 5e-3})
        for (const double from : {0.14, 0.16}) { // its lower face 1 cm below the rim, or above it
            SCOPED_TRACE(clearance);
            SCOPED_TRACE(from);
            const std::string width = std::to_string(0.1 - 2 * clearance);
            Simulation simulation = start("  - {name: plate, kind: obstacle, shape: {mesh: {file: frame.obj}}}\n"
                                          "  - {name: block, kind: rigid, material: rock, shape: {box: ["
                + width + ", 0.2, " + width + "]}, position: [0, " + std::to_string(from) + ", 0]}\n");
            expect_to_fall(simulation, from);
        }
}

TEST_F(PassingBy, ABlockFallsBesideASoftOne)
{
    for (const double element : {0.05, 0.1, 0.2})
        for (const double gap : {0.001, 0.01, 0.02}) {
            SCOPED_TRACE(element);
            SCOPED_TRACE(gap);
            Simulation simulation =
                start("  - {name: soft, kind: deformable, material: rubber, shape: {box: [0.6, 0.2, 0.6]}, resolution: "
                    + std::to_string(element)
                    + ", position: [-0.3, -0.1, 0], fix: [{box: {min: [-9, -9, -9], max: [9, -0.15, 9]}}]}\n"
                      "  - {name: block, kind: rigid, material: rock, shape: {box: [0.1, 0.2, 0.1]}, position: ["
                    + std::to_string(0.05 + gap) + ", 0.101, 0]}\n");
            expect_to_fall(simulation, 0.101);
        }
}

TEST_F(PassingBy, ABlockGoesOnBesideAFrame)
{
    for (const double speed : {0.1, 2.0}) {
        Simulation simulation =
            start("  - {name: plate, kind: rigid, material: rock, shape: {mesh: {file: frame.obj}}}\n"
                  "  - {name: block, kind: rigid, material: rock, shape: {box: [0.1, 0.2, 0.1]}, "
                  "position: [0.201, 0.02, "
                    + std::to_string(-0.21) + "], velocity: [0, 0, " + std::to_string(speed) + "]}\n",
                0);
        ASSERT_EQ(simulation.run(0.3), RunStatus::done);
        EXPECT_NEAR(simulation.pose("block").v.z(), speed, 1e-12);
        EXPECT_NEAR(simulation.pose("block").w.norm(), 0, 1e-12);
    }
}

// Its lower edges end at the corner that has passed the rim. They cross the rim there, deep, but beside the plate.
TEST_F(PassingBy, ATiltedBlockSlidesDownARim)
{
    const auto fallen = [&](const std::string& plate, double degrees, double over) {
        const double angle = degrees * std::numbers::pi / 180, half = 0.025;
        const Vec3 corner(0.15 + over, 0.0505, 0.003);
        const Vec3 centre =
            corner + half * Vec3(std::cos(angle) - std::sin(angle), std::cos(angle) + std::sin(angle), 0);
        Simulation simulation = start("  - {name: plate, kind: obstacle, shape: " + plate
            + "}\n  - {name: block, kind: rigid, material: rock, shape: {box: [0.05, 0.05, 0.05]}, position: ["
            + std::to_string(centre.x()) + ", " + std::to_string(centre.y())
            + ", 0.003], rotation: {axis: [0, 0, 1], "
              "degrees: "
            + std::to_string(degrees) + "}, fixed_dofs: [rx, ry, rz], force: [-0.47, 0, 0]}\n");
        EXPECT_EQ(simulation.run(0.3), RunStatus::done);
        return simulation.pose("block").x;
    };
    for (const double degrees : {1.0, 5.0, 8.0})
        for (const double over : {2e-4, -2e-4}) { // beside the rim; or on the top, from which it slides off
            const Vec3 on_mesh = fallen("{mesh: {file: frame.obj}}", degrees, over),
                       on_box = fallen("{box: [0.3, 0.1, 0.3]}", degrees, over);
            EXPECT_LT(on_box.y(), over > 0 ? -0.2 : 0.2);
            EXPECT_LT((on_mesh - on_box).norm(), 2e-3) << degrees << " degrees, " << over;
        }
}

// Nodes that pass the rim a hundredth of a millimetre inside are let go as they go down beside it, one step later.
TEST_F(PassingBy, ASoftBlockFallsPastARim)
{
    for (const double step : {0.002, 0.004}) {
        Simulation simulation(scene_from_text(
            "stickslip: 1\ngravity: [-3, -9.81, 0]\ntime: {step: " + std::to_string(step)
            + ", end: 1}\ncontact: {friction: 0}\nmaterials: {soft: {density: 1000, young: 1.0e7, poisson: 0.3}}\n"
              "bodies:\n"
              "  - {name: wall, kind: obstacle, shape: {box: [0.1745, 0.15, 0.2]}, position: [-0.11275, 0.075, 0]}\n"
              "  - {name: block, kind: deformable, material: soft, shape: {box: [0.05, 0.05, 0.05]}, "
              "resolution: 0.0125, position: [0.02, 0.205, 0.01], rotation: {axis: [-0.49609270016828, "
              "0.007630129809428724, 0.9153843292835672], degrees: 5.560700305130338}}\n"));
        ASSERT_EQ(simulation.run(0.3), RunStatus::done);
        EXPECT_LT(simulation.pose("block").x.y(), -0.19) << step; // 0.24 in free fall
    }
}

} // namespace
} // namespace stickslip::passing_by_test
