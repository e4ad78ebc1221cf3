#include "stickslip/files/atomic_file.h"
#include "stickslip/math/rotation.h"
#include "stickslip/simulation/simulation.h"
#include "stickslip/simulation/simulation_parts.h"
#include "support/finished_run.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <numbers>

/// Regions of `fix`: about what they turn.
namespace stickslip::held_regions_test {
namespace {

struct Runs {
    TemporaryFolder folder;

    BuildResult build(const std::string& text, Scene& scene) const
    {
        const SceneResult read = read_scene_text(text, (folder.path() / "scene.yaml").string());
        EXPECT_EQ(format(read.faults), "");
        scene = read.scene;
        BuildResult built = build_world(scene, folder.path());
        EXPECT_EQ(format(built.faults) + format(built.warnings), "");
        return built;
    }
};

std::string scene_with(const std::string& body, const std::string& material, double end, double step)
{
    return "stickslip: 1\ntime: {step: " + std::to_string(step) + ", end: " + std::to_string(end)
        + ", frame: 0.1}\noutput: {checkpoint: 0.1}\nmaterials: {gum: {" + material
        + "}}\nsolver: {tolerance: 1e-9}\nbodies:\n  - {name: bar, kind: deformable, material: gum, " + body + "}\n";
}

/// A wheel about z, whose region is off its middle.
std::string wheel(const std::string& motion)
{
    return "shape: {cylinder: {radius: 0.15, height: 0.08}}, resolution: 0.05, rotation: {axis: [1, 0, 0], degrees: "
           "90}, position: [0, 0.145, 0], fix: [{box: {min: [-0.06, 0.085, -1], max: [0.061, 0.3, 1]}, "
           "motion: {"
        + motion + "}}]";
}
const std::string soft = "density: 1000, young: 1e6, poisson: 0.3";

// Each held node goes by the rotation about the axle, which goes by the velocity: by all kinds of motion.
TEST(HeldRegions, TurnAboutTheCentreThatIsGiven)
{
    struct Case {
        std::string motion;
        double end;
        Vec3 shift, turn; // [m], [rad] at the end
    };
    const double pi = std::numbers::pi;
    const Vec3 axle(0, 0.145, 0);
    for (const Case& c : {Case{"velocity: [0.5, 0, 0], angular_velocity: [0, 0, -3.5], about: [0, 0.145, 0]", 0.4,
                              Vec3(0.2, 0, 0), Vec3(0, 0, -1.4)},
             Case{"keyframes: [{time: 0}, {time: 0.4, position: [0, 0.1, 0], rotation: {axis: [0, 0, 1], degrees: "
                  "90}}], about: [0, 0.145, 0]",
                 0.4, Vec3(0, 0.1, 0), Vec3(0, 0, pi / 2)},
             Case{"oscillations: [{turn: {axis: [0, 0, 1], degrees: 20}, frequency: 0.5}], about: [0, 0.145, 0]", 0.5,
                 Vec3::Zero(), Vec3(0, 0, pi / 9)}}) {
        Scene scene;
        const Runs runs;
        BuildResult built = runs.build(scene_with(wheel(c.motion), soft, c.end, 0.05), scene);
        Simulation simulation(scene, std::move(built.built), {});
        const std::vector<Vec3> start = simulation.parts().implicit->state().x;
        ASSERT_EQ(simulation.run(c.end), RunStatus::done);
        const std::vector<Vec3>& x = simulation.parts().implicit->state().x;
        const std::vector<Pin>& pins = simulation.parts().built.world.deformables.pins;
        ASSERT_GT(pins.size(), 10u);
        Vec3 mean = Vec3::Zero();
        for (const Pin& pin : pins) {
            mean += (start[pin.node] - axle) / static_cast<double>(pins.size());
            const Vec3 expected = axle + c.shift + rotation_exp(c.turn) * (start[pin.node] - axle);
            EXPECT_LT((x[pin.node] - expected).norm(), 1e-12) << c.motion;
        }
        EXPECT_GT(mean.norm(), 1e-4) << "the region must be off the axle for this test to tell anything";
    }
}

TEST(HeldRegions, TurnAboutTheMeanOfTheirNodesByDefaultAndSaySo)
{
    const Runs runs;
    const auto note = [&](const std::string& motion) {
        Scene scene;
        for (const std::string& text : runs.build(scene_with(wheel(motion), soft, 0.1, 0.05), scene).built.notes)
            if (text.find("turns about") != std::string::npos)
                return text;
        return std::string();
    };
    const std::string told = note("angular_velocity: [0, 0, 1]");
    EXPECT_EQ(told.find("bar: fix[0] turns about ("), 0u) << told;
    EXPECT_NE(told.find("; `motion.about` sets another centre"), std::string::npos) << told;
    EXPECT_EQ(note("angular_velocity: [0, 0, 1], about: [0, 0.145, 0]"), "");
    EXPECT_EQ(note("velocity: [0, 0, 1]"), "");
    EXPECT_EQ(note("keyframes: [{time: 0}, {time: 1, position: [0, 1, 0]}]"), "");
    EXPECT_NE(note("keyframes: [{time: 0}, {time: 1, rotation: {axis: [0, 0, 1], degrees: 3}}]"), "");
    EXPECT_NE(note("oscillations: [{turn: {axis: [0, 0, 1], degrees: 3}, frequency: 1}]"), "");
}

} // namespace
} // namespace stickslip::held_regions_test
