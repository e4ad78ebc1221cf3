#include "stickslip/build/granular/build_granular_bodies.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/scene/table/scene_table.h"
#include "support/finished_run.h"
#include "support/granular_scenes.h"
#include "support/temporary_folder.h"
#include "support/vtk_file_reader.h"

#include "support/numeric.h"

#include <cmath>
#include <numbers>

namespace stickslip::granular_bodies_test {
namespace {

constexpr double pi = std::numbers::pi;

const std::string box_body = "  - {name: box, kind: rigid, material: steel, shape: {box: [0.1, 0.04, 0.06]}, position: "
                             "[0, 0.25, 0], velocity: [0, -1, 0], angular_velocity: [0, 0, 1]}\n";
const std::string ball_body =
    "  - {name: ball, kind: rigid, material: steel, shape: {sphere: 0.03}, position: [0.3, 0.1, 0]}\n";
const std::string clump_body = "  - {name: chips, kind: spheres, material: glass, position: [0, 0.08, 0], clump: "
                               "{positions: [[0, 0, 0], [0.01, 0, "
                               "0]], radius: 0.008}, fill: {box: [0.2, 0.1, 0.2], count: 40}}\n";
const std::string quick = "{step: auto, end: 0.06, frame: 0.02}";

TEST(GranularBodies, RigidBodiesHaveTheMassAndThePointsOfTheirShape)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "wedge.obj",
        "v 0 0 0\nv 0.2 0 0\nv 0 0 0.1\nv 0 0.2 0\nv 0.2 0 0.1\nv 0 0.2 0.1\nf 1 4 2\nf 3 5 6\nf 1 2 5\nf 1 5 3\n"
        "f 1 3 6\nf 1 6 4\nf 2 4 6\nf 2 6 5\n");
    const GranularScene scene(floor_body + box_body + ball_body
            + "  - {name: wedge, kind: rigid, material: steel, shape: {mesh: {file: wedge.obj}}, position: [1, 1, 1]}\n"
              "  - {name: rod, kind: rigid, material: steel, shape: {capsule: {radius: 0.01, height: 0.1}}, position: "
              "[0, 2, 0]}\n",
        folder.path());
    const GranularWorld& world = scene.granular().world;
    ASSERT_EQ(world.bodies.size(), 4u);
    EXPECT_NEAR(world.bodies[0].rigid.mass, 7800 * 0.1 * 0.04 * 0.06, 1e-9);
    EXPECT_EQ(world.bodies[0].start.v, Vec3(0, -1, 0));
    EXPECT_TRUE(world.bodies[1].is_clump);
    EXPECT_NEAR(world.bodies[1].rigid.mass, 7800 * 4 * pi / 3 * 2.7e-5, 1e-9);
    EXPECT_NEAR(world.bodies[2].rigid.mass, 7800 * 0.002, 1e-9);
    EXPECT_CLOSE_ALL(world.bodies[2].start.x, Vec3(1 + 0.2 / 3, 1 + 0.2 / 3, 1.05), 1e-12);
    ASSERT_EQ(world.walls.size(), 4u); // the floor and three solids
    EXPECT_GE(world.walls[1].points.size(), 8u);
    ASSERT_NE(world.walls[2].solid(), nullptr);
    for (const SurfacePoint& p : world.walls[2].points) // in the frame of the file, on the surface
        EXPECT_NEAR(signed_distance(*world.walls[2].solid(), p.z), 0, 1e-12);
    for (const SurfacePoint& p : world.walls[3].points)
        EXPECT_EQ(p.radius, 0.01);
    EXPECT_EQ(world.walls[0].body, -1);
    EXPECT_EQ(world.walls[3].body, 3);
}

