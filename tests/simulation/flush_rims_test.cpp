#include <stickslip/stickslip.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

/// Rims of round bodies that are flush with faces and edges of others: what springs let sink into one face is not
/// stopped by the next.
namespace stickslip::flush_rims_test {
namespace {

const std::string wood = "contact: {friction: 0.6}\nmaterials: {oak: {density: 1000}}\nbodies:\n";

int failed_solves(Simulation& simulation, double until)
{
    int failed = 0;
    EXPECT_EQ(simulation.run(until, [&](const Simulation& after) { failed += after.report().failed_solves; }),
        RunStatus::done);
    return failed;
}

TEST(FlushRims, ALogRestsOnARailAsWideAsItIsLong)
{
    for (const std::string step : {"0.0416666667", "0.0166666667", "0.001"})
        for (const double wider : {0.0, 1e-6, 1e-4, -1e-4}) {
            SCOPED_TRACE(testing::Message() << step << " s, wider by " << wider << " m");
            Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: " + step + ", end: 1}\n" + wood
                + "  - {name: rail, kind: obstacle, shape: {box: [0.4, 0.1, " + std::to_string(0.2 + wider)
                + "]}, position: [0, -0.05, 0]}\n"
                  "  - {name: log, kind: rigid, material: oak, shape: {cylinder: {radius: 0.1, height: 0.2}}, "
                  "position: [0, 0.1, 0], rotation: {axis: [1, 0, 0], degrees: 90}}\n"));
            EXPECT_EQ(failed_solves(simulation, 0.5), 0);
            EXPECT_LT(simulation.pose("log").v.norm(), 1e-9);
            EXPECT_LT(simulation.pose("log").w.norm(), 1e-8);
        }
}

// All is the same on both sides of the plane z = 0. (One that stood on the short rail fell off it.)
TEST(FlushRims, AWheelStaysOnARailOfItsOwnWidth)
{
    for (const auto& [length, speed] : {std::pair("0.4", 0.0), std::pair("4", 0.3)}) {
        SCOPED_TRACE(testing::Message() << length << " m, " << speed << " m/s");
        Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: 0.0166666667, end: 2}\n" + wood
            + "  - {name: rail, kind: obstacle, shape: {box: [" + length
            + ", 0.05, 0.03]}, position: [0, -0.025, 0]}\n"
              "  - {name: wheel, kind: rigid, material: oak, shape: {cylinder: {radius: 0.15, height: 0.03}}, "
              "position: [0, 0.15, 0], rotation: {axis: [1, 0, 0], degrees: 90}, velocity: ["
            + std::to_string(speed) + ", 0, 0], angular_velocity: [0, 0, " + std::to_string(-speed / 0.15) + "]}\n"));
        EXPECT_EQ(failed_solves(simulation, 2), 0);
        const BodyPose wheel = simulation.pose("wheel");
        EXPECT_LT(std::abs(wheel.x.z()), 1e-9);
        EXPECT_NEAR(wheel.x.y(), 0.15, 1e-4); // springs sink by 1.7e-5 m
        EXPECT_NEAR(wheel.v.x(), speed, 1e-3);
        EXPECT_NEAR(wheel.x.x(), 2 * speed, 2e-3);
    }
}

// Two rollers turn towards each other, so the board rocks to and fro and does not turn, but for what friction from both
// ends does to one that is askew: a line of even pressure lets 0.00017 rad grow to 0.0039 in 2 s. Circles of the
// rollers, 50 mm apart, lie under its edges, or their ends do.
TEST(FlushRims, ABoardOnTurningRollersStaysStraight)
{
    for (const auto& [shape, height] :
        {std::pair("cylinder", 0.3), std::pair("cylinder", 0.1), std::pair("capsule", 0.3), std::pair("capsule", 0.1)})
        for (const double wider : {-2e-4, -2e-5, 0.0, 2e-5, 2e-4}) {
            SCOPED_TRACE(testing::Message() << shape << "s " << height << " m, board wider by " << wider << " m");
            const auto roller = [&](const std::string& name, double x, double turns) {
                return "  - {name: " + name + ", kind: obstacle, shape: {" + shape
                    + ": {radius: 0.1, height: " + std::to_string(height) + "}}, position: [" + std::to_string(x)
                    + ", -0.1, 0], rotation: {axis: [1, 0, 0], degrees: 90}, motion: {angular_velocity: [0, 0, "
                    + std::to_string(turns) + "]}}\n";
            };
            Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: 0.002, end: 2}\n"
                                                  "contact: {friction: 0.2}\nmaterials: {oak: {density: 700}}\n"
                                                  "bodies:\n"
                + roller("a", -0.3, -20) + roller("b", 0.3, 20)
                + "  - {name: board, kind: rigid, material: oak, shape: {box: [1.2, 0.04, "
                + std::to_string(0.1 + wider)
                + "]}, position: [0.1, 0.02, 0], rotation: {axis: [0, 1, 0], degrees: 0.01}}\n"));
            EXPECT_EQ(failed_solves(simulation, 2), 0);
            const BodyPose board = simulation.pose("board");
            const Vec3 along = board.R.toRotationMatrix().col(0);
            EXPECT_LT(std::abs(along.z()), 0.008);
            EXPECT_LT(std::abs(along.y()), 1e-6);
            EXPECT_NEAR(board.x.y(), 0.02, 1e-6);
        }
}

