#include "sample_scenes.h"

#include "support/temporary_folder.h"

#include "stickslip/build/build_world.h"
#include "stickslip/run/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

namespace stickslip::simulation_test {
namespace {

constexpr double g = 9.81; // [m/s^2]

/// The hash of the last state that the program writes of a scene.
std::string recorded_hash(const Scene& scene)
{
    const TemporaryFolder folder;
    return run_scene(scene, build_world(scene, ".").built, {.folder = folder.path() / "out"}, {}).state_hash;
}

std::string simulated_hash(const Scene& scene, const SimulationOptions& options = {})
{
    Simulation simulation(scene, options);
    EXPECT_EQ(simulation.run(scene.time.end), RunStatus::done);
    return simulation.state_hash();
}

TEST(Simulation, TakesTheStepsOfTheProgram)
{
    for (const std::string& text : {block_on_floor(soft_cube), spheres_with_gates}) {
        const Scene scene = scene_from_text(text);
        const std::string hash = recorded_hash(scene);
        EXPECT_EQ(simulated_hash(scene), hash);
        EXPECT_EQ(simulated_hash(scene, {.threads = 1}), hash);
        EXPECT_EQ(simulated_hash(scene, {.threads = 3}), hash);
    }
}

/// Also after a step that failed, and after going back.
TEST(Simulation, KeepsTheStateOfAnImplicitSimulationWhereItIs)
{
    Scene scene = scene_from_text(block_on_floor(soft_cube));
    Simulation simulation(scene);
    const StateView view = simulation.state();
    const auto is_there = [&] {
        const StateView now = simulation.state();
        return now.nodes.positions.data == view.nodes.positions.data
            && now.nodes.velocities.data == view.nodes.velocities.data
            && now.rigids.positions.data == view.rigids.positions.data;
    };
    const Snapshot start = simulation.snapshot();
    const Vec3 before = view.nodes.positions[0];
    for (int i = 0; i < 5; ++i) {
        ASSERT_EQ(simulation.step(), RunStatus::done);
        EXPECT_TRUE(is_there());
    }
    EXPECT_NE(view.nodes.positions[0], before);
    simulation.restore(start);
    EXPECT_TRUE(is_there());
    EXPECT_EQ(view.nodes.positions[0], before);

    scene.solver.max_newton = 1;
    scene.time.min_step = 0.005;
    Simulation failing(scene);
    const double* data = failing.state().nodes.positions.data;
    std::string hash;
    RunStatus status = RunStatus::done;
    for (int i = 0; i < 100 && status == RunStatus::done; ++i) {
        hash = failing.state_hash();
        status = failing.step();
    }
    EXPECT_EQ(status, RunStatus::failed);
    EXPECT_EQ(failing.state().nodes.positions.data, data);
    EXPECT_EQ(failing.state_hash(), hash);
}

TEST(Simulation, IsCopiedWithOtherOptions)
{
    const Scene scene = scene_from_text(block_on_floor());
    std::atomic<bool> stop = false;
    Simulation first(scene, {.threads = 1, .steered = true, .stop = &stop});
    Simulation second(first, {.threads = 2});
    stop = true;
    EXPECT_EQ(first.run(0.1), RunStatus::interrupted);
    second.set_load("block", Vec3(80, 0, 0));
    ASSERT_EQ(second.run(0.1), RunStatus::done);
    stop = false;
    first.set_load("block", Vec3(80, 0, 0));
    ASSERT_EQ(first.run(0.1), RunStatus::done);
    EXPECT_EQ(first.state_hash(), second.state_hash());
}

TEST(Simulation, ReadsJson)
{
    const Scene scene = scene_from_text(R"({"stickslip": 1, "time": {"step": 0.01, "end": 0.1}, "gravity": [0, 0, 0],
        "materials": {"oak": {"density": 700}}, "bodies": [{"name": "box", "kind": "rigid", "shape": {"box": [1, 1, 1]},
        "material": "oak", "velocity": [2, 0, 0]}]})");
    Simulation simulation(scene);
    ASSERT_EQ(simulation.run(0.1), RunStatus::done);
    EXPECT_NEAR(simulation.pose("box").x.x(), 0.2, 1e-12);
    EXPECT_DOUBLE_EQ(simulation.body("box").mass, 700);
}

TEST(Simulation, SaysWhereAFaultIsAndWhatWasExpected)
{
    try {
        scene_from_text(block_on_floor("  - {name: cube, kind: rigid, shape: {box: [1, 1, 1]}, material: oka}\n"));
        FAIL() << "expected a SceneError";
    } catch (const SceneError& error) {
        ASSERT_EQ(error.faults.size(), 1u);
        EXPECT_EQ(error.faults[0].path, "bodies.cube.material");
        EXPECT_EQ(error.faults[0].line, 11);
        EXPECT_NE(std::string(error.what()).find("scene:11:"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("oak"), std::string::npos) << error.what();
    }
}

TEST(Simulation, TellsOfMeshesThatAreNotThere)
{
    const Scene scene = scene_from_text(
        block_on_floor("  - {name: ramp, kind: obstacle, shape: {mesh: {file: ramp.obj}}}\n"), {.folder = "/nowhere"});
    const std::string text = error_text<SceneError>([&] { Simulation simulation(scene); });
    EXPECT_NE(text.find("/nowhere/ramp.obj"), std::string::npos) << text;
    EXPECT_NE(text.find("bodies.ramp.shape.mesh.file"), std::string::npos) << text;
}

TEST(Simulation, KnowsTheBodiesOfTheSceneByName)
{
    const Simulation simulation(scene_from_text(block_on_floor(soft_cube)));
    ASSERT_EQ(simulation.bodies().size(), 3u);
    EXPECT_EQ(simulation.body("floor").kind, BodyKind::obstacle);
    EXPECT_EQ(simulation.body("block").first, 0);
    EXPECT_EQ(simulation.body("cube").count, static_cast<int>(simulation.state().nodes.positions.size()));
    EXPECT_EQ(error_text<InputError>([&] { simulation.pose("blok"); }),
        "expected the name of a body of the scene (\"floor\", \"block\", \"cube\"), found \"blok\"");
}

TEST(Simulation, ShowsTheStateWithoutACopy)
{
    Simulation simulation(scene_from_text(block_on_floor(soft_cube)));
    ASSERT_EQ(simulation.run(0.1), RunStatus::done);
    const StateView state = simulation.state();
    EXPECT_DOUBLE_EQ(state.time, 0.1);
    EXPECT_EQ(state.rigids.positions.data, simulation.state().rigids.positions.data);
    const BodyPose block = simulation.pose("block");
    EXPECT_EQ(state.rigids.positions[0], block.x);
    EXPECT_EQ(state.rigids.velocities[0], block.v);
    EXPECT_EQ(state.rigids.rotations[0], block.R.coeffs());
    const BodyInfo& cube = simulation.body("cube");
    Bounds box;
    for (int i = cube.first; i < cube.first + cube.count; ++i)
        box.add(state.nodes.positions[i]);
    EXPECT_NEAR((box.max - box.min).x(), 0.1, 1e-3);
    EXPECT_EQ(state.spheres.positions.size(), 0u);
}

TEST(Simulation, ShowsSpheresByTheirSets)
{
    Simulation simulation(scene_from_text(spheres_with_gates));
    const SpheresView spheres = simulation.state().spheres;
    ASSERT_EQ(spheres.positions.size(), 60u);
    EXPECT_EQ(spheres.radii[7][0], 0.01);
    EXPECT_EQ(spheres.groups[7], simulation.body("grains").first);
    EXPECT_EQ(spheres.rotations[7], Quat::Identity().coeffs());
    EXPECT_EQ(simulation.state().rigids.positions[simulation.body("brick").first], Vec3(0, 0.25, 0));
}

TEST(Simulation, ContactsCarryWhatRestsOnThem)
{
    Simulation simulation(scene_from_text(block_on_floor(soft_cube)));
    EXPECT_EQ(simulation.contacts().size(), 0u);
    ASSERT_EQ(simulation.run(1), RunStatus::done);
    const Contacts contacts = simulation.contacts();
    ASSERT_EQ(contacts.size(), simulation.report().contacts);
    ASSERT_EQ(contacts.slip.size(), contacts.size());
    double weight = 0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        EXPECT_EQ(simulation.bodies()[contacts.second[c]].name, "floor");
        EXPECT_EQ(contacts.normal[c], Vec3(0, 1, 0));
        EXPECT_EQ(contacts.sticks[c], 1);
        EXPECT_NEAR(contacts.point[c].y(), 0, 1e-3);
        weight += contacts.force[c].y();
    }
    EXPECT_NEAR(weight, (10 + 1) * g, 1e-3);
    EXPECT_NEAR(simulation.contact_force("block").y(), 10 * g, 1e-3);
    EXPECT_NEAR(simulation.contact_force("floor").y(), -(10 + 1) * g, 1e-3);
}

TEST(Simulation, CallsBetweenStepsAtTheirMoments)
{
    for (const std::string& text : {block_on_floor(), spheres_with_gates}) {
        const Scene scene = scene_from_text(text);
        Simulation simulation(scene);
        const double dt = simulation.time_step();
        long steps = 0;
        ASSERT_EQ(simulation.run(7 * dt,
                      [&](Simulation& now) {
                          ++steps;
                          EXPECT_NEAR(now.time(), static_cast<double>(steps) * dt, 1e-9 * dt);
                      }),
            RunStatus::done);
        EXPECT_EQ(steps, 7);
        const double start = simulation.time();
        std::vector<double> times;
        ASSERT_EQ(simulation.run(
                      start + 0.1, [&](Simulation& now) { times.push_back(now.time() - start); }, 0.025),
            RunStatus::done);
        ASSERT_EQ(times.size(), 4u);
        for (std::size_t i = 0; i < times.size(); ++i)
            EXPECT_NEAR(times[i], 0.025 * static_cast<double>(i + 1), dt);
    }
}

TEST(Simulation, StopsBetweenIterationsAndGoesOn)
{
    std::atomic<bool> stop = false;
    int shown = 0;
    Simulation simulation(
        scene_from_text(block_on_floor(soft_cube)), {.stop = &stop, .progress = [&](const StepProgress& at) {
                                                         if (at.time > 0.045 && ++shown == 2)
                                                             stop = true;
                                                     }});
    EXPECT_EQ(simulation.run(0.1), RunStatus::interrupted);
    EXPECT_EQ(shown, 2);
    EXPECT_NEAR(simulation.time(), 0.05, 1e-12);
    stop = false;
    ASSERT_EQ(simulation.run(0.1), RunStatus::done);
    Simulation undisturbed(scene_from_text(block_on_floor(soft_cube)));
    ASSERT_EQ(undisturbed.run(0.1), RunStatus::done);
    EXPECT_EQ(simulation.state_hash(), undisturbed.state_hash());
}

TEST(Simulation, IsAsItWasWhenACallbackThrows)
{
    bool throws = false;
    Simulation simulation(scene_from_text(block_on_floor(soft_cube)), {.progress = [&](const StepProgress&) {
        if (throws)
            throw std::runtime_error("enough");
    }});
    ASSERT_EQ(simulation.run(0.05), RunStatus::done);
    const std::string before = simulation.state_hash();
    throws = true;
    EXPECT_EQ(error_text<std::runtime_error>([&] { (void)simulation.step(); }), "enough");
    EXPECT_EQ(simulation.state_hash(), before);
    EXPECT_EQ(simulation.time(), 0.05);
    throws = false;
    Simulation undisturbed(scene_from_text(block_on_floor(soft_cube)));
    EXPECT_EQ(undisturbed.run(0.1), RunStatus::done);
    EXPECT_EQ(simulation.run(0.1), RunStatus::done);
    EXPECT_EQ(simulation.state_hash(), undisturbed.state_hash());
}

TEST(Simulation, SaysWhyItGaveUpAndStaysWhereItWas)
{
    std::vector<std::string> said;
    Scene scene = scene_from_text(block_on_floor());
    scene.solver.max_newton = 1;
    scene.time.min_step = 0.005;
    Simulation simulation(scene, {.message = [&](const std::string& line) { said.push_back(line); }});
    simulation.set_velocity("block", Vec3(3, -4, 0), Vec3(5, 6, 7));
    const std::string before = simulation.state_hash();
    EXPECT_EQ(simulation.run(0.5), RunStatus::failed);
    EXPECT_EQ(simulation.report().status, RunStatus::failed);
    EXPECT_EQ(simulation.messages(), said);
    ASSERT_FALSE(said.empty());
    EXPECT_NE(said.back().find("gave up"), std::string::npos) << said.back();
    EXPECT_EQ(simulation.time(), 0);
    EXPECT_EQ(simulation.state_hash(), before);
}

TEST(Simulation, ReportsEnergiesAndSteps)
{
    Simulation simulation(scene_from_text(block_on_floor()));
    simulation.set_velocity("block", Vec3(1, 0, 0));
    EXPECT_NEAR(simulation.energies().kinetic, 5, 1e-12);
    ASSERT_EQ(simulation.step(), RunStatus::done);
    const StepSummary report = simulation.report();
    EXPECT_DOUBLE_EQ(report.dt, 0.01);
    EXPECT_GT(report.newton_iterations, 0);
    EXPECT_GT(report.sliding, 0u);
    EXPECT_LT(report.residual, 1e-6);
    ASSERT_EQ(simulation.run(1), RunStatus::done);
    EXPECT_LT(simulation.energies().kinetic, 1e-12);
    EXPECT_NEAR(simulation.friction_loss(), 5, 0.3); // backward Euler takes v0 dt/2 of the way
}

TEST(Simulation, SpheresFallByTheirWeight)
{
    Simulation simulation(scene_from_text(spheres_with_gates));
    EXPECT_TRUE(simulation.is_explicit());
    const double before = simulation.energies().potential;
    ASSERT_EQ(simulation.run(0.01), RunStatus::done);
    const Energies now = simulation.energies();
    EXPECT_NEAR(now.kinetic, before - now.potential, 1e-3 * now.kinetic);
    EXPECT_NEAR(simulation.pose("brick").v.y(), -g * simulation.time(), 1e-9);
    ASSERT_EQ(simulation.run(0.2), RunStatus::done);
    const Contacts contacts = simulation.contacts();
    ASSERT_GT(contacts.size(), 20u);
    EXPECT_TRUE(contacts.slip.empty());
    for (std::size_t c = 0; c < contacts.size(); ++c)
        EXPECT_GT(contacts.normal[c].dot(contacts.force[c]), 0);
}

} // namespace
} // namespace stickslip::simulation_test