TEST(GranularBodies, ClumpsAreOfTheMaterialTheyFill)
{
    const GranularScene scene(clump_body);
    const GranularWorld& world = scene.granular().world;
    ASSERT_EQ(world.bodies.size(), 40u);
    const double r = 0.008, d = 0.01, ball = 4 * pi / 3 * r * r * r;
    const double lens = pi * (4 * r + d) * (2 * r - d) * (2 * r - d) / 12;
    Vec3 mean = Vec3::Zero();
    for (const GranularBody& body : world.bodies) {
        EXPECT_NEAR(body.rigid.mass, 2500 * (2 * ball - lens), 1e-12);
        EXPECT_CLOSE_ALL(body.rigid.rounds[1].centre, Vec3(0.005, 0, 0), 1e-12);
        EXPECT_LT(std::abs(body.start.x.x()), 0.1);
        mean += body.start.R * Vec3::UnitX() / 40;
    }
    EXPECT_LT(mean.norm(), 3 / std::sqrt(40)); // to all sides
    EXPECT_TRUE(scene.result.warnings.empty()); // neighbours do not overlap
    const GranularScene again(clump_body);
    EXPECT_EQ(again.granular().world.bodies[7].start.R.coeffs(), world.bodies[7].start.R.coeffs());
}

TEST(GranularBodies, OrientationsAreAlikeToAllSides)
{
    const std::vector<Quat> all = random_orientations(5, 40000);
    Mat3 second = Mat3::Zero(), mean = Mat3::Zero();
    for (const Quat& q : all) {
        EXPECT_NEAR(q.norm(), 1, 1e-14);
        const Vec3 u = q * Vec3(0.6, 0, 0.8);
        second += u * u.transpose() / 40000;
        mean += q.toRotationMatrix() / 40000;
    }
    EXPECT_CLOSE_ALL(second, (Mat3::Identity() / 3).eval(), 0.01); // sigma is 0.0015
    EXPECT_CLOSE_ALL(mean, Mat3(Mat3::Zero()), 0.015); // 0.003
}

TEST(GranularBodies, PlacesOfAlignedClumpsAreTurnedWithTheBody)
{
    const GranularScene scene(
        "  - {name: g, kind: spheres, material: glass, rotation: {axis: [0, 0, 1], degrees: 90}, positions: [[1, 0, "
        "0], "
        "[2, 0, 0]], clump: {positions: [[0, 0, 0], [0.03, 0, 0]], radii: [0.01, 0.02], orientation: aligned}}\n");
    const GranularBody& second = scene.granular().world.bodies[1];
    EXPECT_CLOSE_ALL(second.start.x, Vec3(0, 2, 0), 1e-14);
    EXPECT_CLOSE_ALL((second.start.R * Vec3::UnitX()).eval(), Vec3(0, 1, 0), 1e-14);
    // touching balls share nothing: the centre of mass is 8/9 of the way to the larger one
    EXPECT_NEAR(second.rigid.rounds[1].centre.x(), 0.03 / 9, 1e-12);
}

// The dashpot of two bodies that are both held along the normal was that of an infinite mass: not a number.
TEST(GranularBodies, WhatIsHeldAlongTheNormalIsPressedByItsSpringAlone)
{
    for (const std::string shape : {"box: [0.1, 0.04, 0.06]", "cylinder: {radius: 0.03, height: 0.04}"})
        for (const std::string held : {"[y]", "[x, y, z, rx, ry, rz]"}) {
            double load[2];
            for (const int i : {0, 1}) {
                const GranularScene scene(floor_body + "  - {name: body, kind: rigid, material: steel, shape: {" + shape
                    + "}, position: [0, " + (i == 0 ? "0.01999" : "0.01998") + ", 0], fixed_dofs: " + held + "}\n");
                SphereSystem system(scene.granular().world, scene.granular().grains);
                for (int step = 0; step < 50; ++step)
                    ASSERT_TRUE(system.step()) << shape << held;
                load[i] = -system.state().wall_load[0].force.y();
                EXPECT_TRUE(system.state().bodies[0].x.allFinite());
            }
            EXPECT_GT(load[0], 0) << shape << held;
            EXPECT_NEAR(load[1] / load[0], std::pow(2, 1.5), 1e-9) << shape << held; // Hertz
        }
}

