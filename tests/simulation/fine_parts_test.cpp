#include <stickslip/stickslip.h>

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

/// Machine parts with flat faces slide as they should however finely they are meshed.
namespace stickslip::fine_parts_test {
namespace {

/// A washer about the y axis, 8 triangles a side.
TriMesh washer(double inner, double outer, double half_height, int sides)
{
    TriMesh mesh;
    for (int i = 0; i < sides; ++i) {
        const double a = 2 * std::numbers::pi * i / sides;
        for (const double r : {inner, outer})
            for (const double y : {-half_height, half_height})
                mesh.vertices.emplace_back(r * std::cos(a), y, r * std::sin(a));
    }
    const auto quad = [&](int a, int b, int c, int d) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
    };
    for (int i = 0; i < sides; ++i) {
        const int at = 4 * i, next = 4 * ((i + 1) % sides);
        quad(at, next, next + 1, at + 1); // inside
        quad(at + 2, at + 3, next + 3, next + 2); // outside
        quad(at + 1, next + 1, next + 3, at + 3); // above
        quad(at, at + 2, next + 2, next); // below
    }
    return mesh;
}

TEST(FineParts, AWasherSlidesOnAnotherBySlopeAndFriction)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "washer.obj", obj_text(washer(0.03, 0.05, 0.015, 100)));
    write_file_atomically(folder.path() / "floor.obj", obj_text(washer(0.1, 2, 0.1, 24)));
    const double slope = 0.35, mu = 0.9 * std::tan(slope), g = 9.81;
    Simulation simulation(
        scene_from_text("stickslip: 1\ntime: {step: 0.0166666667, end: 1}\ncontact: {friction: " + std::to_string(mu)
                + "}\ngravity: [" + std::to_string(g * std::sin(slope)) + ", " + std::to_string(-g * std::cos(slope))
                + ", 0]\nmaterials: {steel: {density: 7800}}\nbodies:\n"
                  "  - {name: floor, kind: obstacle, shape: {mesh: {file: floor.obj}}, position: [0, -0.1, 0]}\n"
                  "  - {name: washer, kind: rigid, material: steel, shape: {mesh: {file: washer.obj}}, position: [0.8, "
                  "0.015, 0.31], rotation: {axis: [0, 1, 0], degrees: 20}}\n",
            {.folder = folder.path().string()}));
    ASSERT_EQ(simulation.run(0.2), RunStatus::done);
    const double v = simulation.pose("washer").v.x(), t = simulation.time();
    ASSERT_EQ(simulation.run(0.8), RunStatus::done);
    const double a = g * (std::sin(slope) - mu * std::cos(slope));
    EXPECT_NEAR((simulation.pose("washer").v.x() - v) / (simulation.time() - t), a, 1e-3 * a);
    EXPECT_LT(simulation.pose("washer").w.norm(), 1e-3);
}

// Places within a flat face were pushed away by the rounded rims of a sampled distance that slid over them: the shorter
// the step, the more.
TEST(FineParts, ASampledDistanceSlidesOverFlatFaces)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "washer.obj", obj_text(washer(0.1, 0.2, 0.05, 100)));
    const double mu = 0.2, g = 9.81, v = 1.5, dt = 0.001, until = 0.3;
    for (const std::string floor : {"box: [4, 0.2, 1]", "cylinder: {radius: 2, height: 0.2}"}) {
        SCOPED_TRACE(floor);
        Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: 0.001, end: 1}\ncontact: {friction: 0.2}\n"
                                              "materials: {steel: {density: 1000}}\nbodies:\n"
                                              "  - {name: floor, kind: obstacle, shape: {"
                + floor
                + "}, position: [0, -0.1, 0]}\n  - {name: washer, kind: rigid, material: steel, shape: {mesh: {file: "
                  "washer.obj, spacing: 0.01}}, position: [-0.3, 0.05, 0.01], velocity: [1.5, 0, 0]}\n",
            {.folder = folder.path().string()}));
        ASSERT_EQ(simulation.run(until), RunStatus::done);
        const BodyPose pose = simulation.pose("washer");
        EXPECT_NEAR(pose.v.x(), v - mu * g * until, 1e-4);
        EXPECT_NEAR(pose.x.x(), -0.3 + v * until - mu * g * until * (until + dt) / 2, 1e-4);
        EXPECT_LT(pose.w.norm(), 1e-4);
    }
}

} // namespace
} // namespace stickslip::fine_parts_test
