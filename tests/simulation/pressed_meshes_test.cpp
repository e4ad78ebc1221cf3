#include <stickslip/stickslip.h>

#include "support/extruded.h"
#include "support/obj_file.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <string>

/// What is pressed onto a table slides off its end, and over the seam to the next one, however deep springs let it
/// sink: an edge that is level with its lower face does not come in by its front.
namespace stickslip::pressed_meshes_test {
namespace {

constexpr double speed = 0.2, side = 0.06; // [m/s], [m]

class PressedMeshes : public testing::Test {
protected:
    // A block with a notch in its upper face, so that it is met by its triangles.
    PressedMeshes()
    {
        constexpr double half = side / 2;
        write_obj(folder_.path() / "block.obj",
            extruded({{-half, -half}, {half, -half}, {half, half}, {half / 3, half}, {0, half / 3}, {-half / 3, half},
                         {-half, half}},
                0.05));
    }

    Simulation start(double step, double force, const std::string& more) const
    {
        return Simulation(scene_from_text("stickslip: 1\ntime: {step: " + std::to_string(step)
                + ", end: 1}\ncontact: {friction: 0}\nmaterials: {steel: {density: 1000}}\nbodies:\n"
                  "  - {name: table, kind: obstacle, shape: {box: [0.2, 0.05, 0.3]}, position: [-0.1, -0.025, 0]}\n"
                + more
                + "  - {name: block, kind: rigid, material: steel, shape: {mesh: {file: block.obj}}, position: [-0.08, "
                  "0.03, 0], velocity: [0.2, 0, 0], force: [0, -"
                + std::to_string(force) + ", 0], fixed_dofs: [rx, ry, rz]}\n",
            {.folder = folder_.path().string()}));
    }

    TemporaryFolder folder_;
};

TEST_F(PressedMeshes, SlideOffTheEndOfATable)
{
    for (const double step : {0.0025, 0.01})
        for (const double force : {0.0, 10.0, 20.0, 60.0}) {
            SCOPED_TRACE(std::to_string(step) + " " + std::to_string(force));
            Simulation simulation = start(step, force, "");
            ASSERT_EQ(simulation.run(0.38), RunStatus::done); // a third of it is beyond the end
            EXPECT_NEAR(simulation.pose("block").v.x(), speed, 1e-6);
            EXPECT_NEAR(simulation.pose("block").x.x(), -0.08 + 0.38 * speed, 1e-6);
        }
}

// Deeper than a four-hundredth of the table it is as if the next one stood higher.
TEST_F(PressedMeshes, SlideOverASeam)
{
    for (const double step : {0.0025, 0.01})
        for (const double force : {0.0, 10.0}) {
            SCOPED_TRACE(std::to_string(step) + " " + std::to_string(force));
            Simulation simulation = start(step, force,
                "  - {name: next, kind: obstacle, shape: {box: [0.2, 0.05, 0.3]}, position: [0.1, -0.025, 0]}\n");
            ASSERT_EQ(simulation.run(0.6), RunStatus::done);
            EXPECT_NEAR(simulation.pose("block").v.x(), speed, 1e-6);
        }
}

// A knife stands on a narrow land that is drawn away under it, and falls as soon as the end of the land has passed it.
TEST_F(PressedMeshes, AreLetGoBeyondTheEnd)
{
    constexpr double drawn = 0.05, half = 0.002, g = 9.81, until = 0.068;
    write_obj(folder_.path() / "land.obj",
        extruded({{-0.05, -0.05}, {0.05, -0.05}, {0.05, -0.03}, {half, -0.03}, {half, 0}, {-half, 0}, {-half, -0.03},
                     {-0.05, -0.03}},
            0.04));
    write_obj(folder_.path() / "knife.obj",
        extruded({{0, 0}, {0.01, 0.03}, {0.01, 0.05}, {0, 0.045}, {-0.01, 0.05}, {-0.01, 0.03}}, 0.03));
    for (const double step : {0.004, 0.002, 0.0005}) {
        SCOPED_TRACE(step);
        Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: " + std::to_string(step)
                + ", end: 1}\ncontact: {friction: 0}\nmaterials: {steel: {density: 1000}}\nbodies:\n"
                  "  - {name: land, kind: obstacle, shape: {mesh: {file: land.obj}}, motion: {velocity: [-0.05, 0, "
                  "0]}}\n"
                  "  - {name: knife, kind: rigid, material: steel, shape: {mesh: {file: knife.obj}}, fixed_dofs: [x, "
                  "z, "
                  "rx, ry, rz]}\n",
            {.folder = folder_.path().string()}));
        ASSERT_EQ(simulation.run(until), RunStatus::done);
        EXPECT_NEAR(simulation.pose("knife").v.y(), -g * (until - half / drawn), 3 * g * step + 0.01);
    }
}

} // namespace
} // namespace stickslip::pressed_meshes_test
