#include <stickslip/stickslip.h>

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

/// A conveyor carries what touches it, whichever side has the point, the edge, the ball, the circle or the rim.
namespace stickslip::conveyor_test {
namespace {

constexpr double dt = 0.005, speed = 0.5, friction = 0.3, g = 9.81;

/// Of edges 1 m about the origin.
const char* const cube =
    "v -.5 -.5 -.5\nv .5 -.5 -.5\nv .5 .5 -.5\nv -.5 .5 -.5\nv -.5 -.5 .5\nv .5 -.5 .5\nv .5 .5 .5\n"
    "v -.5 .5 .5\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\nf 2 3 7 6\n";

/// A slab of 0.3 m with a groove of 0.1 m along z in its underside, and so not convex; its top is at y = 0.5.
const char* const channel =
    "v -.15 -.5 -.15\nv -.05 -.5 -.15\nv -.05 0 -.15\nv .05 0 -.15\nv .05 -.5 -.15\nv .15 -.5 -.15\nv .15 .5 -.15\n"
    "v -.15 .5 -.15\nv -.15 -.5 .15\nv -.05 -.5 .15\nv -.05 0 .15\nv .05 0 .15\nv .05 -.5 .15\nv .15 -.5 .15\n"
    "v .15 .5 .15\nv -.15 .5 .15\n"
    "f 9 10 11 16\nf 11 12 15 16\nf 12 13 14 15\nf 8 3 2 1\nf 8 7 4 3\nf 7 6 5 4\n"
    "f 1 2 10 9\nf 2 3 11 10\nf 3 4 12 11\nf 4 5 13 12\nf 5 6 14 13\nf 6 7 15 14\nf 7 8 16 15\nf 8 1 9 16\n";

struct Named {
    const char* name;
    const char* shape; // of a belt its top, of a load its underside at 0.05 m from the origin of the body
};

/// Of 0.3 to 0.4 m.
const Named belts[] = {
    {"box", "shape: {box: [0.3, 0.1, 0.3]}"},
    {"rounded box", "shape: {rounded_box: {size: [0.3, 0.1, 0.3], radius: 0.02}}"},
    {"cylinder", "shape: {cylinder: {radius: 0.2, height: 0.1}}"},
    {"cone on its tip", "shape: {cone: {radius: 0.2, height: 0.1}}, rotation: {axis: [1, 0, 0], degrees: 180}"},
    {"torus", "shape: {torus: {major: 0.2, minor: 0.05}}"},
    {"convex mesh", "shape: {mesh: {file: cube.obj, scale: [0.3, 0.1, 0.3]}}"},
    {"mesh", "shape: {mesh: {file: channel.obj, scale: [1, 0.1, 1]}}"},
    {"sampled mesh", "contact_geometry: level_set, shape: {mesh: {file: channel.obj, scale: [1, 0.1, 1]}}"},
};

/// Of 1 m.
const Named plates[] = {
    {"box", "shape: {box: [1, 0.1, 1]}"},
    {"rounded box", "shape: {rounded_box: {size: [1, 0.1, 1], radius: 0.02}}"},
    {"cylinder", "shape: {cylinder: {radius: 0.5, height: 0.1}}"},
    {"convex mesh", "shape: {mesh: {file: cube.obj, scale: [1, 0.1, 1]}}"},
    {"mesh", "shape: {mesh: {file: channel.obj, scale: [3, 0.1, 3]}}, rotation: {axis: [0, 0, 1], degrees: 180}"},
    {"sampled mesh",
        "contact_geometry: level_set, shape: {mesh: {file: channel.obj, scale: [3, 0.1, 3]}}, "
        "rotation: {axis: [0, 0, 1], degrees: 180}"},
};

class Conveyor : public testing::Test {
protected:
    Conveyor()
    {
        std::ofstream(folder_.path() / "cube.obj") << cube;
        std::ofstream(folder_.path() / "channel.obj") << channel;
    }

