#include <stickslip/stickslip.h>

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

/// What slides on a floor is slowed by friction alone: it does not trip over what it has pressed in.
namespace stickslip::sliding_test {
namespace {

constexpr double dt = 0.005, speed = 1, friction = 0.1, g = 9.81;

const char* const ell = "v 0 0 -.05\nv .15 0 -.05\nv .15 .05 -.05\nv .05 .05 -.05\nv .05 .1 -.05\nv 0 .1 -.05\n"
                        "v 0 0 .05\nv .15 0 .05\nv .15 .05 .05\nv .05 .05 .05\nv .05 .1 .05\nv 0 .1 .05\n"
                        "f 1 2 8\nf 1 8 7\nf 2 3 9\nf 2 9 8\nf 3 4 10\nf 3 10 9\nf 4 5 11\nf 4 11 10\nf 5 6 12\n"
                        "f 5 12 11\nf 6 1 7\nf 6 7 12\nf 1 3 2\nf 1 4 3\nf 1 5 4\nf 1 6 5\nf 7 8 9\nf 7 9 10\n"
                        "f 7 10 11\nf 7 11 12\n"; // L-shaped, not convex, on y = 0

const char* const wedge = "v 0 0 -.05\nv .1 0 -.05\nv .1 0 .05\nv 0 0 .05\nv 0 .1 -.05\nv .07 .1 -.05\nv .07 .1 .05\n"
                          "v 0 .1 .05\nf 1 2 3 4\nf 5 8 7 6\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n"; // convex

struct Slider {
    const char* name;
    std::string body; // kind and shape, its lowest point at y = 0 for a centre at y = height
    double height; // [m]
};

std::string printed(double x)
{
    return std::to_string(x);
}

class Sliding : public testing::TestWithParam<Slider> {
protected:
    Sliding()
    {
        std::ofstream(folder_.path() / "ell.obj") << ell;
        std::ofstream(folder_.path() / "wedge.obj") << wedge;
    }

    /// Of the floor whose bodies are given, from x on, so much lower than its shape lies there.
    Simulation start(const std::string& floor, double from, double lower = 0) const
    {
        return Simulation(scene_from_text("stickslip: 1\ntime: {step: " + printed(dt)
                + ", end: 1}\ncontact: {friction: " + printed(friction)
                + "}\nmaterials: {m: {density: 1000, young: 1.0e6, poisson: 0.3}, hard: {density: 1000, young: 1.0e10, "
                  "poisson: 0.3}, firm: {density: 1000, young: 1.0e7, poisson: 0.3}}\nbodies:\n"
                + floor + "  - {name: slider, material: m, " + GetParam().body + ", position: [" + printed(from) + ", "
                + printed(GetParam().height - lower) + ", 0.013], velocity: [" + printed(speed) + ", 0, 0]}\n",
            {.folder = folder_.path().string()}));
    }

    /// Goes as far, and is as fast, as backward Euler of Coulomb's law says.
    void expect_to_slide(Simulation& simulation, double until, double accuracy) const
    {
        const double from = simulation.pose("slider").x.x();
        ASSERT_EQ(simulation.run(until), RunStatus::done);
        const BodyPose pose = simulation.pose("slider");
        EXPECT_NEAR(pose.v.x(), speed - friction * g * until, accuracy);
        EXPECT_NEAR(pose.x.x() - from, speed * until - friction * g * until * (until + dt) / 2, accuracy * until);
    }

    bool is_soft() const { return std::string(GetParam().name) == "soft"; }