/// Bars of 1 cm whose edges cross between an eighth of their length, flat and on their edges.
TEST(GranularBodies, BarsThatCrossHoldEachOther)
{
    const std::string rail =
        "  - {name: rail, kind: obstacle, material: soft, shape: {box: [0.4, 0.01, 0.01]}, position: "
        "[0.0125, 0, 0]";
    const std::string bar =
        "  - {name: bar, kind: rigid, material: soft, shape: {box: [0.01, 0.01, 0.4]}, position: [0, ";
    const std::string flat = rail + "}\n" + bar + "0.011, 0.0125], fixed_dofs: [rx, ry, rz]}\n";
    const std::string on_edge = rail + ", rotation: {axis: [1, 0, 0], degrees: 45}}\n" + bar
        + "0.016, 0.0125], rotation: {axis: [0, 0, 1], degrees: 45}, fixed_dofs: [x, z, rx, ry, rz]}\n";
    std::string grill =
        "  - {name: bar, kind: rigid, material: soft, shape: {box: [0.3, 0.01, 0.01]}, position: [0, 0.011, "
        "0]}\n";
    int number = 0;
    for (const char* x : {"-0.09", "0.01", "0.11"})
        grill += "  - {name: rail" + std::to_string(number++)
            + ", kind: obstacle, material: soft, shape: {box: [0.01, 0.01, 0.5]}, " + "position: [" + x
            + ", 0, 0.01]}\n";
    for (const auto& [bodies, height] : {std::pair(flat, 0.01), {grill, 0.01}, {on_edge, 0.01 * std::sqrt(2)}}) {
        const TemporaryFolder folder;
        const GranularScene scene(bodies, folder.path(), "  soft: {density: 2500, kn: 1e5, restitution: 0.3}\n",
            "{step: auto, end: 0.3, frame: 0.3}");
        EXPECT_EQ(format(scene.result.warnings), "");
        EXPECT_EQ(run_scene(scene.scene, scene.built(), {.folder = folder.path() / "out"}, {}).status, RunStatus::done);
        double last = nan; // [m]
        for (const auto& row : csv_rows(read_file(folder.path() / "out/bodies.csv")))
            last = row[1] == "bar" ? std::stod(row[3]) : last;
        EXPECT_NEAR(last, height, 0.1 * height);
    }
}

TEST(GranularBodies, BarsThatCanSlipBetweenPointsAreTold)
{
    const auto warnings = [](const std::string& more) {
        return format(
            GranularScene("  - {name: rail, kind: obstacle, shape: {box: [2, 0.01, 0.01]}}\n"
                          "  - {name: bar, kind: rigid, material: glass, shape: {box: [0.01, 0.01, 1]}, position: "
                          "[0, 0.02, 0]"
                + more + "}\n")
                .result.warnings);
    };
    EXPECT_NE(warnings("").find("bodies.bar.shape: can pass through \"rail\" where edges cross between two points"),
        std::string::npos)
        << warnings("");
    EXPECT_EQ(warnings(", sample: 0.005"), "");
}

TEST(GranularBodies, WhatRollsOverItsPointsIsTold)
{
    const auto warnings = [](const std::string& body, const std::string& others = floor_body) {
        return format(GranularScene(
            others + "  - {name: wheel, kind: rigid, material: glass, position: [0, 1, 0], " + body + "}\n")
                          .result.warnings);
    };
    for (const std::string shape : {"cylinder: {radius: 0.05, height: 0.1}", "torus: {major: 0.05, minor: 0.01}",
             "cone: {radius: 0.05, height: 0.1}"}) {
        const std::string told = warnings("shape: {" + shape + "}");
        EXPECT_NE(told.find("bodies.wheel.shape: meets other solids by points, so that a "
                      + shape.substr(0, shape.find(':')) + " rolls as over bumps, which slow it"),
            std::string::npos)
            << told;
        EXPECT_EQ(warnings("fixed_dofs: [rx, ry, rz], shape: {" + shape + "}"), "");
        EXPECT_EQ(warnings("shape: {" + shape + "}",
                      "  - {name: grains, kind: spheres, material: glass, radius: 0.01, positions: [[0, 0, 0]]}\n"),
            "");
        const std::string copies =
            warnings("copies: {grid: {count: [1, 3, 1], spacing: [0, 0.3, 0]}}, shape: {" + shape + "}");
        EXPECT_EQ(copies.find("rolls as"), copies.rfind("rolls as")) << copies;
    }
    EXPECT_EQ(warnings("shape: {capsule: {radius: 0.05, height: 0.1}}"), "");
    EXPECT_EQ(warnings("shape: {box: [0.1, 0.1, 0.1]}"), "");
}