    Simulation start(const std::string& belt, const std::string& load) const
    {
        return Simulation(scene_from_text("stickslip: 1\ntime: {step: " + std::to_string(dt)
                + ", end: 1}\ncontact: {friction: " + std::to_string(friction)
                + "}\nmaterials: {m: {density: 1000}, soft: {density: 1000, young: 1.0e6, poisson: 0.4}, "
                  "points: {density: 1000, model: fixed_corotated, young: 1.0e6, poisson: 0.3}}\nbodies:\n"
                  "  - {name: belt, kind: obstacle, "
                + belt + "}\n  - {name: load, " + load + "}\n",
            {.folder = folder_.path().string()}));
    }

    /// `load` on a belt whose top is at y = 0 goes at mu g t until it has the belt's speed, and then at that.
    void expect_to_carry(const std::string& belt, const std::string& load, double accuracy) const
    {
        Simulation simulation =
            start(belt + ", position: [0, -0.05, 0], motion: {surface_velocity: [0.5, 0, 0]}", load);
        ASSERT_EQ(simulation.run(0.1), RunStatus::done);
        EXPECT_NEAR(simulation.pose("load").v.x(), friction * g * 0.1, accuracy);
        ASSERT_EQ(simulation.run(0.25), RunStatus::done);
        EXPECT_NEAR(simulation.pose("load").v.x(), speed, 0.2 * accuracy);
        EXPECT_NEAR(simulation.pose("load").v.z(), 0, 0.2 * accuracy);
    }

    TemporaryFolder folder_;
};

TEST_F(Conveyor, CarriesPlatesThatReachBeyondIt)
{
    for (const Named& belt : belts)
        for (const Named& plate : plates) {
            SCOPED_TRACE(std::string(plate.name) + " on " + belt.name);
            expect_to_carry(
                belt.shape, std::string("kind: rigid, material: m, position: [0, 0.05, 0], ") + plate.shape, 0.01);
        }
}

// Bars lie across: edges meet edges, at right angles and askew to the belt's way.
TEST_F(Conveyor, CarriesBarsThatItMeetsByEdges)
{
    const std::string mesh = "shape: {mesh: {file: channel.obj, scale: [";
    const Named across[] = {{"box", "shape: {box: [0.3, 0.1, 1]}"}, {"mesh", "1, 0.1, 3.333333]}}"}};
    const Named bars[] = {{"box", "shape: {box: [1, 0.1, 0.2]}, rotation: "},
        {"mesh", "3.333333, 0.1, 0.6666667]}}, rotation: "}}; // turned over
    const auto shape = [&](const Named& named) {
        return (named.name == std::string("mesh") ? mesh : "") + named.shape;
    };
    for (const Named& belt : across)
        for (const Named& bar : bars)
            for (const bool askew : {false, true}) {
                SCOPED_TRACE(std::string(bar.name) + " on " + belt.name + (askew ? ", askew" : ""));
                const std::string turned = askew ? "{axis: [0, 1, 0], degrees: 30}" : "{axis: [0, 1, 0], degrees: 0}";
                const std::string over =
                    askew ? "{axis: [0.9659258, 0, 0.2588190], degrees: 180}" : "{axis: [1, 0, 0], degrees: 180}";
                expect_to_carry(shape(belt),
                    "kind: rigid, material: m, position: [0, 0.05, 0], " + shape(bar)
                        + (bar.name == std::string("mesh") ? over : turned),
                    0.002);
            }
}

// Elements wider than the belt are met by its corners, finer ones touch it with their nodes.
TEST_F(Conveyor, CarriesSoftBodies)
{
    for (const char* body : {"resolution: 0.05, shape: {box: [0.2, 0.1, 0.2]}",
             "resolution: 0.1, shape: {box: [0.6, 0.1, 0.6]}", "resolution: 0.4, shape: {box: [0.6, 0.1, 0.6]}"}) {
        SCOPED_TRACE(body);
        expect_to_carry("shape: {box: [0.3, 0.1, 0.3]}",
            std::string("kind: deformable, material: soft, position: [0, 0.05, 0], ") + body, 0.01);
    }
}

TEST_F(Conveyor, CarriesMaterialPointsThatReachBeyondIt)
{
    expect_to_carry("shape: {box: [0.3, 0.1, 0.3]}",
        "kind: mpm, material: points, resolution: 0.1, position: [0, 0.05, 0], shape: {box: [0.6, 0.1, 0.6]}", 0.02);
}

} // namespace
} // namespace stickslip::conveyor_test
