#include "sample_scenes.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stickslip::steering_test {
namespace {

constexpr double g = 9.81; // [m/s^2]

/// [m/s] of a body along x after so long [s].
double speed_after(Simulation& simulation, const char* body, double seconds)
{
    EXPECT_EQ(simulation.run(simulation.time() + seconds), RunStatus::done);
    return simulation.pose(body).v.x();
}

TEST(Steering, LoadsSlideABlockBeyondFriction)
{
    Simulation simulation(scene_from_text(block_on_floor()));
    ASSERT_EQ(simulation.run(0.3), RunStatus::done);
    simulation.set_load("block", Vec3(0.5 * 10 * g - 1, 0, 0));
    EXPECT_NEAR(speed_after(simulation, "block", 0.3), 0, 1e-9);
    simulation.set_load("block", Vec3(0.5 * 10 * g + 10, 0, 0));
    EXPECT_NEAR(speed_after(simulation, "block", 0.3), 0.3, 1e-3); // F - mu m g = 10 N on 10 kg
    simulation.set_load("block", Vec3::Zero());
    EXPECT_NEAR(speed_after(simulation, "block", 0.3), 0, 1e-9);
}

TEST(Steering, LoadsMoveADeformableBodyLikeItsWeight)
{
    std::string flying = soft_cube;
    flying.replace(flying.find("0.051"), 5, "5");
    const Scene scene = scene_from_text(block_on_floor(flying));
    Simulation simulation(scene);
    const Snapshot start = simulation.snapshot();
    const double mass = simulation.body("cube").mass;
    simulation.set_load("cube", mass * Vec3(2, g, 0));
    EXPECT_NEAR(speed_after(simulation, "cube", 0.2), 0.4, 1e-9);
    EXPECT_NEAR(simulation.pose("cube").v.y(), 0, 1e-9);
    const Snapshot loaded = simulation.snapshot();
    simulation.set_load("cube", Vec3::Zero());
    EXPECT_NEAR(speed_after(simulation, "cube", 0.1), 0.4, 1e-9);
    EXPECT_NEAR(simulation.pose("cube").v.y(), -0.1 * g, 1e-9);
    simulation.restore(Snapshot::from_bytes(loaded.bytes()));
    EXPECT_NEAR(speed_after(simulation, "cube", 0.1), 0.6, 1e-9);
    simulation.restore(start);
    Simulation undisturbed(scene);
    ASSERT_EQ(simulation.run(0.3), RunStatus::done);
    ASSERT_EQ(undisturbed.run(0.3), RunStatus::done);
    EXPECT_EQ(simulation.state_hash(), undisturbed.state_hash());
}

TEST(Steering, FrictionChangesBetweenSteps)
{
    Simulation simulation(scene_from_text(block_on_floor()));
    simulation.set_load("block", Vec3(20, 0, 0));
    EXPECT_NEAR(speed_after(simulation, "block", 0.3), 0, 1e-9);
    simulation.set_friction("floor", "block", 0.1);
    EXPECT_NEAR(speed_after(simulation, "block", 0.1), 0.1 * (2 - 0.1 * g), 1e-3);
    simulation.set_friction("floor", "block", infinity);
    EXPECT_NEAR(speed_after(simulation, "block", 0.1), 0, 1e-9);
}

TEST(Steering, FrictionOfTwoBodiesLeavesOthersAlone)
{
    const std::string twins =
        R"(  - {name: a, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak, position: [1, 0.1, 0], force: [20, 0, 0], group: twin}
  - {name: b, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak, position: [2, 0.1, 0], force: [20, 0, 0], group: twin}
)";
    const std::string rule = "contact: {friction: 0.5, pairs: [{bodies: [floor, block], friction: 0.7}]}\n";
    for (const std::string& rules : {std::string(), rule}) {
        std::string text = block_on_floor(twins);
        if (!rules.empty())
            text.replace(text.find("contact: {friction: 0.5}\n"), 25, rules);
        Simulation simulation(scene_from_text(text));
        ASSERT_EQ(simulation.run(0.2), RunStatus::done);
        simulation.set_friction("a", "floor", 0.1);
        EXPECT_NEAR(speed_after(simulation, "a", 0.2), 0.2 * (2 - 0.1 * g), 1e-3);
        EXPECT_NEAR(simulation.pose("b").v.x(), 0, 1e-9);
        simulation.set_friction(0.15);
        EXPECT_NEAR(speed_after(simulation, "b", 0.2), 0.2 * (2 - 0.15 * g), 1e-3);
        EXPECT_NEAR(simulation.pose("a").v.x(), 0.4 * (2 - 0.1 * g), 1e-3);
    }
}

