#include <stickslip/stickslip.h>

#include "geometry/closed_meshes.h"
#include "support/extruded.h"
#include "support/obj_file.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>

/// A flat part of a mesh is a plane up to the fold where it ends, however large its triangles are and however little it
/// folds there: the smoothing of folds is for surfaces that are round.
namespace stickslip::flats_of_meshes_test {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// A slope that falls towards +x to x = -0.5 and runs into a flat there.
class FlatsOfMeshes : public testing::Test {
protected:
    void write(double slope)
    {
        const double top = std::tan(slope);
        std::ofstream(folder_.path() / "sheet.obj")
            << "v -1.5 " << top << " -.5\nv -1.5 " << top
            << " .5\nv -.5 0 -.5\nv -.5 0 .5\nv .5 0 -.5\nv .5 0 .5\nf 1 2 4\nf 1 4 3\nf 3 4 6\nf 3 6 5\n";
        write_solid(slope);
    }

    // The same above a floor, in cells of 0.25 m: its flats have vertices within.
    void write_solid(double slope)
    {
        constexpr int columns = 8, rows = 4;
        std::ofstream file(folder_.path() / "solid.obj");
        for (int i = 0; i <= columns; ++i)
            for (int j = 0; j <= rows; ++j) {
                const double x = -1.5 + 0.25 * i, y = std::max(0.0, -0.5 - x) * std::tan(slope), z = -0.5 + 0.25 * j;
                file << "v " << x << " " << y << " " << z << "\nv " << x << " -.3 " << z << "\n";
            }
        const auto top = [](int i, int j) { return 2 * ((rows + 1) * i + j) + 1; };
        const auto low = [&](int i, int j) { return top(i, j) + 1; };
        const auto quad = [&](int a, int b, int c, int d) {
            file << "f " << a << " " << b << " " << c << "\nf " << a << " " << c << " " << d << "\n";
        };
        for (int i = 0; i < columns; ++i) {
            for (int j = 0; j < rows; ++j) {
                quad(top(i, j), top(i, j + 1), top(i + 1, j + 1), top(i + 1, j));
                quad(low(i, j), low(i + 1, j), low(i + 1, j + 1), low(i, j + 1));
            }
            quad(top(i, 0), top(i + 1, 0), low(i + 1, 0), low(i, 0));
            quad(top(i + 1, rows), top(i, rows), low(i, rows), low(i + 1, rows));
        }
        for (int j = 0; j < rows; ++j) {
            quad(top(0, j + 1), top(0, j), low(0, j), low(0, j + 1));
            quad(top(columns, j), top(columns, j + 1), low(columns, j + 1), low(columns, j));
        }
    }

    Simulation start(const std::string& slider, double friction, const std::string& mesh = "sheet.obj") const
    {
        return Simulation(
            scene_from_text("stickslip: 1\ntime: {step: 0.005, end: 1}\ncontact: {friction: " + std::to_string(friction)
                    + "}\nmaterials: {stone: {density: 1000}, "
                      "rubber: {density: 1000, young: 1.0e5, poisson: 0.3}}\nbodies:\n  - {name: ground, kind: "
                      "obstacle, contact_geometry: mesh, shape: {mesh: {file: "
                    + mesh + "}}}\n  - {name: slider, " + slider + "}\n",
                {.folder = folder_.path().string()}));
    }

