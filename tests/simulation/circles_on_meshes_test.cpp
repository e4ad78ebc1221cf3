#include <stickslip/stickslip.h>

#include "stickslip/geometry/mesh/surface_shapes.h"

#include "support/extruded.h"
#include "support/obj_file.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

/// Cylinders, cones and rings on meshes that are open or not convex: as on planes, boxes and round solids.
namespace stickslip::circles_on_meshes_test {
namespace {

constexpr double g = 9.81;

class CirclesOnMeshes : public testing::Test {
protected:
    CirclesOnMeshes()
    {
        TriMesh floor; // of many facets, at y = 0
        constexpr int cells = 24;
        for (int i = 0; i <= cells; ++i)
            for (int k = 0; k <= cells; ++k)
                floor.vertices.emplace_back(4.0 * i / cells - 2, 0, 4.0 * k / cells - 2);
        for (int i = 0; i < cells; ++i)
            for (int k = 0; k < cells; ++k) {
                const int a = i * (cells + 1) + k, b = a + cells + 1;
                floor.triangles.push_back({a, a + 1, b});
                floor.triangles.push_back({b, a + 1, b + 1});
            }
        write_obj(folder_.path() / "floor.obj", floor);
        write_obj(folder_.path() / "angle.obj",
            refined(extruded({{0, 0}, {0.6, 0}, {0.6, 0.1}, {0.1, 0.1}, {0.1, 0.5}, {0, 0.5}}, 0.6)));
        write_obj(folder_.path() / "rail.obj",
            extruded({{-0.1, 0}, {0.1, 0}, {0.1, 0.03}, {0.01, 0.03}, {0.01, 0.1}, {-0.01, 0.1}, {-0.01, 0.03},
                         {-0.1, 0.03}},
                2));
        write_obj(folder_.path() / "link.obj", triangulate(Torus{0.1, 0.03}, 0.03));
    }

    Simulation start(const std::string& bodies, double friction) const
    {
        return Simulation(scene_from_text("stickslip: 1\ntime: {step: 0.01, end: 5}\ncontact: {friction: "
                + std::to_string(friction) + "}\nmaterials: {oak: {density: 700}}\nbodies:\n" + bodies,
            {.folder = folder_.path().string()}));
    }

