#include <stickslip/stickslip.h>

#include "geometry/closed_meshes.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <string>

/// What touches by balls, in hollows of meshes: there the distance has kinks, where two walls are equally near.
namespace stickslip::round_in_mesh_test {
namespace {

constexpr double half = 0.15, high = 0.05; // [m] of the room in the tray

/// Open above, its floor at y = 0.
TriMesh tray()
{
    TriMesh mesh;
    const auto square = [&](double size, double y) {
        for (const auto& [x, z] : {std::pair{-size, -size}, {size, -size}, {size, size}, {-size, size}})
            mesh.vertices.emplace_back(x, y, z);
    };
    const double thick = 0.02;
    square(half + thick, -thick);
    square(half + thick, high);
    square(half, high);
    square(half, 0);
    const auto quad = [&](int a, int b, int c, int d) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
    };
    quad(0, 1, 2, 3);
    for (const int ring : {0, 4, 8})
        for (int i = 0; i < 4; ++i)
            quad(ring + i, ring + i + 4, ring + (i + 1) % 4 + 4, ring + (i + 1) % 4);
    quad(15, 14, 13, 12);
    return mesh;
}

class RoundInMesh : public testing::Test {
protected:
    RoundInMesh()
    {
        write_file_atomically(folder_.path() / "tray.obj", obj_text(tray()));
        write_file_atomically(
            folder_.path() / "sheet.obj", "v -1 0 1\nv 1 0 1\nv -1 0 -1\nv 1 0 -1\nf 2 3 1\nf 2 4 3\n");
        write_file_atomically(folder_.path() / "ring.obj", obj_text(torus_mesh(0.08, 0.02, 20, 10)));
    }

    /// Runs to the end without a failed solve, and without a message unless it may be told.
    Simulation run(const std::string& bodies, double end, double step = 0.005, bool is_told = false) const
    {
        Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: " + std::to_string(step)
                + ", end: 10}\ncontact: {friction: 0.3}\nmaterials: {rock: {density: 2500}}\nbodies:\n" + bodies,
            {.folder = folder_.path().string()}));
        while (simulation.time() < end - 1e-9) {
            const RunStatus status = simulation.step();
            EXPECT_EQ(status, RunStatus::done);
            EXPECT_EQ(simulation.report().failed_solves, 0) << simulation.time();
            if (status != RunStatus::done)
                break;
        }
        for (std::size_t i = 0; i < simulation.messages().size() && !is_told; ++i)
            ADD_FAILURE() << simulation.messages()[i];
        return simulation;
    }

    TemporaryFolder folder_;
};

const std::string in_tray = "  - {name: tray, kind: obstacle, shape: {mesh: {file: tray.obj}}}\n"
                            "  - {name: body, kind: rigid, material: rock, ";

const std::string sheet =
    "  - {name: sheet, kind: obstacle, contact_geometry: mesh, shape: {mesh: {file: sheet.obj}}}\n";

TEST_F(RoundInMesh, ACapsuleRollsIntoTheWallOfATrayAndStops)
{
    for (const double step : {0.0005, 0.005, 0.01}) {
        SCOPED_TRACE(step);
        const Simulation simulation = run(in_tray
                + "shape: {capsule: {radius: 0.03, height: 0.1}}, rotation: {axis: [1, 0, 0], degrees: 90}, "
                  "position: [0.08, 0.0301, 0], velocity: [0.5, 0, 0]}\n",
            0.5, step);
        EXPECT_LT((simulation.pose("body").x - Vec3(half - 0.03, 0.03, 0)).norm(), 5e-4);
        EXPECT_LT(simulation.energies().kinetic, 1e-6); // nothing resists that it rolls back; 0.2 J before
    }
}