TEST(GranularBodies, SaysWhatDoesNotFitTogether)
{
    const auto faults = [](const std::string& bodies, const std::string& more = "") {
        const SceneResult read = read_scene_text("stickslip: 1\ntime: {step: auto, end: 1}\nsolver: {integration: "
                                                 "explicit}\nmaterials: {glass: {density: 2500, kn: 1e4}, air: "
                                                 "{density: 1}}\n"
                + more + "bodies:\n" + bodies,
            "s.yaml");
        return format(read.faults);
    };
    const auto expect_fault = [](const std::string& all, const std::string& one) {
        EXPECT_NE(all.find(one), std::string::npos) << all;
    };
    const std::string clumps = "  - {name: c, kind: spheres, material: glass, positions: [[0, 0, 0]], clump: ";
    expect_fault(faults(clumps + "{positions: [[0, 0, 0]]}}\n"),
        "bodies.c.clump: expected one of radius, radii, got none of them");
    expect_fault(faults(clumps + "{positions: [[0, 0, 0]], radii: [1, 2]}}\n"),
        "bodies.c.clump.radii: expected one radius per position (1), got 2");
    expect_fault(faults(clumps + "{positions: [[0, 0, 0]], radius: 1}, radius: 2}\n"),
        "bodies.c.radius: not available with `clump`");
    expect_fault(faults("  - {name: r, kind: rigid, material: air, shape: {box: [1, 1, 1]}}\n"),
        "bodies.r.material: the material \"air\" has neither kn nor young and poisson");
    EXPECT_EQ(faults("  - {name: r, kind: rigid, material: glass, shape: {box: [1, 1, 1]}}\n",
                  "periodic: {min: [0, 0, 0], max: [9, 9, 9]}\n"),
        "");
    expect_fault(faults(floor_body), "solver.integration: explicit needs spheres or rigid bodies that move");
}

TEST(GranularBodies, ClumpsAreWrittenAndReadBack)
{
    const GranularScene scene(clump_body + box_body);
    const std::string text = write_scene(scene.scene);
    const SceneResult read = read_scene_text(text, "again.yaml");
    EXPECT_EQ(format(read.faults), "");
    EXPECT_EQ(write_scene(read.scene), text);
}

TEST(GranularBodies, GoOnFromACheckpointAsIfTheyHadNotStopped)
{
    const TemporaryFolder folder;
    const GranularScene scene(floor_body + box_body + ball_body + clump_body, folder.path(),
        "contact: {friction: 0.4}\noutput: {contacts: true, probes: [{name: p, body: box}]}\n", quick);
    const auto run = [&](const std::string& name, const RunOptions& options = {}) {
        return run_scene(scene.scene, scene.built(), within(folder.path(), name, options), {});
    };
    const RunResult whole = run("whole");
    ASSERT_EQ(whole.status, RunStatus::done);
    run("parts", {.until = 0.0337});
    const RunResult resumed = run("parts", {.resume = true});
    EXPECT_EQ(whole.state_hash, resumed.state_hash);
    for (const char* table :
        {"bodies.csv", "balance.csv", "walls.csv", "contacts.csv", "probes.csv", "frames/box_000003.vtp"})
        EXPECT_EQ(read_file(folder.path() / "whole" / table), read_file(folder.path() / "parts" / table)) << table;
}

