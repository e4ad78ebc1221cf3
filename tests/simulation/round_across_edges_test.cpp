#include <stickslip/stickslip.h>

#include "stickslip/math/rotation.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>

/// Logs across beams, beams across logs: what is round is held where the line of contact ends, wherever along the beam
/// that is.
namespace stickslip::round_across_edges_test {
namespace {

Simulation start(const std::string& bodies, double friction)
{
    return Simulation(scene_from_text("stickslip: 1\ntime: {step: 0.005, end: 3}\ncontact: {friction: "
        + std::to_string(friction) + "}\nmaterials: {oak: {density: 1000}}\nbodies:\n" + bodies));
}

/// Turn since the start [rad].
double turn(const Simulation& simulation, const std::string& body, const Mat3& R)
{
    return Eigen::AngleAxisd(R.transpose() * simulation.pose(body).R.toRotationMatrix()).angle();
}

TEST(RoundAcrossEdges, ALogRestsWithItsCentreOfMassOverABeam)
{
    const std::string upright = "rotation: {axis: [1, 0, 0], degrees: 90}, position: [0, 0.1, 0.03]";
    // the lowest line of a cone is level, its centre of mass 0.02 m from the middle of the beam
    const std::string level = "rotation: {axis: [1, 0, 0], degrees: 99.4623222}, position: [0, 0.0493197, 0.168]";
    for (const auto& [log, place] : {std::pair("cylinder: {radius: 0.1, height: 0.4}", upright),
             std::pair("capsule: {radius: 0.1, height: 0.4}", upright),
             std::pair("cone: {radius: 0.1, height: 0.6}", level)})
        for (const double x : {0.0, 0.1, 0.105, 0.11, 0.1125, 0.13}) {
            SCOPED_TRACE(std::string(log) + " " + std::to_string(x));
            Simulation simulation = start("  - {name: beam, kind: obstacle, shape: {box: [1, 0.2, 0.08]}, position: ["
                    + std::to_string(x) + ", -0.1, 0]}\n  - {name: log, kind: rigid, material: oak, shape: {" + log
                    + "}, " + place + "}\n",
                0.5);
            const Vec3 from = simulation.pose("log").x;
            const Mat3 R = simulation.pose("log").R.toRotationMatrix();
            ASSERT_EQ(simulation.run(1), RunStatus::done);
            EXPECT_LT((simulation.pose("log").x - from).norm(), 1e-4);
            EXPECT_LT(turn(simulation, "log", R), 1e-3);
            EXPECT_LT(simulation.pose("log").v.norm(), 1e-6);
        }
}

TEST(RoundAcrossEdges, LogsLieAcrossLogs)
{
    for (const char* log : {"cylinder: {radius: 0.05, height: 0.6}", "capsule: {radius: 0.05, height: 0.6}"})
        for (const double x : {0.15, 0.1625, 0.17}) { // circles of either are 25 mm apart
            SCOPED_TRACE(std::string(log) + " " + std::to_string(x));
            const std::string shape = ", shape: {" + std::string(log) + "}, ";
            const std::string along_x = "rotation: {axis: [0, 0, 1], degrees: 90}, ";
            const std::string along_z = "rotation: {axis: [1, 0, 0], degrees: 90}, ", at = std::to_string(x);
            Simulation simulation = start("  - {name: left, kind: obstacle" + shape + along_z + "position: [-" + at
                    + ", 0, 0.0125]}\n  - {name: right, kind: obstacle" + shape + along_z + "position: [" + at
                    + ", 0, 0.0125]}\n  - {name: log, kind: rigid, material: oak" + shape + along_x
                    + "position: [0, 0.1, 0]}\n",
                0.5);
            const Mat3 R = simulation.pose("log").R.toRotationMatrix();
            ASSERT_EQ(simulation.run(1), RunStatus::done);
            EXPECT_NEAR(simulation.pose("log").x.y(), 0.1, 1e-5);
            EXPECT_NEAR(simulation.pose("log").x.z(), 0, 1e-5);
            EXPECT_LT(turn(simulation, "log", R), 1e-4);
        }
}

TEST(RoundAcrossEdges, APlankGlidesOverBars)
{
    Simulation simulation = start(
        "  - {name: l, kind: obstacle, shape: {cylinder: {radius: 0.1, height: 0.2}}, rotation: {axis: [1, 0, 0], "
        "degrees: 90}, position: [-0.3, -0.1, 0]}\n"
        "  - {name: r, kind: obstacle, shape: {cylinder: {radius: 0.1, height: 0.2}}, rotation: {axis: [1, 0, 0], "
        "degrees: 90}, position: [0.3, -0.1, 0]}\n"
        "  - {name: plank, kind: rigid, material: oak, shape: {box: [1.2, 0.04, 0.08]}, position: [-0.15, 0.02, 0], "
        "velocity: [0.1, 0, 0]}\n",
        0);
    ASSERT_EQ(simulation.run(3), RunStatus::done);
    const auto plank = simulation.pose("plank");
    EXPECT_NEAR(plank.x.x(), 0.15, 1e-4);
    EXPECT_NEAR(plank.x.z(), 0, 1e-6);
    EXPECT_NEAR(plank.v.x(), 0.1, 1e-4);
    EXPECT_LT(plank.w.norm(), 1e-3);
}

// The two overlap when the cone's side comes to lie across an edge at 0.14 s: it has come nowhere there. (Before, at
// 0.105 s, a vertex of the post passes the cone's tip, and the normal turns by 75 degrees in a step.)
TEST(RoundAcrossEdges, AConeThatTurnsAcrossAnEdgeInsideIsNotThrown)
{
    Simulation simulation(scene_from_text(
        "stickslip: 1\ntime: {step: 0.005, end: 0.3}\ncontact: {friction: 0}\ngravity: [0, 0, 0]\n"
        "materials: {oak: {density: 1000}}\nbodies:\n"
        "  - {name: post, kind: obstacle, shape: {box: [0.15, 1.2, 0.15]}, rotation: "
        "{euler_xyz_degrees: [25.639, 57.482, 80.447]}}\n"
        "  - {name: cone, kind: rigid, material: oak, shape: {cone: {radius: 0.15, height: 1.0}}, rotation: "
        "{euler_xyz_degrees: [103.030, 15.055, 0]}, position: [0.048, 0.65, -0.297], velocity: [0.474, -3.908, 0.359], "
        "angular_velocity: [5.8043, 5.001, -5.1005]}\n"));
    const auto energy = [&] { return simulation.energies().total(); };
    ASSERT_EQ(simulation.run(0.12), RunStatus::done);
    double before = energy();
    while (simulation.time() < 0.29) {
        ASSERT_EQ(simulation.step(), RunStatus::done);
        EXPECT_LT(energy(), before + 1e-3 * before) << simulation.time();
        before = energy();
    }
}

// Its circles lie on the edges at the start: each would take one of the two faces for the one it came in by.
TEST(RoundAcrossEdges, ALogSlidesOverEdgesThatPointUp)
{
    for (const std::string angle : {"45", "44.999"}) {
        Simulation simulation(scene_from_text(
            "stickslip: 1\ntime: {step: 0.0166666667, end: 0.3}\ncontact: {friction: 0.3}\n"
            "materials: {oak: {density: 1000}}\nbodies:\n"
            "  - {name: a, kind: obstacle, shape: {box: [1.6, 0.2, 0.2]}, rotation: {axis: [1, 0, 0], degrees: "
            + angle
            + "}, position: [0.013, -0.1414213562373095, -0.2]}\n"
              "  - {name: b, kind: obstacle, shape: {box: [1.6, 0.2, 0.2]}, rotation: {axis: [1, 0, 0], degrees: "
            + angle
            + "}, position: [0.013, -0.1414213562373095, 0.2]}\n"
              "  - {name: log, kind: rigid, material: oak, shape: {cylinder: {radius: 0.1, height: 3.2}}, rotation: "
              "{axis: [1, 0, 0], degrees: 90}, position: [0, 0.1, 0], velocity: [0, 0, 1]}\n"));
        ASSERT_EQ(simulation.run(0.1), RunStatus::done);
        const double v = simulation.pose("log").v.z(), t = simulation.time();
        ASSERT_EQ(simulation.run(0.25), RunStatus::done);
        EXPECT_NEAR(v - simulation.pose("log").v.z(), 0.3 * 9.81 * (simulation.time() - t), 5e-3) << angle;
    }
}

// A circle that happens to lie near where the two cross has a normal that leans, and pushes the log off. Springs alone
// let it gain 1.3e-4 m/s^2: it is heavier on one side, and so a little lower there.
TEST(RoundAcrossEdges, ALogLiesAcrossSkewLogs)
{
    Simulation simulation(scene_from_text(
        "stickslip: 1\ntime: {step: 0.0416666667, end: 3}\ncontact: {friction: 0.5}\n"
        "materials: {oak: {density: 1000}}\nbodies:\n"
        "  - {name: a, kind: obstacle, shape: {cylinder: {radius: 0.05, height: 1.6}}, rotation: {euler_xyz_degrees: "
        "[90, 60, 0]}, position: [0, -0.05, -0.2]}\n"
        "  - {name: b, kind: obstacle, shape: {cylinder: {radius: 0.05, height: 1.6}}, rotation: {euler_xyz_degrees: "
        "[90, 60, 0]}, position: [0, -0.05, 0.2]}\n"
        "  - {name: log, kind: rigid, material: oak, shape: {cylinder: {radius: 0.1, height: 1}}, rotation: {axis: [1, "
        "0, 0], degrees: 90}, position: [0, 0.1, 0.0125]}\n"));
    ASSERT_EQ(simulation.run(2), RunStatus::done);
    EXPECT_LT(simulation.pose("log").v.norm(), 1.3e-4 * 2);
    EXPECT_LT(simulation.pose("log").w.norm(), 1.3e-3 * 2);
}

// Which of the two has the axis hangs on their sizes, not on the file.
TEST(RoundAcrossEdges, LogsThatMeetDoNotAskWhichCameFirst)
{
    const std::string thin =
        "  - {name: thin, kind: rigid, material: oak, shape: {cylinder: {radius: 0.05, height: 0.8}}, "
        "rotation: {euler_xyz_degrees: [90, 70, 0]}}\n";
    const std::string wide =
        "  - {name: wide, kind: rigid, material: oak, shape: {cylinder: {radius: 0.1, height: 0.8}}, "
        "rotation: {euler_xyz_degrees: [90, 0, 0]}, position: [0.01, 0.17, 0.004], velocity: [0.1, -1, 0.2]}\n";
    const auto thrown = [](const std::string& bodies) {
        Simulation simulation(
            scene_from_text("stickslip: 1\ntime: {step: 0.04, end: 1}\ncontact: {friction: 0.4}\n"
                            "gravity: [0, 0, 0]\nsolver: {tolerance: 1.0e-11}\nmaterials: {oak: {density: "
                            "1000}}\nbodies:\n"
                + bodies));
        EXPECT_EQ(simulation.run(1), RunStatus::done);
        return std::array<Vec3, 4>{
            simulation.pose("thin").v, simulation.pose("thin").w, simulation.pose("wide").v, simulation.pose("wide").w};
    };
    const auto one = thrown(thin + wide), other = thrown(wide + thin);
    EXPECT_GT(one[1].norm(), 0.1); // they have met
    for (std::size_t i = 0; i < one.size(); ++i)
        EXPECT_LT((one[i] - other[i]).norm(), 1e-9) << i;
}

struct Fall {
    std::string name, obstacle, body, friction;
};

void expect_contact_is_felt(const Fall& on)
{
    SCOPED_TRACE(on.name);
    Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: 0.0166666667, end: 1}\nsolver: {audit: every}\n"
                                          "contact: {friction: "
        + on.friction + "}\nmaterials: {oak: {density: 1000}}\nbodies:\n  - {name: B, kind: obstacle, " + on.obstacle
        + "}\n  - {name: A, kind: rigid, material: oak, place_on: B, " + on.body + "}\n"));
    std::size_t contacts = 0;
    ASSERT_EQ(
        simulation.run(0.8, [&](const Simulation& after) { contacts += after.report().contacts; }), RunStatus::done);
    EXPECT_GT(contacts, 5u);
    for (const std::string& message : simulation.messages())
        EXPECT_EQ(message.find("overlap"), std::string::npos) << message;
}