    TemporaryFolder folder_;
};

// Between its nodes what is soft sinks in by another millimetre as it goes along a fold: what it falls makes it faster.
constexpr double gain_of_sinking = 0.03; // [m/s]

TEST_P(Sliding, OnASoftMat)
{
    Simulation simulation =
        start("  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}, position: [0, -0.1, 0]}\n"
              "  - {name: mat, kind: deformable, material: m, shape: {box: [1.2, 0.1, 0.3]}, "
              "resolution: 0.05, position: [0, -0.05, 0]}\n",
            -0.4);
    expect_to_slide(simulation, 0.4, 2e-3);
}

TEST_P(Sliding, OnMaterialPoints)
{
    if (GetParam().body.find("kind: rigid") == std::string::npos)
        GTEST_SKIP() << "material points stick to each other, and meet soft bodies with their own centres";
    Simulation simulation =
        start("  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}, position: [0, -0.1, 0]}\n"
              "  - {name: bed, kind: mpm, material: m, shape: {box: [0.7, 0.1, 0.2]}, resolution: 0.05, "
              "particles_per_cell: 8, position: [0, -0.05, 0]}\n",
            -0.25);
    expect_to_slide(simulation, 0.3, 3e-3);
}

TEST_P(Sliding, OnABox)
{
    Simulation simulation =
        start("  - {name: table, kind: obstacle, shape: {box: [2, 0.2, 1]}, position: [0, -0.1, 0]}\n", -0.4);
    expect_to_slide(simulation, 0.5, 1e-5); // put down, what is soft sags, and what is not even tips, as it sinks in
}

TEST_P(Sliding, OverTheSeamOfTwoBoxes)
{
    for (const double gap : {0.0, 1e-4, 1e-3}) {
        SCOPED_TRACE(gap);
        Simulation simulation =
            start("  - {name: left, kind: obstacle, shape: {box: [2, 0.2, 1]}, position: [-1, -0.1, 0]}\n"
                  "  - {name: right, kind: obstacle, shape: {box: [2, 0.2, 1]}, position: ["
                    + printed(1 + gap) + ", -0.1, 0]}\n",
                -0.25);
        expect_to_slide(simulation, 0.5, 1e-3);
    }
}

TEST_P(Sliding, OverTheSeamOfTwoSoftTables)
{
    // Particles meet triangles with their centres. Beside them linear solves are slow in what is 10,000 times as stiff.
    const bool is_mpm = std::string(GetParam().name) == "mpm";
    const std::string material = is_mpm ? "firm" : "hard";
    Simulation simulation =
        start("  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}, position: [0, -0.1, 0]}\n"
              "  - {name: left, kind: deformable, material: "
                + material
                + ", shape: {box: [0.8, 0.1, 0.4]}, "
                  "resolution: 0.1, position: [-0.4, -0.05, 0]}\n"
                  "  - {name: right, kind: deformable, material: "
                + material
                + ", shape: {box: [0.8, 0.1, 0.4]}, "
                  "resolution: 0.1, position: [0.4, -0.05, 0]}\n",
            -0.25, is_mpm ? 0.05 / 6 : 0);
    expect_to_slide(simulation, 0.5, 1e-3);
}

using Lines = std::vector<std::array<double, 2>>;

/// An open sheet along x, its lines of vertices at these places across [m], cut into pieces along x.
void write_strip(const std::filesystem::path& file, const Lines& lines, int pieces, double from = -2, double to = 2)
{
    std::ofstream out(file);
    const int count = static_cast<int>(lines.size());
    for (int i = 0; i <= pieces; ++i)
        for (const auto& [y, z] : lines)
            out << "v " << from + (to - from) * i / pieces << " " << y << " " << z << "\n";
    for (int i = 0; i < pieces; ++i)
        for (int k = 0; k + 1 < count; ++k) {
            const int a = i * count + k + 1, b = a + count;
            out << "f " << a << " " << a + 1 << " " << b + 1 << "\nf " << a << " " << b + 1 << " " << b << "\n";
        }
}

// Vertices of a rim or a fold that the slider has pressed in, or an edge of it passes over, are not met by its front.
TEST_P(Sliding, OverTheRimsAndFoldsOfSheets)
{
    if (GetParam().body.find("kind: mpm") != std::string::npos)
        GTEST_SKIP() << "material points meet no open meshes";
    const Lines strip = {{0, -0.02}, {0, 0.05}};
    Lines ridges; // the two in the middle are steep, 53 degrees between their sides
    for (int k = -9; k <= 9; ++k)
        ridges.push_back({k % 2 == 0 ? 0 : std::abs(k) == 1 ? -0.03 : -0.01, 0.015 * k});
    for (const bool is_folded : {false, true})
        for (const bool is_turned : {false, true}) // with its other side up
            for (const int pieces : {1, 30}) {
                SCOPED_TRACE(std::string(is_folded ? "ridges" : "strip") + " of " + std::to_string(pieces)
                    + (is_turned ? ", turned" : ""));
                Lines lines = is_folded ? ridges : strip;
                if (is_turned)
                    std::reverse(lines.begin(), lines.end());
                write_strip(folder_.path() / "strip.obj", lines, pieces);
                Simulation simulation = start(
                    "  - {name: sheet, kind: obstacle, shape: {mesh: {file: strip.obj}}, contact_geometry: mesh}\n",
                    -0.4);
                expect_to_slide(simulation, 0.5, is_folded && is_soft() ? gain_of_sinking : 2e-3);
            }
}

// Their vertices look up, out over the rim, as well as to both sides.
TEST_P(Sliding, OverSheetsThatStandOnEdge)
{
    if (GetParam().body.find("kind: mpm") != std::string::npos)
        GTEST_SKIP() << "material points meet no open meshes";
    for (const int pieces : {1, 8, 30}) {
        SCOPED_TRACE(pieces);
        std::string fences;
        for (const double z : {-0.02, 0.045}) {
            const std::string file = "at" + printed(z) + ".obj";
            write_strip(folder_.path() / file, {{-0.3, z}, {0, z}}, pieces);
            fences += "  - {name: f" + std::to_string(fences.size()) + ", kind: obstacle, shape: {mesh: {file: " + file
                + "}}, contact_geometry: mesh}\n";
        }
        Simulation simulation = start(fences, -0.4);
        expect_to_slide(simulation, 0.5, is_soft() ? gain_of_sinking : 3e-3);
    }
}

INSTANTIATE_TEST_SUITE_P(Bodies, Sliding,
    testing::Values(Slider{"box", "kind: rigid, shape: {box: [0.1, 0.1, 0.1]}", 0.05},
        Slider{"cylinder", "kind: rigid, shape: {cylinder: {radius: 0.05, height: 0.1}}", 0.05},
        Slider{"cone", "kind: rigid, shape: {cone: {radius: 0.05, height: 0.1}}", 0.05},
        Slider{"rounded_box", "kind: rigid, shape: {rounded_box: {size: [0.1, 0.1, 0.1], radius: 0.01}}", 0.05},
        Slider{"convex", "kind: rigid, shape: {mesh: {file: wedge.obj}}", 0},
        Slider{"ell", "kind: rigid, shape: {mesh: {file: ell.obj}}", 0},
        Slider{"soft", "kind: deformable, shape: {box: [0.1, 0.1, 0.1]}, resolution: 0.05", 0.05},
        Slider{"mpm", "kind: mpm, shape: {box: [0.1, 0.1, 0.1]}, resolution: 0.05", 0.05}),
    [](const testing::TestParamInfo<Slider>& slider) { return std::string(slider.param.name); });

// Its corner comes first, and sags over the gap by its own strain.
TEST(SoftBlock, SlidesOverGapsHoweverItIsTurned)
{
    constexpr double v = 2, mu = 0.2, until = 0.4;
    for (const char* kind : {"obstacle", "rigid, material: m, fixed_dofs: [x, y, z, rx, ry, rz]"})
        for (const double gap : {0.0, 0.002, 0.01})
            for (const double turned : {0, 30, 45}) {
                SCOPED_TRACE(std::string(kind) + ", " + printed(gap) + " m, " + printed(turned) + " degrees");
                std::string tiles;
                for (int i = 0; i < 5; ++i) {
                    const double from = i == 0 ? -1 : 0.25 * (i - 1), to = 0.25 * i - gap;
                    tiles += "  - {name: tile" + std::to_string(i) + ", kind: " + kind + ", shape: {box: ["
                        + printed(to - from) + ", 0.2, 0.6]}, position: [" + printed((from + to) / 2) + ", -0.1, 0]}\n";
                }
                Simulation simulation(scene_from_text(
                    "stickslip: 1\ntime: {step: 0.005, end: 1}\ncontact: {friction: 0.2}\n"
                    "materials: {m: {density: 1000, young: 1.0e6, poisson: 0.4}}\nbodies:\n"
                        + tiles
                        + "  - {name: block, kind: deformable, material: m, shape: {box: [0.2, 0.1, 0.2]}, resolution: "
                          "0.05, position: [-0.25, 0.05, 0.01], velocity: [2, 0, 0], rotation: {axis: [0, 1, 0], "
                          "degrees: "
                        + printed(turned) + "}}\n",
                    {}));
                ASSERT_EQ(simulation.run(until), RunStatus::done);
                const BodyPose pose = simulation.pose("block");
                EXPECT_NEAR(pose.v.x(), v - mu * g * until, 0.02);
                EXPECT_NEAR(pose.x.x(), -0.25 + v * until - mu * g * until * (until + 0.005) / 2, 0.01);
            }
}

// What is soft sinks in deeper between the vertices of a fold than springs let it, and its front passes them by. Those
// of a rim ahead come in under it.
TEST(SoftBodies, SlideOverTheFoldsAndSeamsOfSheets)
{
    constexpr double until = 0.5;
    struct Case {
        const char* name;
        std::vector<Lines> lines; // of sheets one behind the other, which meet at x = 0.3
        double mu, E; // [-], [Pa]
        std::string body; // its shape and how it is turned
        double height, grip; // [m], [-] normal force over weight
        double accuracy; // [m/s]
    };
    const std::string slab = "{box: [0.2, 0.1, 0.2]}";
    const Lines flat = {{0, -0.5}, {0, -0.357}, {0, -0.214}, {0, -0.0714}, {0, 0.0714}, {0, 0.214}, {0, 0.357},
                    {0, 0.5}},
                beside = {{0, -0.5}, {0, -0.25}, {0, -0.125}, {0, 0}, {0, 0.125}, {0, 0.25}, {0, 0.5}};
    const std::vector<Case> cases = {
        {"seam", {flat, beside}, 0.05, 1e5, "{cylinder: {radius: 0.1, height: 0.1}}", 0.0502, 1, 2e-3},
        {"plateau", {{{-0.2, -0.2}, {0, -0.06}, {0, 0.06}, {-0.2, 0.2}}}, 0.1, 1e5, slab, 0.051, 1, 0.01},
        {"ridges", {{{-0.1, -0.16}, {0, -0.06}, {-0.06, 0}, {0, 0.06}, {-0.1, 0.16}}}, 0, 1e6, slab, 0.051, 1, 0.05},
        {"groove",
            {{{0.4, -0.4}, {0.267, -0.267}, {0.133, -0.133}, {0, 0}, {0.133, 0.133}, {0.267, 0.267}, {0.4, 0.4}}}, 0.1,
            1e5, "{box: [0.2, 0.2, 0.2]}, rotation: {axis: [1, 0, 0], degrees: 45}", 0.1434, std::sqrt(2), 0.02}};
    for (const Case& at : cases)
        for (const double step : {0.005, 0.001}) {
            SCOPED_TRACE(std::string(at.name) + ", " + printed(step));
            const TemporaryFolder folder;
            std::string sheets;
            for (std::size_t i = 0; i < at.lines.size(); ++i) {
                const std::string file = "sheet" + std::to_string(i) + ".obj";
                const double seam = at.lines.size() > 1 ? 0.3 : 2.5;
                write_strip(
                    folder.path() / file, at.lines[i], i == 0 ? 12 : 14, i == 0 ? -0.5 : seam, i == 0 ? seam : 2.5);
                sheets += "  - {name: s" + std::to_string(i) + ", kind: obstacle, shape: {mesh: {file: " + file
                    + "}}, contact_geometry: mesh}\n";
            }
            Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: " + printed(step)
                    + ", end: 1}\ncontact: {friction: " + printed(at.mu)
                    + "}\nmaterials: {m: {density: 1000, young: " + printed(at.E) + ", poisson: 0.3}}\nbodies:\n"
                    + sheets + "  - {name: body, kind: deformable, material: m, resolution: 0.05, shape: " + at.body
                    + ", position: [0, " + printed(at.height) + ", 0], velocity: [1, 0, 0]}\n",
                {.folder = folder.path().string()}));
            ASSERT_EQ(simulation.run(until), RunStatus::done);
            EXPECT_NEAR(simulation.pose("body").v.x(), 1 - at.mu * at.grip * g * until, at.accuracy);
            EXPECT_LT(simulation.pose("body").x.y(), at.height);
        }
}

