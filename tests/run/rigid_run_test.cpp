#include "stickslip/run/run.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/math/rotation.h"
#include "stickslip/run/output/frames.h"
#include "stickslip/simulation/run_remarks.h"
#include "support/finished_run.h"
#include "support/rigid_scenes.h"
#include "support/temporary_folder.h"
#include "support/vtk_file_reader.h"

#include "support/numeric.h"

#include <atomic>

namespace stickslip::rigid_run_test {
namespace {

const std::string bodies = rigid_body("wedge", "mesh: {file: wedge.obj}", "position: [0, 1, 0], velocity: [1, 0, 0]")
    + "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n"
      "  - {name: cube, kind: deformable, material: gum, shape: {box: [1, 1, 1]}, resolution: 0.5, position: [9, 3, "
      "0]}\n"
    + rigid_body("ball", "sphere: 0.5", "position: [3, 0.5, 0], angular_velocity: [0, 0, 2]");

/// The scene above with its mesh, in a folder of its own.
struct Prepared {
    TemporaryFolder folder;
    BuiltScene scene;

    Prepared()
        : scene((write_file_atomically(folder.path() / "wedge.obj", wedge_obj()), bodies), folder.path())
    {
    }
    RunResult run(const std::string& name, const RunOptions& options = {}) const
    {
        return run_scene(scene.scene, scene.built(), within(folder.path(), name, options), {});
    }
};

TEST(RigidRun, IsInterruptedWithinAStepAndGoesOnToTheSameBits)
{
    const Prepared p;
    const std::atomic<bool> interrupted = true;
    const RunResult whole = p.run("whole");
    const RunResult stopped = p.run("out", {.interrupted = &interrupted});
    EXPECT_EQ(stopped.status, RunStatus::interrupted);
    EXPECT_EQ(stopped.totals.steps, 0u);
    EXPECT_EQ(stopped.totals.failed_solves, 0u);
    const auto out = p.folder.path() / "out";
    EXPECT_EQ(csv_rows(read_file(out / "history.csv")).size(), 1u) << "the header alone";
    EXPECT_EQ(p.run("out", {.resume = true}).state_hash, whole.state_hash);
    for (const char* file : {"bodies.csv", "frames.pvd"})
        EXPECT_EQ(read_file(out / file), read_file(p.folder.path() / "whole" / file)) << file;
}

TEST(RigidRun, FramesShowTheBodiesWhereTheyAre)
{
    const Prepared p;
    std::filesystem::create_directories(p.folder.path() / "out/frames");
    const FrameWriter writer(p.scene.scene, p.scene.built(), p.folder.path() / "out");
    State state = p.scene.state();
    RigidState& wedge = state.rigid[0];
    wedge.R = Quat(rotation_exp(Vec3(0, 0, 0.7)));
    wedge.x = Vec3(5, 6, 7);
    wedge.v = Vec3(1, 2, 3);
    wedge.w = Vec3(0, 0, 4);
    const std::vector<FramePart> parts = writer.write(3, state, nullptr, {});
    ASSERT_EQ(parts.size(), 4u); // floor, cube, all rigid bodies, contacts
    EXPECT_EQ(parts[2].file, "frames/rigid_bodies_000003.vtp");

    const VtkFileReader file(p.folder.path() / "out" / parts[2].file);
    const auto x = file.values<double>("Points/Points");
    const auto v = file.values<double>("PointData/velocity");
    const auto body = file.values<int>("PointData/body");
    ASSERT_GT(body.size(), 6u);
    ASSERT_EQ(x.size(), 3 * body.size());
    const Vec3 corner = p.scene.built().surfaces[0]->vertices[1] - p.scene.world().rigids[0].centre;
    const Vec3 expected = Vec3(5, 6, 7) + rotation_exp(Vec3(0, 0, 0.7)) * corner;
    EXPECT_CLOSE_ALL(Vec3(x[3], x[4], x[5]), expected, 1e-14);
    EXPECT_CLOSE_ALL(Vec3(v[3], v[4], v[5]), Vec3(Vec3(1, 2, 3) + Vec3(0, 0, 4).cross(expected - wedge.x)), 1e-14);
    EXPECT_EQ(body[5], 0); // the scene's first body
    EXPECT_EQ(body[6], 3); // its last
    EXPECT_NEAR((Vec3(x[18], x[19], x[20]) - state.rigid[1].x).norm(), 0.5, 1e-14);
}

/// The log of a run of 0.1 s.
std::string log_of(const std::string& those, const std::string& step = "0.01", const std::string& more = "")
{
    const TemporaryFolder folder;
    const SceneResult read = read_scene_text("stickslip: 1\ntime: {step: " + step + ", end: 0.1}\n" + more
            + "materials: {oak: {density: 700}}\nbodies:\n" + those,
        "scene.yaml");
    EXPECT_EQ(format(read.faults), "");
    const BuildResult built = build_world(read.scene, folder.path());
    EXPECT_EQ(format(built.faults), "");
    RunOptions options;
    options.folder = folder.path() / "out";
    run_scene(read.scene, built.built, options, {});
    return read_file(options.folder / "log.txt");
}

constexpr const char* ground = "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n";

TEST(RigidRun, ThinBodiesThatSinkAreToldOfAtTheEnd)
{
    const std::string card = rigid_body("card", "box: [1, 0.01, 1]", "position: [0, 0.005, 0], force: [0, -2e4, 0]");
    const std::string sunk = log_of(ground + card);
    const std::size_t at = sunk.find("t = 0.1 s: \"card\" and \"floor\" overlap by ");
    ASSERT_NE(at, std::string::npos) << sunk;
    EXPECT_NE(sunk.find(" % of the smallest size of either; `contact: {penetration: 0.0001}`", at), std::string::npos)
        << sunk.substr(at);
    const std::string stated = log_of(ground + card, "0.01", "contact: {penetration: 0.0001}\n");
    EXPECT_EQ(stated.find("of the smallest size"), std::string::npos) << "it is said what is allowed";
    const std::string thick = rigid_body("card", "box: [1, 1, 1]", "position: [0, 0.5, 0]");
    EXPECT_EQ(log_of(ground + thick).find("of the smallest size"), std::string::npos);
}

TEST(RigidRun, StepsThatGainAreToldOfAtTheEnd)
{
    RunTotals totals;
    std::vector<std::string> said;
    const Say say = [&](const std::string& line) { said.push_back(line); };
    const auto step = [&](double time, double gain, double error = 0, double work = 0) {
        const Energies before{.kinetic = 6, .potential = 50, .elastic = 2, .contact = 1}, after{.potential = 51};
        StepBalance balance;
        balance.change = gain + error + work;
        balance.energy_error = error;
        balance.external_work = work;
        watch_gains(before, after, balance, 1e-9, time, totals, say);
    };
    step(0.1, 0.09); // 10 J are in play
    step(0.2, -5);
    step(0.3, 0.09, 0.5); // the rest is the solver's
    step(0.4, 0.09, 0, 7); // or work from outside
    tell_of_gains(totals, 1, say);
    EXPECT_TRUE(said.empty()) << said.front();
    step(0.5, 0.3);
    step(0.6, 0.11);
    tell_of_gains(totals, 1, say);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0],
        "t = 1 s: 2 steps gained more than 1 % of the energy in play, the most at t = 0.5 s: 0.3 J, 3 % of it; a "
        "shorter time.step may help");
}