// As an edge comes to the apex the ball that touches the side from inside shrinks to nothing, and in a step the edge
// goes past more than is left of it.
TEST(RoundAcrossEdges, EdgesSlideOffAnApex)
{
    const std::string slender = "shape: {cone: {radius: 0.1, height: 0.2}}, rotation: {quaternion: "
                                "[0.5257311121191336, 0.8506508083520399, 0, 0]}";
    const std::string blunt = "shape: {cone: {radius: 0.2, height: 0.1}}, rotation: ";
    const std::string level = "{axis: [1, 0, 0], degrees: 90}", leaning = "{quaternion: [0.9, 0.43588989, 0, 0]}";
    const std::string box = "shape: {box: [0.2, 0.2, 0.2]}, ";
    for (const Fall& on : {
             Fall{"box at 30 degrees", slender,
                 box + "position: [0.01, 1, 0.02], rotation: {axis: [0, 1, 0], degrees: 30}", "0.6"},
             Fall{"box at 15 degrees", slender,
                 box + "position: [0.01, 1, 0], rotation: {axis: [0, 1, 0], degrees: 15}", "0"},
             Fall{"box over the apex", slender,
                 box + "position: [0, 1, 0.02], rotation: {axis: [0, 1, 0], degrees: 45}", "0.6"},
             Fall{"rounded box", blunt + leaning,
                 "shape: {rounded_box: {size: [0.1, 0.1, 0.1], radius: 0.008}}, position: [0.01, 1, 0]", "1"},
             Fall{"thin rounded box", blunt + level,
                 "shape: {rounded_box: {size: [0.3, 0.02, 0.2], radius: 0.008}}, position: [0.01, 1, -0.06], rotation: "
                 "{axis: [1, 1, 0.3], degrees: 15}",
                 "0"},
             Fall{"card",
                 "shape: {cone: {radius: 0.1077, height: 0.2033}}, rotation: {quaternion: [0.604017, -0.692435, "
                 "0.258583, "
                 "-0.298049]}",
                 "shape: {box: [0.2345, 0.1857, 0.01324]}, position: [-0.009929, 1, -0.03005], rotation: {quaternion: "
                 "[0.00423295, -0.906007, -0.30007, 0.298482]}",
                 "0.0857"},
             Fall{"cone over an edge", "shape: {box: [0.15, 0.08, 0.25]}, rotation: {axis: [0, 1, 0], degrees: 90}",
                 blunt + level + ", position: [0.01, 1, 0.02]", "0"},
         })
        expect_contact_is_felt(on);
}