// It sinks by the strain of what carries it as well, ten times as deep as its springs let it: so much higher is the
// next.
TEST(RigidBox, SlidesOverSoftTablesAndSlats)
{
    constexpr double until = 0.5;
    struct Case {
        double length, gap, E; // [m], [m], [Pa]
    };
    for (const double mu : {0.0, 0.1})
        for (const auto& [length, gap, E] :
            {Case{0.1, 0.001, 1e7}, {0.1, 0.01, 1e7}, {0.03, 0.05, 1e7}, {0.03, 0.05, 1e8}}) {
            SCOPED_TRACE(
                printed(length) + " m, gaps of " + printed(gap) + ", E = " + printed(E) + ", mu = " + printed(mu));
            std::string tables;
            for (int i = 0; i * (length + gap) < 0.9; ++i)
                tables += "  - {name: t" + std::to_string(i)
                    + ", kind: deformable, material: m, resolution: 0.05, shape: "
                      "{box: ["
                    + printed(length) + ", 0.05, 0.4]}, position: [" + printed(-0.1 + i * (length + gap))
                    + ", -0.025, 0], fix: [{box: {min: [-9, -9, -9], max: [9, -0.049, 9]}}]}\n";
            Simulation simulation(scene_from_text(
                "stickslip: 1\ntime: {step: 0.005, end: 1}\ncontact: {friction: " + printed(mu)
                    + "}\nmaterials: {m: {density: 1000, young: " + printed(E) + ", poisson: 0.3}}\nbodies:\n" + tables
                    + "  - {name: box, kind: rigid, material: m, shape: {box: [0.2, 0.1, 0.2]}, position: [0, 0.0502, "
                      "0], "
                      "velocity: [1, 0, 0]}\n",
                {}));
            ASSERT_EQ(simulation.run(until), RunStatus::done);
            EXPECT_NEAR(simulation.pose("box").v.x(), 1 - mu * g * until, 5e-3);
        }
}