TEST(Steering, MotionsGoOnFromWhereTheyAre)
{
    Simulation simulation(scene_from_text(block_on_floor()));
    ASSERT_EQ(simulation.run(0.2), RunStatus::done);
    simulation.set_motion("floor", Vec3(0.4, 0, 0));
    EXPECT_NEAR(speed_after(simulation, "block", 0.3), 0.4, 1e-6); // carried along
    const Vec3 x = simulation.pose("floor").x;
    EXPECT_NEAR(x.x(), 0.12, 1e-12);
    simulation.set_motion("floor", Vec3::Zero(), Vec3(0, 2, 0));
    EXPECT_NEAR((simulation.pose("floor").x - x).norm(), 0, 1e-15);
    ASSERT_EQ(simulation.run(1), RunStatus::done);
    EXPECT_NEAR((simulation.pose("floor").x - x).norm(), 0, 1e-12);
    EXPECT_NEAR(simulation.pose("floor").R.angularDistance(Quat::Identity()), 1.0, 1e-12);
}

TEST(Steering, VelocitiesAreThoseOfOneSolid)
{
    Scene scene = scene_from_text(block_on_floor(soft_cube));
    scene.gravity = Vec3::Zero();
    Simulation simulation(scene, {.steered = true});
    simulation.set_velocity("cube", Vec3(0, 2, 0), Vec3(0, 0, 0.5));
    const BodyPose cube = simulation.pose("cube");
    EXPECT_NEAR((cube.v - Vec3(0, 2, 0)).norm(), 0, 1e-12);
    EXPECT_NEAR((cube.w - Vec3(0, 0, 0.5)).norm(), 0, 1e-9);
    simulation.set_velocity("block", Vec3(0, 1, 0), Vec3(0, 3, 0));
    ASSERT_EQ(simulation.run(0.2), RunStatus::done);
    EXPECT_NEAR(simulation.pose("block").x.y(), 0.1 + 0.2, 1e-9);
    EXPECT_NEAR(simulation.pose("cube").x.y(), cube.x.y() + 0.4, 1e-6);
}

TEST(Steering, SpheresAreSteeredAsBodiesAre)
{
    std::string text = spheres_with_gates;
    text += "  - {name: stone, kind: rigid, shape: {box: [0.02, 0.02, 0.02]}, material: steel, position: [-1, 1, 0]}\n"
            "  - {name: shot, kind: spheres, material: glass, radius: 0.01, positions: [[-2, 1, 0], [-2, 1.1, 0]]}\n";
    Scene scene = scene_from_text(text);
    scene.gravity = Vec3::Zero();
    Simulation simulation(scene);
    const double mass = simulation.body("stone").mass;
    EXPECT_NEAR(mass, 3000 * 8e-6, 1e-12);
    simulation.set_load("stone", mass * Vec3(2, 0, 0));
    const double speed = speed_after(simulation, "stone", 0.05);
    EXPECT_NEAR(speed, 2 * simulation.time(), 1e-9); // from the first half step on
    simulation.set_velocity("shot", Vec3(3, 0, 0), Vec3(0, 0, 10));
    EXPECT_NEAR((simulation.pose("shot").w - Vec3(0, 0, 10)).norm(), 0, 1e-9);
    EXPECT_NEAR(speed_after(simulation, "shot", 0.05), 3, 1e-9);
    simulation.set_velocity("stone", Vec3(-1, 0, 0));
    simulation.set_load("stone", Vec3::Zero());
    EXPECT_NEAR(speed_after(simulation, "stone", 0.05), -1, 1e-12);
    simulation.set_motion("floor", Vec3(0, -1, 0));
    const double y = simulation.pose("floor").x.y(), t = simulation.time();
    ASSERT_EQ(simulation.run(t + 0.05), RunStatus::done);
    EXPECT_NEAR(simulation.pose("floor").x.y(), y - (simulation.time() - t), 1e-12);
}