// Its faces are too small for a sample of their own, but they are faces.
TEST(RoundAcrossEdges, ARoundedBoxLandsOnARim)
{
    for (const char* wheel : {"cylinder: {radius: 0.2, height: 0.05}", "cone: {radius: 0.2, height: 0.1}"})
        expect_contact_is_felt({wheel, "shape: {" + std::string(wheel) + "}, rotation: {axis: [1, 0, 0], degrees: 100}",
            "shape: {rounded_box: {size: [0.1, 0.1, 0.1], radius: 0.008}}, position: [0.01, 1, 0.02], rotation: "
            "{axis: [0, 1, 0], degrees: 45}",
            "1"});
}

// Edges of the obstacle lie between all points of the box, and it slides along them.
TEST(RoundAcrossEdges, ARoundedBoxSlidesOverEdgesAnywhere)
{
    const auto rails = [](const std::string& shape, double y) {
        std::string bodies;
        for (const double z : {-0.11, 0.11})
            bodies += "  - {name: rail" + std::to_string(bodies.size()) + ", kind: obstacle, shape: {" + shape
                + "}, rotation: {axis: [1, 0, 0], degrees: 45}, position: [0, " + std::to_string(y) + ", "
                + std::to_string(z) + "]}\n";
        return bodies;
    };
    constexpr double mu = 0.2, speed = 1, until = 0.4, g = 9.81;
    const double half = 0.1 * std::numbers::sqrt2, rounded = 0.01 * (std::numbers::sqrt2 - 1);
    for (const auto& [bodies, gap] : {std::pair(rails("box: [2, 0.2, 0.2]", -half), 0.0),
             std::pair(rails("rounded_box: {size: [2, 0.2, 0.2], radius: 0.01}", -half + rounded), 0.0),
             std::pair(rails("box: [2, 0.2, 0.2]", -half - 0.003), 0.003)}) {
        Simulation simulation = start(bodies
                + "  - {name: box, kind: rigid, material: oak, shape: {rounded_box: {size: [0.4, 0.2, 0.4], radius: "
                  "0.02}}, position: [0, 0.1, 0], velocity: [1, 0, 0]}\n",
            mu);
        ASSERT_EQ(simulation.run(until), RunStatus::done);
        const BodyPose pose = simulation.pose("box");
        EXPECT_NEAR(pose.v.x(), speed - mu * g * until, 1e-3); // landing takes from it as falling gives
        EXPECT_NEAR(pose.x.y(), 0.1 - gap, 1e-5);
    }
}