// Laid on it, either sinks by half a particle first, with its front over what it goes past.
TEST(MaterialPoints, SlideOverASoftSeamAndUnderASoftBlock)
{
    const std::string materials = "materials: {rubber: {density: 1000, young: 1.0e6, poisson: 0.4}, jelly: {density: "
                                  "1000, model: neo_hookean, young: 1.0e5, poisson: 0.3}, stiff: {density: 1000, "
                                  "model: neo_hookean, young: 2.0e6, poisson: 0.3}}\n";
    for (const double v : {0.8, 1.2, 1.5, 2.0, 2.5}) {
        SCOPED_TRACE(v);
        std::string tables;
        for (int i = -1; i < 5; ++i)
            tables += "  - {name: t" + std::to_string(i + 1)
                + ", kind: deformable, material: rubber, shape: {box: [0.25, 0.2, 0.4]}, resolution: 0.1, position: ["
                + printed(0.25 * i) + ", -0.1, 0], fix: [{box: {min: [-9, -9, -9], max: [9, 9, 9]}}]}\n";
        Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: 0.005, end: 1}\ncontact: {friction: 0.2}\n"
                + materials + "bodies:\n" + tables
                + "  - {name: block, kind: mpm, material: jelly, shape: {box: [0.2, 0.1, 0.2]}, resolution: 0.05, "
                  "position: [0, 0.05, 0], velocity: ["
                + printed(v) + ", 0, 0]}\n",
            {}));
        ASSERT_EQ(simulation.run(0.35), RunStatus::done);
        EXPECT_NEAR(simulation.pose("block").v.x(), v - 0.2 * g * 0.35, 2e-3);
    }
    for (const auto& [v, mu] : {std::pair(1.2, 0.0), {0.6, 0.2}}) {
        SCOPED_TRACE(v);
        Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: 0.005, end: 1}\ncontact: {friction: "
                + printed(mu) + ", pairs: [{bodies: [base, bed], friction: 10}]}\n" + materials
                + "bodies:\n  - {name: base, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}, position: [0, -0.08, "
                  "0]}\n"
                  "  - {name: bed, kind: mpm, material: stiff, "
                  "shape: {box: [0.6, 0.08, 0.24]}, resolution: 0.04, position: [0.15, -0.04, 0]}\n"
                  "  - {name: block, kind: deformable, material: rubber, shape: {box: [0.1, 0.1, 0.1]}, resolution: "
                  "0.05, position: [0, 0.05, 0], velocity: ["
                + printed(v) + ", 0, 0]}\n",
            {}));
        ASSERT_EQ(simulation.run(0.2), RunStatus::done);
        EXPECT_NEAR(simulation.pose("block").v.x(), v - mu * g * 0.2, 2e-3);
    }
}