TEST(RigidRun, EnergyOfTheSizeOfTheToleranceIsNotTold)
{
    const BuiltScene scene(rigid_body("ball", "sphere: 0.5", "position: [0, 0.5, 0]"));
    const double mass = scene.world().rigids[0].mass;
    EXPECT_NEAR(tolerated_energy(scene.world(), 1e-3), 0.5e-6 * mass, 1e-18);
    RunTotals totals;
    std::vector<std::string> said;
    for (const double released : {1e-18, 1e-6}) {
        StepBalance balance;
        balance.contact_loss = balance.change = -released;
        watch_gains({}, {}, balance, 1e-12, 0.1, totals, [&](const std::string& line) { said.push_back(line); });
    }
    // an energy that rounding takes below 0
    watch_gains(
        {.elastic = -4e-14}, {}, {}, 1e-18, 0.1, totals, [&](const std::string& line) { said.push_back(line); });
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("contacts released 1e-06 J"), std::string::npos) << said[0];
}

TEST(RigidRun, EnergyThatContactsGiveIsReported)
{
    const auto log = [](const std::string& height) {
        const TemporaryFolder folder;
        const BuiltScene scene(rigid_body("ball", "sphere: 0.5", "position: [0, " + height + ", 0]")
                + "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n",
            folder.path());
        RunOptions options;
        options.folder = folder.path() / "out";
        run_scene(scene.scene, scene.built(), options, {});
        return read_file(options.folder / "log.txt");
    };
    EXPECT_NE(log("0.4").find("contacts released "), std::string::npos) << "starts 0.1 m deep in the floor";
    EXPECT_EQ(log("0.5").find("contacts released "), std::string::npos) << "starts on it";
    EXPECT_EQ(log("0.6").find("contacts released "), std::string::npos) << "falls onto it";
}

