#include "stickslip/run/output/probes.h"

#include "stickslip/world/time_step.h"
#include "support/rigid_scenes.h"

#include "support/numeric.h"

namespace stickslip::probes_test {
namespace {

constexpr double g = 9.81, mass = 700 * 0.008; // of a box of 0.2 m

/// Two boxes, one on the other, on a slope of 0.3 rad at rest.
struct Stack {
    BuiltScene scene{rigid_body("brick", "box: [0.2, 0.2, 0.2]",
                         "copies: {stack: {count: 2}}, position: [0, 0.1, 0], fixed_dofs: [rx, ry, rz]")
        + "  - {name: slope, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n"
          "gravity: [2, -9.81, 0]\ncontact: {friction: 0.5}\n"
          "output:\n  probes:\n"
          "    - {name: ground, body: brick, by: slope}\n"
          "    - {name: upper, body: 'brick[1]'}\n"
          "    - {name: between, body: 'brick[0]', by: 'brick[1]', about: [0, 0.2, 0]}\n"
          "    - {name: slope, body: slope}\n"};
    std::vector<ProbeReading> readings;
    std::string rows;

    Stack()
    {
        State state = scene.state();
        TimeStepper stepper(scene.world(), scene.built().options);
        while (state.time < 2) {
            const StepReport report = stepper.step(state);
            EXPECT_TRUE(report.done);
        }
        const Probes probes(scene.scene, scene.built());
        readings = probes.read(stepper.system());
        rows = probes.rows(state.time, probes.read(stepper.system()));
    }
};

TEST(Probes, AddUpToTheWeightAtRest)
{
    const Stack s;
    ASSERT_EQ(s.readings.size(), 4u);
    const double round_off = 1e-4 * mass * g; // it still settles
    EXPECT_NEAR_ALL(s.readings[0].normal, Vec3(0, 2 * mass * g, 0), 1e-4);
    EXPECT_NEAR_ALL(s.readings[0].friction, Vec3(-2 * 2 * mass, 0, 0), 1e-4);
    EXPECT_NEAR_ALL(s.readings[1].normal, Vec3(0, mass * g, 0), 1e-4);
    EXPECT_NEAR_ALL(s.readings[1].friction, Vec3(-2 * mass, 0, 0), 1e-4);
    EXPECT_NEAR(s.readings[0].normal_sum, 2 * mass * g, round_off);
    // the upper one presses down and drags downhill: here about a point beneath the middle of their contact
    EXPECT_NEAR_ALL(s.readings[2].normal, Vec3(0, -mass * g, 0), 1e-4);
    EXPECT_NEAR_ALL(s.readings[2].friction, Vec3(2 * mass, 0, 0), 1e-4);
    // what acts on the slope is what acts on the bricks, turned round; their family is taken as one
    EXPECT_NEAR_ALL(s.readings[3].normal, Vec3(-s.readings[0].normal), 1e-12);
    EXPECT_NEAR_ALL(s.readings[3].torque, Vec3(-s.readings[0].torque), 1e-12);
}

TEST(Probes, TorqueIsAboutTheGivenPoint)
{
    const Stack s;
    // friction 0.2 above the origin; from the upper box on, about a point in the plane of contact
    EXPECT_NEAR_ALL(s.readings[1].torque, Vec3(0, 0, 0.2 * 2 * mass), 1e-3);
    EXPECT_LT(s.readings[2].torque.norm(), 1e-3);
}

TEST(Probes, WriteOneRowEachWithTheirNames)
{
    const Stack s;
    EXPECT_EQ(std::count(s.rows.begin(), s.rows.end(), '\n'), 4);
    // four corners of each; where the upper one's rim shears over the lower's, two of one give way to crossings of
    // edges
    EXPECT_GE(s.readings[2].contacts, 4u);
    EXPECT_NE(s.rows.find(",between," + std::to_string(s.readings[2].contacts) + ","), std::string::npos) << s.rows;
    const std::string header = Probes::header();
    EXPECT_EQ(std::count(header.begin(), header.end(), ','), std::count(s.rows.begin(), s.rows.end(), ',') / 4);
}

TEST(Probes, NamesAreChecked)
{
    const SceneResult read = read_scene_text("stickslip: 1\ntime: {step: 0.01, end: 0.1}\nbodies:\n"
                                             "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n"
                                             "output:\n  probes:\n    - {name: a, body: flor}\n"
                                             "    - {name: a, body: floor, by: ceiling}\n"
                                             "    - {name: b, body: floor, by: floor}\n",
        "scene.yaml");
    const std::string text = format(read.faults);
    EXPECT_NE(text.find("output.probes[0].body: no body \"flor\""), std::string::npos) << text;
    EXPECT_NE(text.find("output.probes[1].by: no body \"ceiling\""), std::string::npos) << text;
    EXPECT_NE(text.find("output.probes[2].by: expected another body than `body`, found \"floor\" for both"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("output.probes[1].name: the name \"a\" is given twice"), std::string::npos) << text;
}

} // namespace
} // namespace stickslip::probes_test