TEST_F(RoundInMesh, WhatIsThrownIntoATrayComesToRestThere)
{
    RandomPoints random(5);
    for (int trial = 0; trial < 12; ++trial) {
        SCOPED_TRACE(trial);
        const std::string shape = trial % 2 == 0 ? "capsule: {radius: 0.03, height: 0.1}"
                                                 : "rounded_box: {size: [0.1, 0.08, 0.06], radius: 0.02}";
        const Vec3 axis = random.direction(), v = random.in_cube(0.4);
        const auto text = [](const Vec3& x) {
            return "[" + std::to_string(x.x()) + ", " + std::to_string(x.y()) + ", " + std::to_string(x.z()) + "]";
        };
        const Simulation simulation = run(in_tray + "shape: {" + shape + "}, position: [0, 0.12, 0], rotation: {axis: "
                + text(axis) + ", degrees: " + std::to_string(random.number(0, 180))
                + "}, velocity: " + text({v.x(), 0, v.z()}) + "}\n",
            1.5);
        const Vec3 x = simulation.pose("body").x;
        EXPECT_LT(std::max(std::abs(x.x()), std::abs(x.z())), half - 0.029);
        EXPECT_NEAR(x.y(), 0.035, 0.0651 - 0.05);
    }
}

TEST_F(RoundInMesh, ARingHungOnABarRests)
{
    const std::string bar = "shape: {capsule: {radius: 0.03, height: 0.4}}, rotation: {axis: [1, 0, 0], degrees: 90}";
    const std::string ring = "shape: {mesh: {file: ring.obj}}, rotation: {axis: [1, 0, 0], degrees: 90}";
    const double inner = 0.06; // [m] of the ring's hole at its corners; 0.7 mm less in the middle of a facet
    const Simulation hung = run("  - {name: bar, kind: obstacle, " + bar
            + "}\n  - {name: ring, kind: rigid, material: "
              "rock, "
            + ring + ", position: [0, -0.028, 0]}\n",
        1);
    EXPECT_NEAR(hung.pose("ring").x.y(), 0.03 - inner, 1e-3);
    EXPECT_LT(hung.energies().kinetic, 1e-5);
    const Simulation lying = run("  - {name: ring, kind: obstacle, " + ring
            + "}\n  - {name: bar, kind: rigid, material: rock, " + bar + ", position: [0, -0.028, 0]}\n",
        1);
    EXPECT_NEAR(lying.pose("bar").x.y(), 0.03 - inner, 1e-3);
    EXPECT_LT(lying.energies().kinetic, 1e-5);
}

TEST_F(RoundInMesh, AnOpenMeshHoldsWhatHasBalls)
{
    const Simulation simulation =
        run("  - {name: sheet, kind: obstacle, contact_geometry: mesh, shape: {mesh: {file: sheet.obj}}}\n"
            "  - {name: capsule, kind: rigid, material: rock, shape: {capsule: {radius: 0.03, height: 0.1}}, position: "
            "[0, 0.15, 0], rotation: {axis: [1, 0, 0], degrees: 70}}\n"
            "  - {name: die, kind: rigid, material: rock, shape: {rounded_box: {size: [0.1, 0.1, 0.1], radius: 0.02}}, "
            "position: [0.5, 0.15, 0], rotation: {axis: [1, 1, 0], degrees: 20}}\n",
            1);
    EXPECT_NEAR(simulation.pose("capsule").x.y(), 0.03, 1e-5);
    EXPECT_NEAR(simulation.pose("die").x.y(), 0.05, 1e-5);
}

// It goes through the sheet by 0.1 m in its first step, and is pushed back whole.
TEST_F(RoundInMesh, AnOpenMeshHoldsAFastCapsule)
{
    const Simulation simulation = run(sheet
            + "  - {name: capsule, kind: rigid, material: rock, shape: {capsule: {radius: 0.03, height: 0.1}}, "
              "position: "
              "[0, 0.2, 0], velocity: [0, -60, 0]}\n",
        0.5, 0.005, true);
    EXPECT_GT(simulation.pose("capsule").x.y(), 0.029);
}

} // namespace
} // namespace stickslip::round_in_mesh_test