// A log carries what touches near a ridge by the place where it crosses that; its end lies on the ground, of the same
// mesh, and is held there by its circle or ball.
TEST(RoundAcrossEdges, ALogLeansOnARidgeOfTheGround)
{
    TemporaryFolder folder;
    std::ofstream ground(folder.path() / "ground.obj");
    const std::array<std::array<double, 2>, 5> profile = {{{-2, 0}, {-0.2, 0}, {0, 0.2}, {0.2, 0}, {2, 0}}};
    for (const auto& [x, y] : profile)
        ground << "v " << x << " " << y << " -1\nv " << x << " " << y << " 1\n";
    for (int i = 1; i < 9; i += 2)
        ground << "f " << i << " " << i + 1 << " " << i + 3 << " " << i + 2 << "\n";
    ground.close();
    struct Log {
        const char* shape;
        double length, width,
            rounding; // [m] its lowest point lies length |a_y|/2 + width sqrt(1 - a_y^2) + rounding low
    };
    for (const auto& [shape, length, width, rounding] :
        {Log{"cylinder: {radius: 0.05, height: 1}", 1, 0.05, 0}, Log{"capsule: {radius: 0.05, height: 1}", 1, 0, 0.05},
            Log{"rounded_box: {size: [0.1, 1, 0.1], radius: 0.02}", 0.96, 0.03, 0.02}}) {
        SCOPED_TRACE(shape);
        Simulation simulation(scene_from_text(
            "stickslip: 1\ntime: {step: 0.005, end: 2}\ncontact: {friction: 0.8}\nmaterials: {oak: {density: 1000}}\n"
            "bodies:\n  - {name: ground, kind: obstacle, shape: {mesh: {file: ground.obj}}, contact_geometry: mesh}\n"
            "  - {name: log, kind: rigid, material: oak, shape: {"
                + std::string(shape) + "}, position: [0.12, 0.28, 0], rotation: {axis: [0, 0, 1], degrees: 70}}\n",
            {.folder = folder.path().string()}));
        ASSERT_EQ(simulation.run(2), RunStatus::done);
        const BodyPose pose = simulation.pose("log");
        const Mat3 R = pose.R.toRotationMatrix();
        EXPECT_LT(pose.v.norm(), 1e-6);
        EXPECT_NEAR((Vec3(0, 0.2, 0) - pose.x).dot(R.col(0)), -0.05, 2e-4); // the ridge is at its side
        const double lean = std::abs(R(1, 1));
        EXPECT_NEAR(pose.x.y() - 0.5 * length * lean - width * std::sqrt(1 - lean * lean) - rounding, 0, 5e-4);
    }
}