TEST(GranularBodies, FramesShowThemWhereTheyAre)
{
    const TemporaryFolder folder;
    const GranularScene scene(ball_body + box_body + clump_body, folder.path(), "gravity: [0, 0, 0]\n", quick);
    ASSERT_EQ(
        run_scene(scene.scene, scene.built(), {.scene_folder = folder.path(), .folder = folder.path() / "out"}, {})
            .status,
        RunStatus::done);
    const VtkFileReader ball(folder.path() / "out/frames/ball_000003.vtp");
    const auto x = ball.values<double>("Points/Points");
    ASSERT_GT(x.size(), 30u);
    EXPECT_NEAR((Vec3(x[0], x[1], x[2]) - Vec3(0.3, 0.1, 0)).norm(), 0.03, 1e-12);
    const VtkFileReader chips(folder.path() / "out/frames/chips_000003.vtp");
    EXPECT_EQ(chips.values<double>("PointData/radius").size(), 80u);
    const std::vector<int> clump = chips.values<int>("PointData/clump");
    ASSERT_EQ(clump.size(), 80u);
    EXPECT_EQ(clump[0], clump[1]);
    EXPECT_NE(clump[1], clump[2]);
    const auto rows = csv_rows(read_file(folder.path() / "out/bodies.csv"));
    ASSERT_GT(rows.size(), 2u);
    EXPECT_EQ(rows[2][1], "box");
    EXPECT_EQ(rows[2][3], "0.25"); // y
    EXPECT_EQ(rows[2][10], "-1"); // vy
}

TEST(GranularBodies, AProbeFeelsTheWeightThatRestsOnIt)
{
    const TemporaryFolder folder;
    const GranularScene scene(floor_body
            + "  - {name: slab, kind: rigid, material: soft, shape: {box: [0.1, 0.02, 0.1]}, position: [0, 0.03, 0]}\n"
              "  - {name: legs, kind: spheres, material: soft, radius: 0.01, positions: [[0.04, 0.01, 0.04], [-0.04, "
              "0.01, 0.04], [0.04, 0.01, -0.04], [-0.04, 0.01, -0.04]]}\n"
              "  - {name: ball, kind: rigid, material: soft, shape: {sphere: 0.02}, position: [0.01, 0.06, 0]}\n",
        folder.path(),
        "  soft: {density: 2500, kn: 1e4, restitution: 0.1}\ngravity: [0, -10, 0]\ncontact: {friction: 0.4}\noutput: "
        "{probes: [{name: legs, body: slab, by: legs}, {name: "
        "ball, body: slab, by: ball, about: [0, 0, 0]}]}\n",
        "{step: auto, end: 1.5, frame: 0.5}");
    run_scene(scene.scene, scene.built(), {.scene_folder = folder.path(), .folder = folder.path() / "out"}, {});
    const auto rows = csv_rows(read_file(folder.path() / "out/probes.csv"));
    const auto& ball = rows[rows.size() - 1];
    const auto& legs = rows[rows.size() - 2];
    const double slab = 2500 * 2e-4 * 10, weight = 2500 * 4 * pi / 3 * 8e-6 * 10;
    EXPECT_EQ(legs[1], "legs");
    EXPECT_EQ(legs[2], "4");
    EXPECT_NEAR(std::stod(legs[5]), slab + weight, 1e-3 * slab); // normal_y
    EXPECT_EQ(ball[2], "1");
    EXPECT_NEAR(std::stod(ball[5]), -weight, 1e-3 * weight);
    // the ball rolls a little: lever and height of the contact times the force there
    const double x = std::stod(csv_rows(read_file(folder.path() / "out/bodies.csv")).back()[2]);
    const double along = std::stod(ball[4]) + std::stod(ball[7]);
    EXPECT_NEAR(std::stod(ball[12]), -x * weight - 0.04 * along, 0.02 * x * weight); // torque_z
}

} // namespace
} // namespace stickslip::granular_bodies_test
