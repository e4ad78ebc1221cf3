#include <stickslip/stickslip.h>

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "support/temporary_folder.h"
#include "support/thin_walls.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

/// Meshes of many triangles whose walls or slots are thinner than a cell of the usual grid of their distance.
namespace stickslip::thin_walls_test {
namespace {

class ThinWalls : public testing::Test {
protected:
    Simulation simulation(const TriMesh& mesh, const std::string& time, const std::string& body)
    {
        write_file_atomically(folder_.path() / "mesh.obj", obj_text(mesh));
        return Simulation(scene_from_text("stickslip: 1\n" + time
                + "\ncontact: {friction: 0.1}\nmaterials: {m: {density: 1000, young: 1e6, poisson: 0.3}}\nbodies:\n"
                  "  - {name: mesh, kind: obstacle, shape: {mesh: {file: mesh.obj}}}\n  - {name: body, material: m, "
                + body + "}\n",
            {.folder = folder_.path().string()}));
    }

    TemporaryFolder folder_;
};

const std::string implicit = "time: {step: 0.005, end: 1}",
                  explicitly = "time: {step: auto, end: 1}\nsolver: "
                               "{integration: explicit}";

TEST_F(ThinWalls, FloorsOfThinBinsHoldWhatIsDropped)
{
    for (const double thickness : {0.01, 0.005, 0.02}) {
        SCOPED_TRACE(thickness);
        Simulation soft = simulation(channel(thickness, 3), implicit,
            "kind: deformable, shape: {box: [0.1, 0.1, 0.1]}, resolution: 0.05, position: [0.1, 0.1, 0.05]");
        ASSERT_EQ(soft.run(0.8), RunStatus::done);
        EXPECT_NEAR(soft.pose("body").x.y(), thickness + 0.05, 1e-3);
        Simulation ball = simulation(channel(thickness, 3), implicit,
            "kind: deformable, shape: {sphere: 0.05}, resolution: 0.02, position: [0.05, 0.08, 0.03]");
        ASSERT_EQ(ball.run(0.4), RunStatus::done);
        EXPECT_NEAR(ball.pose("body").x.y(), thickness + 0.05, 5e-3);
        Simulation rigid = simulation(
            channel(thickness, 3), implicit, "kind: rigid, shape: {box: [0.1, 0.1, 0.1]}, position: [0.1, 0.1, 0.05]");
        ASSERT_EQ(rigid.run(0.8), RunStatus::done);
        EXPECT_NEAR(rigid.pose("body").x.y(), thickness + 0.05, 1e-4);
    }
}

// Circles meet the sampled distance, whatever the others meet.
TEST_F(ThinWalls, FloorsOfThinBinsHoldCircles)
{
    for (const auto& [shape, high] : {std::pair{"cylinder: {radius: 0.05, height: 0.1}", 0.05},
             {"cone: {radius: 0.05, height: 0.1}", 0.025}, {"torus: {major: 0.1, minor: 0.005}", 0.005}}) {
        SCOPED_TRACE(shape);
        Simulation body = simulation(
            channel(0.01, 3), implicit, std::string("kind: rigid, shape: {") + shape + "}, position: [0, 0.07, 0.05]");
        ASSERT_EQ(body.run(0.5), RunStatus::done);
        EXPECT_NEAR(body.pose("body").x.y(), 0.01 + high, 2e-4);
    }
}

TEST_F(ThinWalls, AKeyFallsIntoASlot)
{
    Simulation key = simulation(refined(comb(0.006)), "time: {step: 0.002, end: 1}",
        "kind: rigid, shape: {box: [0.004, 0.03, 0.04]}, position: [0.503, 0.05, 0]");
    ASSERT_EQ(key.run(0.4), RunStatus::done);
    EXPECT_NEAR(key.pose("body").x.y(), 0.015, 1e-3);
}

TEST_F(ThinWalls, AFloorHoldsABoxInAnExplicitRun)
{
    Simulation box = simulation(
        channel(0.01, 0), explicitly, "kind: rigid, shape: {box: [0.1, 0.1, 0.1]}, position: [0.1, 0.1, 0.05]");
    ASSERT_EQ(box.run(0.5), RunStatus::done);
    EXPECT_NEAR(box.pose("body").x.y(), 0.06, 1e-3);
}

// More sides than a convex polyhedron may have faces; its distance takes 17 million nodes with four cells across it.
TEST_F(ThinWalls, ADiscOfManySidesIsNoSlowerThanItIsThin)
{
    const auto start = std::chrono::steady_clock::now();
    Simulation box = simulation(disc(256, 0.004), "time: {step: 0.01, end: 1}",
        "kind: rigid, shape: {box: [0.1, 0.1, 0.1]}, position: [0.1, 0.056, 0.05]");
    ASSERT_EQ(box.run(0.5), RunStatus::done);
    EXPECT_NEAR(box.pose("body").x.y(), 0.054, 1e-4);
    EXPECT_LT(box.pose("body").w.norm(), 1e-9);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    EXPECT_LT(time.count(), 60); // [s] on a busy machine
}

} // namespace
} // namespace stickslip::thin_walls_test