// The usual grid of such a mesh is coarser than the particles, and rounds its rims by as much.
TEST(MaterialPoints, SlideAlongTheRidgesOfAMesh)
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "channel.obj")
        << "v -.2 -.1 -1\nv .2 -.1 -1\nv .2 0 -1\nv .1 0 -1\nv .1 -.05 -1\nv -.1 -.05 -1\nv -.1 0 -1\nv -.2 0 -1\n"
           "v -.2 -.1 1\nv .2 -.1 1\nv .2 0 1\nv .1 0 1\nv .1 -.05 1\nv -.1 -.05 1\nv -.1 0 1\nv -.2 0 1\n"
           "f 8 7 6 5 4 3 2 1\nf 9 10 11 12 13 14 15 16\nf 1 2 10 9\nf 2 3 11 10\nf 3 4 12 11\nf 4 5 13 12\n"
           "f 5 6 14 13\nf 6 7 15 14\nf 7 8 16 15\nf 8 1 9 16\n";
    Simulation simulation(scene_from_text(
        "stickslip: 1\ntime: {step: 0.004, end: 1}\ncontact: {friction: 0.2}\n"
        "materials: {m: {density: 1000, young: 1.0e7, poisson: 0.3}}\nbodies:\n"
        "  - {name: channel, kind: obstacle, shape: {mesh: {file: channel.obj}}}\n"
        "  - {name: block, kind: mpm, material: m, shape: {box: [0.6, 0.12, 0.3]}, resolution: 0.06, position: "
        "[0, 0.06, -0.4], velocity: [0, 0, 1.5]}\n",
        {.folder = folder.path().string()}));
    ASSERT_EQ(simulation.run(0.4), RunStatus::done);
    const BodyPose pose = simulation.pose("block");
    EXPECT_NEAR(pose.v.z(), 1.5 - 0.2 * g * 0.4, 5e-3);
    EXPECT_NEAR(pose.v.x(), 0, 1e-3);
    EXPECT_NEAR(pose.x.y(), 0.06, 1e-3);
}

