#include <stickslip/stickslip.h>

#include "support/extruded.h"
#include "support/obj_file.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

/// Boxes, meshes and deformable bodies on the ridges, peaks and rims of open meshes, which touch their faces and edges
/// between their corners.
namespace stickslip::folds_of_sheets_test {
namespace {

constexpr double g = 9.81;

class FoldsOfSheets : public testing::Test {
protected:
    FoldsOfSheets()
    {
        // a ridge at x = 0, 0.5 m above its eaves, 4 m long
        write_obj(folder_.path() / "ridge.obj",
            {{{-2, -0.5, -2}, {-2, -0.5, 2}, {0, 0, -2}, {0, 0, 2}, {2, -0.5, -2}, {2, -0.5, 2}},
                {{0, 1, 3}, {0, 3, 2}, {2, 3, 5}, {2, 5, 4}}});
        // a peak at the origin
        write_obj(folder_.path() / "peak.obj",
            {{{-1, -0.5, -1}, {1, -0.5, -1}, {1, -0.5, 1}, {-1, -0.5, 1}, {0, 0, 0}},
                {{1, 0, 4}, {2, 1, 4}, {3, 2, 4}, {0, 3, 4}}});
        // flat, to x = 0, and from there down by 20 degrees
        write_obj(folder_.path() / "brow.obj",
            {{{-2, 0, -2}, {-2, 0, 2}, {0, 0, -2}, {0, 0, 2}, {2, -0.728, -2}, {2, -0.728, 2}},
                {{0, 1, 3}, {0, 3, 2}, {2, 3, 5}, {2, 5, 4}}});
        // flat, to x = 0
        write_obj(
            folder_.path() / "shelf.obj", {{{-2, 0, -2}, {-2, 0, 2}, {0, 0, -2}, {0, 0, 2}}, {{0, 1, 3}, {0, 3, 2}}});
        write_obj(folder_.path() / "angle.obj",
            extruded({{-0.3, -0.1}, {0.3, -0.1}, {0.3, 0}, {-0.2, 0}, {-0.2, 0.3}, {-0.3, 0.3}}, 0.6));
    }

    Simulation start(const std::string& sheet, const std::string& body, double friction) const
    {
        return Simulation(
            scene_from_text("stickslip: 1\ntime: {step: 0.01, end: 5}\ncontact: {friction: " + std::to_string(friction)
                    + "}\nmaterials:\n  oak: {density: 700}\n  rubber: {density: 1000, young: 1e6, poisson: 0.4}\n"
                    + "bodies:\n  - {name: sheet, kind: obstacle, shape: {mesh: {file: " + sheet
                    + ".obj}}, contact_geometry: mesh}\n  - {name: body, " + body + "}\n",
                {.folder = folder_.path().string()}));
    }

    TemporaryFolder folder_;
};

const std::string slab = "kind: rigid, material: oak, shape: {box: [0.6, 0.2, 0.6]}";

TEST_F(FoldsOfSheets, ASlabRestsOnARidgeAndOnAPeak)
{
    for (const char* sheet : {"ridge", "peak"}) {
        SCOPED_TRACE(sheet);
        Simulation simulation = start(sheet, slab + ", position: [0, 0.13, 0]", 0.5);
        ASSERT_EQ(simulation.run(1), RunStatus::done);
        EXPECT_NEAR(simulation.pose("body").x.y(), 0.1, 1e-4); // sunk by what the springs give
        EXPECT_LT(simulation.pose("body").v.norm(), 1e-9);
    }
}

TEST_F(FoldsOfSheets, AMeshThatIsNotConvexRestsOnARidgeAndOnAPeak)
{
    const double middle = -0.25 * 0.03 / 0.09, above = (0.15 * 0.03 - 0.05 * 0.06) / 0.09; // of the angle
    for (const char* sheet : {"ridge", "peak"}) {
        SCOPED_TRACE(sheet);
        Simulation simulation = start(sheet,
            "kind: rigid, material: oak, shape: {mesh: {file: angle.obj}}, position: [" + std::to_string(-middle)
                + ", 0.11, 0]",
            0.5);
        ASSERT_EQ(simulation.run(0.3), RunStatus::done);
        EXPECT_NEAR(simulation.pose("body").x.y(), 0.1 + above, 1e-4);
    }
}

TEST_F(FoldsOfSheets, WhatLiesAcrossARidgeSlidesAlongIt)
{
    const double angle = 20 * std::numbers::pi / 180, mu = 0.2;
    const std::string tilt =
        "[0, " + std::to_string(g * (1 - std::cos(angle))) + ", " + std::to_string(g * std::sin(angle)) + "]";
    Simulation simulation = start("ridge", slab + ", position: [0, 0.1, 0], acceleration: " + tilt, mu);
    ASSERT_EQ(simulation.run(0.5), RunStatus::done);
    EXPECT_NEAR(simulation.pose("body").v.z(), g * (std::sin(angle) - mu * std::cos(angle)) * 0.5, 1e-5);
}

TEST_F(FoldsOfSheets, ASlabTipsOverARimAndOverARidgeWhereItsMiddleIsBeyond)
{
    for (const char* sheet : {"shelf", "brow"})
        for (const double beyond : {-0.005, 0.005}) {
            SCOPED_TRACE(std::string(sheet) + " " + std::to_string(beyond));
            Simulation simulation = start(sheet, slab + ", position: [" + std::to_string(beyond) + ", 0.1, 0.03]", 0.5);
            ASSERT_EQ(simulation.run(0.5), RunStatus::done);
            const double turned = std::abs(simulation.pose("body").R.z());
            if (beyond < 0)
                EXPECT_LT(turned, 1e-3);
            else
                EXPECT_GT(turned, 1e-2);
        }
}

TEST_F(FoldsOfSheets, ASoftCubeLiesOnARimBetweenItsNodes)
{
    Simulation simulation = start("shelf",
        "kind: deformable, material: rubber, shape: {box: [0.4, 0.4, 0.4]}, resolution: 0.4, position: [-0.1, 0.2, "
        "0.03]",
        1);
    ASSERT_EQ(simulation.run(0.5), RunStatus::done);
    EXPECT_NEAR(simulation.pose("body").x.y(), 0.2, 0.01);
    EXPECT_LT(std::abs(simulation.pose("body").R.z()), 0.05);
}

TEST_F(FoldsOfSheets, ASoftCubeRestsOnARidgeBetweenItsNodes)
{
    Simulation simulation = start("ridge",
        "kind: deformable, material: rubber, shape: {box: [0.4, 0.4, 0.4]}, resolution: 0.4, position: [0, 0.23, 0]",
        1);
    ASSERT_EQ(simulation.run(0.4), RunStatus::done);
    EXPECT_NEAR(simulation.pose("body").x.y(), 0.2, 0.02); // with its nodes on the slopes it would be at 0.15
}

} // namespace
} // namespace stickslip::folds_of_sheets_test