TEST(Steering, FrictionOfSpheresGoesByMaterials)
{
    const std::string text = R"(
stickslip: 1
time: {step: auto, end: 1}
solver: {integration: explicit}
contact: {friction: 0.5}
materials:
  glass: {density: 2500, kn: 1e5, restitution: 0.5}
  ice: {density: 1000, kn: 1e5, restitution: 0.5}
bodies:
  - {name: floor, kind: obstacle, material: ice, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: ball, kind: spheres, material: glass, radius: 0.01, positions: [[0, 0.01, 0]], velocity: [1, 0, 0]}
)";
    Simulation simulation(scene_from_text(text));
    ASSERT_EQ(simulation.run(0.3), RunStatus::done);
    EXPECT_NEAR(
        simulation.pose("ball").v.x(), 5.0 / 7, 1e-3); // it rolls, on a radius that is a hundredth of a percent less
    Simulation smooth(scene_from_text(text));
    smooth.set_friction("floor", "ball", 0);
    ASSERT_EQ(smooth.run(0.3), RunStatus::done);
    EXPECT_NEAR(smooth.pose("ball").v.x(), 1, 1e-9);
    std::string shared = text;
    shared.replace(shared.find("material: ice"), 13, "material: glass");
    Simulation alike(scene_from_text(shared));
    EXPECT_EQ(error_text<InputError>([&] { alike.set_friction("floor", "ball", 0.1); }),
        "\"floor\" has the same material as \"ball\", and friction goes by materials in an explicit simulation: "
        "expected a material of its own");
}

TEST(Steering, RefusesWhatHasNoEffect)
{
    Simulation simulation(scene_from_text(block_on_floor(soft_cube)));
    EXPECT_EQ(error_text<InputError>([&] { simulation.set_velocity("floor", Vec3::Zero()); }),
        "\"floor\": expected a body that moves by its own mass; of an obstacle: set_motion");
    EXPECT_EQ(error_text<InputError>([&] { simulation.set_load("floor", Vec3::Zero()); }),
        "\"floor\": expected a deformable body, or a rigid body without a motion: only these carry loads");
    EXPECT_EQ(error_text<InputError>([&] { simulation.set_load("cube", Vec3::Zero(), Vec3::UnitX()); }),
        "\"cube\": expected no torque on a deformable body, which carries forces alone");
    EXPECT_EQ(error_text<InputError>([&] { simulation.set_motion("block", Vec3::Zero()); }),
        "\"block\": expected an obstacle or a rigid body with a motion; of a body that moves by its own mass: "
        "set_velocity, set_load");
    EXPECT_EQ(error_text<InputError>([&] { simulation.set_load("block", Vec3(nan, 0, 0)); }),
        "\"block\": expected numbers from -1e30 to 1e30");
    EXPECT_EQ(error_text<InputError>([&] { simulation.set_load("block", Vec3::Zero(), Vec3(0, -1e300, 0)); }),
        "\"block\": expected numbers from -1e30 to 1e30");
    EXPECT_EQ(error_text<InputError>([&] { simulation.set_velocity("cube", Vec3(0, 1e31, 0)); }),
        "\"cube\": expected numbers from -1e30 to 1e30");
    EXPECT_EQ(error_text<InputError>([&] { simulation.set_friction("block", "floor", -1); }),
        "expected a coefficient of friction >= 0, found -1.000000");
}

TEST(Steering, NeedsASceneBuiltForIt)
{
    // by themselves the two fly side by side for ever
    const std::string text = R"(
stickslip: 1
time: {step: 0.01, end: 1}
gravity: [0, 0, 0]
materials: {oak: {density: 1000}}
bodies:
  - {name: a, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak}
  - {name: b, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak, position: [1, 0, 0]}
)";
    const Scene scene = scene_from_text(text);
    Simulation simulation(scene);
    const std::string error = error_text<InputError>([&] { simulation.set_velocity("a", Vec3(2, 0, 0)); });
    EXPECT_NE(error.find("\"a\" and \"b\" never meet by what the scene says"), std::string::npos) << error;
    Simulation steered(scene, {.steered = true});
    steered.set_velocity("a", Vec3(2, 0, 0));
    ASSERT_EQ(steered.run(1), RunStatus::done);
    EXPECT_GT(steered.pose("b").v.x(), 0.5); // it was hit
    EXPECT_NEAR(steered.pose("a").v.x() + steered.pose("b").v.x(), 2, 1e-6);
}

} // namespace
} // namespace stickslip::steering_test