// The sampled surface of a thin plate lies beside its faces. Its own points lie on it: they stood out, and stopped the
// front of what slides.
TEST(ExplicitBox, SlidesOverAMeshThatIsNotConvex)
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "lid.obj") // a plate of 1 m and 5 cm, its top at y = 0, on a rim of 6 cm
        << "v -.5 0 -.5\nv .5 0 -.5\nv .5 0 .5\nv -.5 0 .5\nv -.5 -.11 -.5\nv .5 -.11 -.5\nv .5 -.11 .5\n"
           "v -.5 -.11 .5\nv -.45 -.11 -.45\nv .45 -.11 -.45\nv .45 -.11 .45\nv -.45 -.11 .45\nv -.45 -.05 -.45\n"
           "v .45 -.05 -.45\nv .45 -.05 .45\nv -.45 -.05 .45\nf 4 3 2 1\nf 1 2 6 5\nf 5 6 10 9\nf 9 10 14 13\n"
           "f 2 3 7 6\nf 6 7 11 10\nf 10 11 15 14\nf 3 4 8 7\nf 7 8 12 11\nf 11 12 16 15\nf 4 1 5 8\nf 8 5 9 12\n"
           "f 12 9 13 16\nf 13 14 15 16\n";
    Simulation simulation(scene_from_text(
        "stickslip: 1\ntime: {step: auto, end: 0.4}\nsolver: {integration: explicit}\ncontact: {friction: 0}\n"
        "materials: {m: {density: 1000, young: 1.0e9, poisson: 0.3, restitution: 0.2}}\nbodies:\n"
        "  - {name: lid, kind: obstacle, shape: {mesh: {file: lid.obj}}}\n"
        "  - {name: box, kind: rigid, material: m, shape: {box: [0.2, 0.1, 0.15]}, position: [-0.3, 0.05, -0.05], "
        "rotation: {axis: [0, 1, 0], degrees: 17}, velocity: [0.5, 0, 0]}\n",
        {.folder = folder.path().string()}));
    ASSERT_EQ(simulation.run(0.4), RunStatus::done);
    EXPECT_NEAR(simulation.pose("box").v.x(), 0.5, 5e-3); // its points pass those of the plate
    EXPECT_NEAR(simulation.pose("box").x.x(), -0.1, 2e-3);
}