// The top of a mesh without sharp edges, in the middle of a face far from all edges, either on the other.
TEST(RoundAcrossEdges, ADomeHoldsAFlatFaceByItsVertices)
{
    TemporaryFolder folder;
    std::ofstream ball(folder.path() / "ball.obj"); // of radius 0.2, rings of vertices 9 degrees apart
    constexpr int rings = 20, around = 24;
    ball << "v 0 0.2 0\n";
    for (int i = 1; i < rings; ++i)
        for (int k = 0; k < around; ++k) {
            const double polar = std::numbers::pi * i / rings, azimuth = 2 * std::numbers::pi * k / around;
            ball << "v " << 0.2 * std::sin(polar) * std::sin(azimuth) << " " << 0.2 * std::cos(polar) << " "
                 << 0.2 * std::sin(polar) * std::cos(azimuth) << "\n";
        }
    ball << "v 0 -0.2 0\n";
    const auto vertex = [&](int i, int k) { return 2 + (i - 1) * around + k % around; };
    for (int k = 0; k < around; ++k) {
        ball << "f 1 " << vertex(1, k) << " " << vertex(1, k + 1) << "\n";
        for (int i = 1; i + 1 < rings; ++i)
            ball << "f " << vertex(i, k) << " " << vertex(i + 1, k) << " " << vertex(i + 1, k + 1) << " "
                 << vertex(i, k + 1) << "\n";
        ball << "f " << vertex(rings - 1, k) << " " << vertex(rings, 0) << " " << vertex(rings - 1, k + 1) << "\n";
    }
    ball.close();
    const std::string dome = "shape: {mesh: {file: ball.obj}}, contact_geometry: mesh";
    for (const char* flat : {"box: [0.8, 0.1, 0.8]", "rounded_box: {size: [0.8, 0.1, 0.8], radius: 0.02}",
             "cylinder: {radius: 0.4, height: 0.1}"})
        for (const bool is_on_top : {false, true}) {
            SCOPED_TRACE(std::string(flat) + (is_on_top ? " on the dome" : " under the dome"));
            const std::string plate = "shape: {" + std::string(flat) + "}";
            Simulation simulation(scene_from_text(
                "stickslip: 1\ntime: {step: 0.005, end: 1}\nmaterials: {oak: {density: 1000}}\nbodies:\n"
                "  - {name: below, kind: obstacle, "
                    + (is_on_top ? dome : plate) + ", position: [0, " + (is_on_top ? "-0.2" : "-0.05")
                    + ", 0]}\n  - {name: above, kind: rigid, material: oak, fixed_dofs: [x, z, rx, ry, rz], "
                    + (is_on_top ? plate : dome) + ", position: [0, " + (is_on_top ? "0.05" : "0.2") + ", 0]}\n",
                {.folder = folder.path().string()}));
            ASSERT_EQ(simulation.run(0.5), RunStatus::done);
            EXPECT_NEAR(simulation.pose("above").x.y(), is_on_top ? 0.05 : 0.2, 1e-3);
        }
}