    TemporaryFolder folder_;
};

TEST_F(FlatsOfMeshes, HaveTheSlopeOfAPlane)
{
    constexpr double slope = 15 * degree, mu = 0.2, g = 9.81, until = 0.4;
    write(slope);
    const double s = std::sin(slope), c = std::cos(slope);
    for (const double up : {0.3, 0.5, 0.75})
        for (const std::string body :
            {"kind: rigid, material: stone", "kind: deformable, material: rubber, resolution: 0.05"}) {
            SCOPED_TRACE(body + " " + std::to_string(up));
            const double x = -0.5 - up * c + 0.05 * s, y = up * s + 0.05 * c;
            Simulation simulation = start(body + ", shape: {box: [0.1, 0.1, 0.1]}, position: [" + std::to_string(x)
                    + ", " + std::to_string(y) + ", 0], rotation: {axis: [0, 0, 1], degrees: -15}",
                mu);
            ASSERT_EQ(simulation.run(until), RunStatus::done);
            const Vec3 v = simulation.pose("slider").v;
            const double along = v.x() * c - v.y() * s;
            EXPECT_NEAR(along, g * (s - mu * c) * until, body.starts_with("kind: r") ? 1e-4 : 0.02);
        }
}

TEST_F(FlatsOfMeshes, OfSolidsWithVerticesWithinHaveItToo)
{
    constexpr double slope = 15 * degree, mu = 0.2, g = 9.81, until = 0.2;
    write(slope);
    const double s = std::sin(slope), c = std::cos(slope), up = 0.13; // beside the fold
    Simulation simulation = start("kind: rigid, material: stone, shape: {box: [0.1, 0.1, 0.1]}, position: ["
            + std::to_string(-0.5 - up * c + 0.05 * s) + ", " + std::to_string(up * s + 0.05 * c)
            + ", 0], rotation: {axis: [0, 0, 1], degrees: -15}",
        mu, "solid.obj");
    ASSERT_EQ(simulation.run(until), RunStatus::done);
    const Vec3 v = simulation.pose("slider").v;
    EXPECT_NEAR(v.x() * c - v.y() * s, g * (s - mu * c) * until, 1e-4);
}

// Facets of cones turn from their neighbours by a few degrees, and at their ends by 20.
TEST_F(FlatsOfMeshes, OfConesHaveIt)
{
    constexpr int sectors = 48;
    constexpr double g = 9.81, until = 0.15, narrow = std::numbers::pi / sectors;
    write_obj(folder_.path() / "hill.obj", cone_hill(sectors));
    struct Place {
        double degrees, radius, height; // [m] of the cone there
    };
    for (const auto& [degrees, r, y] : {Place{10, 0.85, -0.85 * std::tan(10 * degree)},
             {30, 1.1, -std::tan(10 * degree) - 0.1 * std::tan(30 * degree)}})
        for (const double mu : {0.0, 0.3}) {
            SCOPED_TRACE(testing::Message() << degrees << " degrees, friction " << mu);
            const double slope = std::atan(std::tan(degrees * degree) / std::cos(narrow)); // along the facet's middle
            const Vec3 out(std::cos(narrow), 0, std::sin(narrow)),
                up = std::sin(slope) * out + std::cos(slope) * Vec3::UnitY(),
                at = r * std::cos(narrow) * out + y * Vec3::UnitY() + 0.015 * up;
            const Eigen::Quaterniond q(
                Eigen::AngleAxisd(-narrow, Vec3::UnitY()) * Eigen::AngleAxisd(-slope, Vec3::UnitZ()));
            std::ostringstream box;
            box.precision(17);
            box << "kind: rigid, material: stone, shape: {box: [0.03, 0.03, 0.03]}, position: [" << at.x() << ", "
                << at.y() << ", " << at.z() << "], rotation: {quaternion: [" << q.w() << ", " << q.x() << ", " << q.y()
                << ", " << q.z() << "]}";
            Simulation simulation = start(box.str(), mu, "hill.obj");
            ASSERT_EQ(simulation.run(until), RunStatus::done);
            const double rate = g * std::max(0.0, std::sin(slope) - mu * std::cos(slope));
            EXPECT_NEAR(simulation.pose("slider").v.norm(), rate * until, 0.03 * g * std::sin(slope) * until);
        }
}

// A closed ramp whose slope and level end have one quad each.
TEST_F(FlatsOfMeshes, OfRampsOfOneQuadHaveIt)
{
    constexpr double g = 9.81, until = 0.2;
    for (const double degrees : {3.0, 15.0, 30.0}) {
        const double s = std::sin(degrees * degree), c = std::cos(degrees * degree), mu = 0.8 * s / c;
        write_obj(
            folder_.path() / "ramp.obj", extruded({{-2, -0.3}, {1.5, -0.3}, {1.5, 0}, {0, 0}, {-2, 2 * s / c}}, 1));
        for (const double up : {0.4, 1.6}) {
            SCOPED_TRACE(testing::Message() << degrees << " degrees, " << up << " m up");
            Simulation simulation = start("kind: rigid, material: stone, shape: {box: [0.1, 0.1, 0.1]}, position: ["
                    + std::to_string(-up * c + 0.05 * s) + ", " + std::to_string(up * s + 0.05 * c)
                    + ", 0.1], rotation: {axis: [0, 0, 1], degrees: " + std::to_string(-degrees) + "}",
                mu, "ramp.obj");
            ASSERT_EQ(simulation.run(until), RunStatus::done);
            const Vec3 v = simulation.pose("slider").v;
            EXPECT_NEAR(v.x() * c - v.y() * s, g * (s - mu * c) * until, 1e-4);
            EXPECT_NEAR(v.z(), 0, 1e-6);
        }
    }
}

// A valley of slopes of 10, 35 and 70 degrees: facets that turn by 25 degrees and more are faces.
TEST_F(FlatsOfMeshes, BetweenSteepFoldsHaveIt)
{
    constexpr double slope = 35 * degree, g = 9.81, t = 0.3, width = 0.5;
    double x = 0, y = 0;
    Corners valley{{x, y}};
    for (const double degrees : {10.0, 35.0, 70.0}) {
        x += width * std::cos(degrees * degree);
        y += width * std::sin(degrees * degree);
        valley.push_back({x, y});
    }
    Corners section{{0, -0.3}, {x + 0.1, -0.3}, {x + 0.1, y}};
    section.insert(section.end(), valley.rbegin(), valley.rend());
    write_obj(folder_.path() / "valley.obj", extruded(section, 1));
    const double along = 0.6 * width; // up the middle one
    const std::array<double, 2> at = {valley[1][0] + along * std::cos(slope) - 0.03 * std::sin(slope),
        valley[1][1] + along * std::sin(slope) + 0.03 * std::cos(slope)};
    for (const double friction : {0.0, 0.5, 0.8}) {
        SCOPED_TRACE(friction);
        Simulation simulation(scene_from_text(
            "stickslip: 1\ntime: {step: 0.005, end: 1}\ncontact: {friction: " + std::to_string(friction)
                + "}\nmaterials: {stone: {density: 1000}}\nbodies:\n  - {name: valley, kind: obstacle, shape: {mesh: "
                  "{file: valley.obj}}}\n  - {name: block, kind: rigid, material: stone, shape: {box: [0.12, 0.06, "
                  "0.12]}, position: ["
                + std::to_string(at[0]) + ", " + std::to_string(at[1])
                + ", 0], rotation: {axis: [0, 0, 1], degrees: 35}}\n",
            {.folder = folder_.path().string()}));
        ASSERT_EQ(simulation.run(friction > 0 ? t : t / 2), RunStatus::done);
        const double a = std::max(0.0, g * (std::sin(slope) - friction * std::cos(slope)));
        EXPECT_NEAR(simulation.pose("block").v.norm(), a * simulation.time(), 1e-3 * g * t);
    }
}

// A plate with fillets of nine strips, which is not convex below.
TEST_F(FlatsOfMeshes, BesideFilletsAreLevel)
{
    constexpr double r = 0.05, half = 0.5, top = 0.2;
    constexpr int strips = 9;
    Corners section = {{-half, 0}, {-0.1, 0}, {0, 0.05}, {0.1, 0}, {half, 0}};
    for (const int side : {1, -1})
        for (int i = 0; i <= strips; ++i) {
            const double angle = 0.5 * std::numbers::pi * (side > 0 ? i : strips - i) / strips;
            section.push_back({side * (half - r + r * std::cos(angle)), top - r + r * std::sin(angle)});
        }
    write_obj(folder_.path() / "plate.obj", extruded(section, 1));
    for (const double x : {-0.35, 0.1, 0.38}) {
        SCOPED_TRACE(x);
        Simulation simulation = start("kind: rigid, material: stone, shape: {box: [0.1, 0.06, 0.1]}, position: ["
                + std::to_string(x) + ", 0.23, 0]",
            0, "plate.obj");
        ASSERT_EQ(simulation.run(0.5), RunStatus::done);
        EXPECT_LT(simulation.pose("slider").v.norm(), 1e-4);
    }
}

// Its trapezoids are cut into triangles all the same way: a box without friction turned by 17 rad/s and faster.
TEST_F(FlatsOfMeshes, OfABowlTurnNothing)
{
    for (const bool other_diagonal : {false, true}) {
        write_obj(folder_.path() / "bowl.obj", cone_bowl(12, other_diagonal));
        Simulation simulation = start(
            "kind: rigid, material: stone, shape: {box: [0.12, 0.06, 0.12]}, position: [0, 0.13, 0]", 0, "bowl.obj");
        ASSERT_EQ(simulation.run(1), RunStatus::done);
        EXPECT_LT(std::abs(simulation.pose("slider").w.y()), 0.2) << other_diagonal;
    }
}

TEST_F(FlatsOfMeshes, LetABoxRestBesideAFoldWithoutFriction)
{
    write(11 * degree);
    for (const double x : {-0.44, -0.3, 0.1}) {
        Simulation simulation = start("kind: rigid, material: stone, shape: {box: [0.1, 0.06, 0.1]}, position: ["
                + std::to_string(x) + ", 0.03, 0]",
            0);
        ASSERT_EQ(simulation.run(0.5), RunStatus::done);
        EXPECT_NEAR(simulation.pose("slider").v.norm(), 0, 1e-9) << x;
    }
}

} // namespace
} // namespace stickslip::flats_of_meshes_test