// Its front edge lies over a row of nodes, from the first step on.
TEST(SlidesFromRest, FlushOnASoftSlab)
{
    for (const double width : {0.2, 0.4}) // of the box; the slab's is 0.2
        for (const double mu : {0.0, 0.2}) {
            SCOPED_TRACE(printed(width) + " m, mu = " + printed(mu));
            Simulation simulation(scene_from_text(
                "stickslip: 1\ntime: {step: 0.005, end: 1}\ncontact: {friction: " + printed(mu)
                    + "}\nmaterials: {m: {density: 1000, young: 1.0e6, poisson: 0.4}}\nbodies:\n"
                      "  - {name: slab, kind: deformable, material: m, shape: {box: [1, 0.2, 0.2]}, resolution: 0.1, "
                      "position: [0, -0.1, 0], fix: [{box: {min: [-9, -9, -9], max: [9, -0.19, 9]}}]}\n"
                      "  - {name: block, kind: rigid, material: m, shape: {box: [0.2, 0.1, "
                    + printed(width) + "]}, position: [0, 0.05, 0], velocity: [1.5, 0, 0]}\n",
                {}));
            ASSERT_EQ(simulation.run(0.1), RunStatus::done);
            const BodyPose pose = simulation.pose("block");
            EXPECT_NEAR(pose.v.x(), 1.5 - mu * g * 0.1, 0.02);
            EXPECT_NEAR(pose.x.y(), 0.05, 2e-3);
        }
}

// What falls on a plate steeper than friction holds, near its lower edge, is deep in it as its side passes that edge.
TEST(Landed, SlidesOffTheEdgeOfATiltedPlate)
{
    const double tilt = 40 * std::numbers::pi / 180;
    for (const char* shape : {"cylinder: {radius: 0.05, height: 0.008}", "cone: {radius: 0.05, height: 0.02}"})
        for (int i = 0; i < 12; ++i) {
            const double down = -0.02 + 0.005 * i, above = 0.07; // [m] along the plate, from it
            Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: 0.01, end: 1}\ncontact: {friction: 0.3}\n"
                                                  "materials: {m: {density: 1000}}\nbodies:\n"
                                                  "  - {name: plate, kind: obstacle, shape: {box: [0.16, 0.05, 0.14]}, "
                                                  "rotation: {axis: [0, 0, 1], degrees: -40}}\n"
                                                  "  - {name: disc, kind: rigid, material: m, shape: {"
                    + std::string(shape) + "}, position: [" + printed(std::cos(tilt) * down + std::sin(tilt) * above)
                    + ", " + printed(std::cos(tilt) * above - std::sin(tilt) * down) + ", 0]}\n",
                {}));
            ASSERT_EQ(simulation.run(1), RunStatus::done);
            EXPECT_LT(simulation.pose("disc").x.y(), -1) << shape << " dropped at " << down;
        }
}

} // namespace
} // namespace stickslip::sliding_test