// Corners of the polygons that stand for the rollers' rims pass under the edges of the board, which are nearly parallel
// to their sides. Beyond its corners such a side goes on above the board's lower face.
TEST(FlushRims, RimsThatTurnUnderABoardDoNotPushItSideways)
{
    for (const double degrees : {0.12, 0.13, 0.14}) {
        SCOPED_TRACE(degrees);
        const auto roller = [](const std::string& name, double x, double turns) {
            return "  - {name: " + name
                + ", kind: obstacle, shape: {cylinder: {radius: 0.1, height: 0.102}}, position: [" + std::to_string(x)
                + ", -0.1, 0], rotation: {axis: [1, 0, 0], degrees: 90}, motion: " + "{angular_velocity: [0, 0, "
                + std::to_string(turns) + "]}}\n";
        };
        Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: 0.002, end: 0.3}\n"
                                              "contact: {friction: 0.5}\nmaterials: {oak: {density: 700}}\nbodies:\n"
            + roller("a", -0.3, -20) + roller("b", 0.3, 20)
            + "  - {name: board, kind: rigid, material: oak, shape: {box: [1.2, 0.04, 0.1]}, position: "
              "[0.1, 0.02, 0], rotation: {axis: [0, 1, 0], degrees: "
            + std::to_string(degrees) + "}}\n"));
        double turned = 0, most = 0; // [rad/s]
        EXPECT_EQ(simulation.run(0.3,
                      [&](const Simulation& after) {
                          const double w = after.pose("board").w.y();
                          most = std::max(most, std::abs(w - turned));
                          turned = w;
                      }),
            RunStatus::done);
        EXPECT_LT(most, 5e-4); // friction along the board turns it by 6e-5 rad/s in a step
    }
}

// A point of the face or of an edge that lies 0.1 mm beside the line of contact has a normal that leans away from it.
TEST(FlushRims, ALogStaysBesidePointsOfAFace)
{
    for (const std::string width : {"1", "0.08"})
        for (const std::string beside : {"1.0e-4", "3.0e-4"}) {
            SCOPED_TRACE(testing::Message() << "floor " << width << " m wide, " << beside << " m beside its middle");
            Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: 0.01, end: 2}\n" + wood
                + "  - {name: floor, kind: obstacle, shape: {box: [1, 0.2, " + width
                + "]}, position: [0, -0.1, 0]}\n"
                  "  - {name: log, kind: rigid, material: oak, shape: {cylinder: {radius: 0.1, height: 0.4}}, "
                  "rotation: "
                  "{axis: [1, 0, 0], degrees: 90}, position: ["
                + beside + ", 0.1, 0]}\n"));
            ASSERT_EQ(simulation.run(2), RunStatus::done);
            EXPECT_NEAR(simulation.pose("log").x.x(), std::stod(beside), 1e-12);
            EXPECT_LT(simulation.pose("log").v.norm(), 1e-9);
        }
}

// Its leading rim crosses the edge of the second table 2e-7 m below the top, where the rim is nearly level: the plane
// between rim and edge is upright.
TEST(FlushRims, ALogSlidesAlongItsAxisOntoTheNextTable)
{
    for (const std::string step : {"0.005", "0.0166666667"})
        for (const std::string friction : {"0", "0.05"}) {
            SCOPED_TRACE(testing::Message() << step << " s, friction " << friction);
            Simulation simulation(
                scene_from_text("stickslip: 1\ntime: {step: " + step + ", end: 1}\ncontact: {friction: " + friction
                    + "}\nmaterials: {oak: {density: 1000}}\nbodies:\n"
                      "  - {name: a, kind: obstacle, shape: {box: [1, 0.2, 1]}, position: [0, -0.1, 0]}\n"
                      "  - {name: b, kind: obstacle, shape: {box: [1, 0.2, 1]}, position: [0, -0.1, 1]}\n"
                      "  - {name: log, kind: rigid, material: oak, shape: {cylinder: {radius: 0.1, height: 0.4}}, "
                      "position: [0, 0.1, 0.2], rotation: {axis: [1, 0, 0], degrees: 90}, velocity: [0, 0, 1]}\n"));
            EXPECT_EQ(failed_solves(simulation, 0.8), 0);
            const BodyPose log = simulation.pose("log");
            EXPECT_NEAR(log.v.z(), 1 - 9.81 * std::stod(friction) * simulation.time(), 1e-3);
            EXPECT_NEAR(log.x.y(), 0.1, 1e-5);
        }
}

} // namespace
} // namespace stickslip::flush_rims_test