    TemporaryFolder folder_;
};

/// An open bowl about the y axis, 0.4 m wide and 0.12 m deep, of rings of trapezoids.
TriMesh paraboloid(int sides)
{
    constexpr int rings = 6;
    TriMesh mesh;
    mesh.vertices.push_back(Vec3::Zero());
    for (int j = 1; j <= rings; ++j)
        for (int i = 0; i < sides; ++i) {
            const double part = static_cast<double>(j) / rings, angle = 2 * std::numbers::pi * i / sides;
            mesh.vertices.emplace_back(0.2 * part * std::cos(angle), 0.12 * part * part, 0.2 * part * std::sin(angle));
            const int next = (i + 1) % sides, a = 1 + (j - 1) * sides + i, b = 1 + (j - 1) * sides + next;
            if (j == 1)
                mesh.triangles.push_back({0, b, a});
            else
                mesh.triangles.insert(mesh.triangles.end(), {{a - sides, b - sides, b}, {a - sides, b, a}});
        }
    return mesh;
}

const std::string open_floor =
    "  - {name: floor, kind: obstacle, shape: {mesh: {file: floor.obj}}, contact_geometry: mesh";

TEST_F(CirclesOnMeshes, WhatStandsOnAnOpenSlopeSlidesAndRolls)
{
    const double angle = 20 * std::numbers::pi / 180, sine = std::sin(angle), cosine = std::cos(angle);
    const std::string slope = open_floor + ", rotation: {axis: [0, 0, 1], degrees: -20}}\n";
    const auto along = [&](double y) {
        return "[" + std::to_string(y * sine) + ", " + std::to_string(y * cosine) + ", 0.013]";
    };
    for (const char* shape : {"cylinder: {radius: 0.1, height: 0.06}", "cone: {radius: 0.1, height: 0.06}"}) {
        const double up = 0.03;
        for (const double mu : {0.2, 0.5}) {
            SCOPED_TRACE(std::string(shape) + " " + std::to_string(mu));
            Simulation simulation =
                start(slope + "  - {name: body, kind: rigid, material: oak, shape: {" + std::string(shape)
                        + "}, rotation: {axis: [0, 0, 1], degrees: -20}, position: " + along(up) + "}\n",
                    mu);
            ASSERT_EQ(simulation.run(0.5), RunStatus::done);
            EXPECT_NEAR(simulation.pose("body").v.norm(), std::max(0.0, g * (sine - mu * cosine)) * 0.5, 1e-6);
        }
    }
    Simulation rolling = start(slope
            + "  - {name: body, kind: rigid, material: oak, shape: {cylinder: {radius: 0.1, height: 0.06}}, "
              "rotation: {axis: [1, 0, 0], degrees: 90}, position: "
            + along(0.1) + "}\n",
        0.5);
    ASSERT_EQ(rolling.run(0.5), RunStatus::done);
    EXPECT_NEAR(rolling.pose("body").v.norm(), 2.0 / 3 * g * sine * 0.5, 1e-4);
    EXPECT_NEAR(rolling.pose("body").w.norm(), rolling.pose("body").v.norm() / 0.1, 1e-4);
}

TEST_F(CirclesOnMeshes, AWheelRollsOnAnOpenFloorWithoutLoss)
{
    for (const std::string& shape :
        {std::string("cylinder: {radius: 0.1, height: 0.05}"), std::string("torus: {major: 0.08, minor: 0.02}")}) {
        Simulation simulation = start(open_floor + "}\n  - {name: body, kind: rigid, material: oak, shape: {" + shape
                + "}, rotation: {axis: [1, 0, 0], degrees: 90}, position: [-1, 0.1, 0.013], velocity: [1, 0, 0], "
                  "angular_velocity: [0, 0, -10]}\n",
            0.5);
        ASSERT_EQ(simulation.run(2), RunStatus::done);
        EXPECT_NEAR(simulation.pose("body").x.x(), 1, 1e-9);
        EXPECT_NEAR(simulation.pose("body").v.x(), 1, 1e-9);
    }
}

// By the sampled distance of the mesh it rolled away.
TEST_F(CirclesOnMeshes, ALogStaysOnAFlatFaceOfAMeshThatIsNotConvex)
{
    Simulation simulation = start("  - {name: angle, kind: obstacle, shape: {mesh: {file: angle.obj}}}\n"
                                  "  - {name: log, kind: rigid, material: oak, shape: {cylinder: {radius: 0.05, "
                                  "height: 0.3}}, position: [0.35, 0.15, 0.013], rotation: {axis: [1, 0, 0], "
                                  "degrees: 90}}\n",
        0.5);
    ASSERT_EQ(simulation.run(3), RunStatus::done);
    EXPECT_LT(simulation.pose("log").v.norm(), 1e-10);
    EXPECT_NEAR(simulation.pose("log").x.x(), 0.35, 1e-10);
}

// Its circles are beside the rail, whose edges its side lies across.
TEST_F(CirclesOnMeshes, AWheelRollsOnARailThatIsNarrower)
{
    Simulation simulation = start("  - {name: rail, kind: obstacle, shape: {mesh: {file: rail.obj}}}\n"
                                  "  - {name: wheel, kind: rigid, material: oak, shape: {cylinder: {radius: 0.1, "
                                  "height: 0.1}}, position: [0.002, 0.2, -0.8], rotation: {axis: [0, 0, 1], "
                                  "degrees: 90}, velocity: [0, 0, 0.5], angular_velocity: [5, 0, 0]}\n",
        0.5);
    ASSERT_EQ(simulation.run(2), RunStatus::done);
    const BodyPose wheel = simulation.pose("wheel");
    EXPECT_NEAR(wheel.v.z(), 0.5, 1e-4);
    EXPECT_NEAR(wheel.x.z(), 0.2, 1e-3);
    EXPECT_NEAR(wheel.x.x(), 0.002, 1e-4);
    EXPECT_NEAR(wheel.x.y(), 0.2, 1e-4);
}

// The rail is narrower than its even points are apart, and between two of them: it holds at the edges.
TEST_F(CirclesOnMeshes, ARingLiesFlatOnANarrowRail)
{
    Simulation simulation = start("  - {name: rail, kind: obstacle, shape: {mesh: {file: rail.obj}}}\n"
                                  "  - {name: ring, kind: rigid, material: oak, shape: {torus: {major: 0.3, minor: "
                                  "0.02}}, position: [0, 0.12, 0], rotation: {axis: [0, 1, 0], degrees: 7.5}}\n",
        0.5);
    ASSERT_EQ(simulation.run(0.5), RunStatus::done);
    EXPECT_NEAR(simulation.pose("ring").x.y(), 0.12, 1e-4);
    EXPECT_LT(simulation.pose("ring").v.norm(), 1e-4);
}

// The middle of a ring's tube lies where two walls of the link are equally near: by the distance the solver gave up.
TEST_F(CirclesOnMeshes, ALinkOfTrianglesHangsOnARing)
{
    Simulation simulation = start("  - {name: ring, kind: obstacle, shape: {torus: {major: 0.1, minor: 0.03}}, "
                                  "rotation: {axis: [1, 0, 0], degrees: 90}}\n"
                                  "  - {name: link, kind: rigid, material: oak, shape: {mesh: {file: link.obj}}, "
                                  "position: [0, -0.138, 0], rotation: {axis: [0, 0, 1], degrees: 90}}\n",
        0.3);
    ASSERT_EQ(simulation.run(2), RunStatus::done);
    EXPECT_LT(simulation.pose("link").v.norm(), 1e-2);
    EXPECT_NEAR(simulation.pose("link").x.y(), -0.138, 0.01);
    EXPECT_EQ(simulation.report().failed_solves, 0);
}

// A circle that is level in it touches all of its sides at once, of which eight counted, others in each iterate: the
// solver gave up.
TEST_F(CirclesOnMeshes, WhatIsRoundRestsInABowlOfManySides)
{
    for (const int sides : {16, 28}) {
        write_obj(folder_.path() / "bowl.obj", paraboloid(sides));
        for (const char* shape : {"cylinder: {radius: 0.07, height: 0.05}", "cone: {radius: 0.07, height: 0.1}",
                 "torus: {major: 0.07, minor: 0.015}"}) {
            SCOPED_TRACE(std::string(shape) + " " + std::to_string(sides));
            Simulation simulation =
                start("  - {name: bowl, kind: obstacle, shape: {mesh: {file: bowl.obj}}, contact_geometry: mesh}\n"
                      "  - {name: body, kind: rigid, material: oak, shape: {"
                        + std::string(shape)
                        + "}, position: [0.003, 0.12, 0.002], rotation: {axis: [1, 0.3, 0.2], degrees: 5}}\n",
                    0);
            const double energy = simulation.energies().total();
            int failed = 0;
            ASSERT_EQ(simulation.run(2.5, [&](Simulation& s) { failed += s.report().failed_solves; }), RunStatus::done);
            EXPECT_EQ(failed, 0);
            EXPECT_LT(simulation.energies().total(), energy);
            EXPECT_LT(simulation.pose("body").v.norm(), 0.02);
        }
    }
}

} // namespace
} // namespace stickslip::circles_on_meshes_test