// A capsule touches by balls along its axis, and there are gaps between them.
TEST(RoundAcrossEdges, ACornerMeetsTheSideOfACapsuleAnywhere)
{
    constexpr double radius = 0.06;
    const Mat3 corner_down = rotation_exp(Vec3(0.6, 0, 0)) * rotation_exp(Vec3(0, 0, 0.7));
    const Quat turn(corner_down);
    for (const double x : {0.0, 0.004, 0.0075, 0.011, 0.015}) { // balls are 30 mm apart
        SCOPED_TRACE(x);
        std::ostringstream box;
        box << "  - {name: box, kind: rigid, material: oak, shape: {box: [0.1, 0.1, 0.1]}, place_on: capsule, "
               "position: ["
            << x << ", 1, 0], rotation: {quaternion: [" << turn.w() << ", " << turn.x() << ", " << turn.y() << ", "
            << turn.z() << "]}}\n";
        Simulation simulation = start("  - {name: capsule, kind: obstacle, shape: {capsule: {radius: 0.06, height: "
                                      "0.12}}, rotation: {axis: [0, 0, 1], degrees: 90}}\n"
                + box.str(),
            0.8);
        ASSERT_EQ(simulation.run(0.05), RunStatus::done);
        double nearest = infinity; // of the corners, to the axis
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 half = 0.05 * Vec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
            const Vec3 at = simulation.pose("box").x + simulation.pose("box").R * half;
            nearest = std::min(nearest, Vec3(std::max(std::abs(at.x()) - 0.06, 0.0), at.y(), at.z()).norm());
        }
        EXPECT_GT(nearest, radius - 1e-4);
    }
}

} // namespace
} // namespace stickslip::round_across_edges_test
