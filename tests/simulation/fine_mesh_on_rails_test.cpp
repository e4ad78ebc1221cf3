#include <stickslip/stickslip.h>

#include "geometry/closed_meshes.h"
#include "support/obj_file.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

/// A round mesh is held by the sharp edges of two rails, which meet it between its vertices.
namespace stickslip::fine_mesh_on_rails_test {
namespace {

constexpr double R = 0.05, gap = 0.06, height = 0.04; // [m]; height^2 = R^2 - (gap / 2)^2

class FineMeshOnRails : public testing::Test {
protected:
    Simulation start(
        int levels, double degrees, double along, const std::string& geometry, const std::string& settings) const
    {
        write_obj(folder_.path() / "ball.obj", sphere_mesh(R, levels));
        const std::string rail = ", kind: obstacle, shape: {box: [0.1, 0.1, 2]}, position: [";
        const std::string aside = std::to_string(gap / 2 + 0.05);
        return Simulation(scene_from_text("stickslip: 1\n" + settings
                + "\nmaterials: {m: {density: 1000, friction: 0.5}}\nbodies:\n  - {name: left" + rail + "-" + aside
                + ", -0.05, 0]}\n  - {name: right" + rail + aside
                + ", -0.05, 0]}\n  - {name: ball, kind: rigid, material: m, shape: {mesh: {file: ball.obj}}" + geometry
                + ", position: [0, " + std::to_string(height) + ", " + std::to_string(along)
                + "], rotation: {axis: [1, 0.3, 0.7], degrees: " + std::to_string(degrees) + "}}\n",
            {.folder = folder_.path().string()}));
    }

    TemporaryFolder folder_;
};

// 512 to 8192 triangles, folds from 7 degrees to 1.5. By triangles, or by the distance and these folds.
TEST_F(FineMeshOnRails, ABallRestsBetweenThem)
{
    for (const int levels : {3, 4, 5})
        for (const std::string geometry : {"", ", contact_geometry: mesh"})
            for (const double along : {0.0, 0.13}) { // a rail of 2 m has a point in its middle
                SCOPED_TRACE(std::to_string(levels) + geometry + " " + std::to_string(along));
                Simulation simulation = start(levels, 20, along, geometry, "time: {step: 0.005, end: 1}");
                ASSERT_EQ(simulation.run(0.5), RunStatus::done);
                EXPECT_NEAR(simulation.pose("ball").x.y(), height, 0.01 * R);
            }
}

TEST_F(FineMeshOnRails, ABallRollsDown)
{
    constexpr double slope = 5 * std::numbers::pi / 180, g = 9.81, t = 0.6;
    for (const std::string geometry : {"", ", contact_geometry: mesh"}) {
        SCOPED_TRACE(geometry);
        Simulation simulation = start(4, 20, 0, geometry,
            "gravity: [0, " + std::to_string(-g * std::cos(slope)) + ", " + std::to_string(-g * std::sin(slope))
                + "]\ntime: {step: 0.002, end: 1}");
        ASSERT_EQ(simulation.run(t), RunStatus::done);
        const double a = g * std::sin(slope) / (1 + 0.4 * R * R / (height * height));
        EXPECT_NEAR(-simulation.pose("ball").x.z(), a * t * t / 2, 0.05 * a * t * t / 2);
        EXPECT_NEAR(simulation.pose("ball").x.y(), height, 0.01 * R);
    }
}

} // namespace
} // namespace stickslip::fine_mesh_on_rails_test