TEST(RigidRun, BodiesCsvHoldsAllBodiesInTheOrderOfTheScene)
{
    const Prepared p;
    p.run("out", {.until = 0.02});
    const auto rows = csv_rows(read_file(p.folder.path() / "out/bodies.csv"));
    ASSERT_GT(rows.size(), 5u);
    const std::vector<std::string> names{"wedge", "floor", "cube", "ball"};
    for (std::size_t i = 1; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), 15u);
        EXPECT_EQ(rows[i][1], names[(i - 1) % 4]);
    }
    const Vec3 centre(std::stod(rows[1][2]), std::stod(rows[1][3]), std::stod(rows[1][4]));
    EXPECT_CLOSE_ALL(centre, Vec3(2.0 / 3, 1 + 1.0 / 3, 0.5), 1e-14);
    EXPECT_EQ(rows[1][9], "1"); // vx
    EXPECT_EQ(rows[4][14], "2"); // wz of the ball
}

TEST(RigidRun, ItsOwnSceneRunsAgainToTheSameState)
{
    const Prepared p;
    const RunResult first = p.run("out");
    const std::filesystem::path own = p.folder.path() / "out";
    const RunResult second = run_again(own, p.folder.path() / "again");
    EXPECT_EQ(first.state_hash, second.state_hash);
    EXPECT_EQ(read_file(own / "bodies.csv"), read_file(p.folder.path() / "again/bodies.csv"));
}

TEST(RigidRun, GoesOnFromACheckpointAsIfItHadNotStopped)
{
    const Prepared p;
    const RunResult whole = p.run("whole");
    p.run("parts", {.until = 0.04});
    const RunResult resumed = p.run("parts", {.resume = true});
    EXPECT_EQ(whole.state_hash, resumed.state_hash);
    EXPECT_EQ(read_file(p.folder.path() / "whole/bodies.csv"), read_file(p.folder.path() / "parts/bodies.csv"));
}

TEST(RigidRun, PositionAndSpeedCanBeExpected)
{
    const TemporaryFolder folder;
    SceneResult read = read_scene_text("stickslip: 1\ngravity: [0, 0, 0]\ntime: {step: 0.01, end: 0.02}\n"
                                       "materials: {oak: {density: 700}}\nbodies:\n"
            + rigid_body("ball", "sphere: 0.5", "position: [3, 4, 0]")
            + "expect:\n"
              "  - {body: ball, metric: position, near: [3, 4, 0], within: 1e-12}\n"
              "  - {body: ball, metric: speed, max: 0}\n",
        "scene.yaml");
    ASSERT_EQ(format(read.faults), "");
    const BuildResult built = build_world(read.scene, folder.path());
    const RunResult result = run_scene(read.scene, built.built, {.folder = folder.path() / "out"}, {});
    ASSERT_EQ(result.expect.size(), 2u);
    EXPECT_TRUE(result.expectations_hold());
}

} // namespace
} // namespace stickslip::rigid_run_test
