#include "stickslip/files/atomic_file.h"
#include "support/finished_run.h"
#include "support/granular_scenes.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip::granular_overlap_test {
namespace {

/// What building an explicit scene says.
struct Start {
    TemporaryFolder folder;
    Scene scene;
    BuildResult result;

    explicit Start(const std::string& bodies, const std::string& more = "", const std::string& end = "0.1")
    {
        write_file_atomically(
            folder.path() / "sheet.obj", "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 3 2\nf 1 4 3\n");
        const SceneResult read = read_scene_text("stickslip: 1\ntime: {step: auto, end: " + end
                + ", frame: 0.02}\nsolver: {integration: explicit}\nmaterials: {glass: {density: 2500, kn: 1e4, "
                  "restitution: 0.6}}\n"
                + more + "bodies:\n" + bodies,
            "scene.yaml");
        EXPECT_EQ(format(read.faults), "");
        scene = read.scene;
        result = build_world(scene, folder.path());
    }
    std::string warnings() const { return format(result.warnings); }
    std::string faults() const { return format(result.faults); }
    bool warns(const std::string& text) const { return warnings().find(text) != std::string::npos; }
    bool refuses(const std::string& text) const { return faults().find(text) != std::string::npos; }

    /// Runs it; what it says on the way.
    std::string run(RunResult& ended) const
    {
        std::string words;
        RunListener listener;
        listener.message = [&](const std::string& line) { words += line + "\n"; };
        ended =
            run_scene(scene, result.built, {.scene_folder = folder.path(), .folder = folder.path() / "out"}, listener);
        return words;
    }
};

const std::string sheet_body = "  - {name: sheet, kind: obstacle, shape: {mesh: {file: sheet.obj}}}\n";

std::string spheres_at(const std::string& places, const std::string& more = "")
{
    return "  - {name: g, kind: spheres, material: glass, radius: 0.01, positions: " + places + more + "}\n";
}

TEST(GranularOverlap, SpheresPressedIntoWallsAreToldWhereTheyArePlaced)
{
    for (const auto& [name, wall] : {std::pair("floor", floor_body), {"sheet", sheet_body}}) {
        const Start start(wall + spheres_at("[[0, 0.00992, 0], [0.1, 0.0098, 0], [0.2, 0.006, 0], [0.3, 0.5, 0]]"));
        EXPECT_EQ(start.faults(), "");
        EXPECT_TRUE(start.warns(std::string("7:72: warning: bodies.g: 2 spheres pressed into \"") + name
            + "\" by more than 1 % of a radius at the start, the deepest by 0.004 m; contact will push them out"))
            << start.warnings();
        EXPECT_EQ(start.result.warnings.size(), 1u);
        EXPECT_EQ(Start(wall + spheres_at("[[0, 0.01, 0], [0.1, 0.0099999, 0]]")).warnings(), "");
    }
}

TEST(GranularOverlap, ACentreInsideASolidIsAFault)
{
    const Start start(floor_body + spheres_at("[[0, -0.001, 0], [0.1, 0.5, 0]]"));
    EXPECT_TRUE(start.refuses(
        "7:72: error: bodies.g: 1 sphere with the centre inside \"floor\" at the start, the deepest by 0.011 m"))
        << start.faults();
    // far below: wholly inside
    EXPECT_TRUE(Start(floor_body + spheres_at("[[0, -5, 0]]")).refuses("1 sphere with the centre inside"));
    // a mesh is met from both sides and has no inside
    EXPECT_EQ(Start(sheet_body + spheres_at("[[0, -0.02, 0]]")).faults(), "");
}

TEST(GranularOverlap, WallsStandWhereTheyBeginAndSpheresWhereTheBoxPutsThem)
{
    const std::string lift =
        "  - {name: lift, kind: obstacle, shape: {box: [1, 1, 1]}, position: [0, -0.5, 0], motion: "
        "{keyframes: [{time: 0, position: [0, -0.4, 0]}, {time: 1}]}}\n";
    EXPECT_TRUE(Start(lift + spheres_at("[[0, 0.0995, 0]]")).refuses("inside \"lift\""));
    EXPECT_EQ(Start(lift + spheres_at("[[0, 0.11, 0]]")).warnings(), "");
    const std::string post = "  - {name: post, kind: obstacle, shape: {box: [0.1, 9, 0.1]}, position: [0.5, 0, 0]}\n";
    const std::string box = "periodic: {min: [0, -.inf, -.inf], max: [1, .inf, .inf]}\n";
    EXPECT_TRUE(Start(post + spheres_at("[[3.5, 0, 0]]"), box).refuses("inside \"post\""));
    EXPECT_EQ(Start(post + spheres_at("[[3.5, 0, 0]]")).faults(), "");
}

TEST(GranularOverlap, ClumpsAndRigidBodiesAreToldToo)
{
    const Start clump(floor_body
        + "  - {name: g, kind: spheres, material: glass, clump: {positions: [[0, 0, 0], [0.01, 0, 0]], radius: 0.01, "
          "orientation: aligned}, positions: [[0, 0.008, 0]]}\n");
    EXPECT_TRUE(clump.warns("2 spheres pressed into \"floor\"")) << clump.warnings() << clump.faults();
    const std::string rigid = "  - {name: it, kind: rigid, material: glass, position: [0, 0.04, 0], shape: ";
    EXPECT_TRUE(Start(floor_body + rigid + "{sphere: 0.05}}\n").warns("bodies.it: 1 sphere pressed into \"floor\""));
    const Start box(floor_body + rigid + "{box: [0.1, 0.1, 0.1]}, sample: 1}\n");
    EXPECT_TRUE(
        box.warns("7:56: warning: bodies.it.position: starts inside \"floor\": 4 points of the surface, the deepest "
                  "0.01 m; contact will push it out"))
        << box.warnings();
    EXPECT_EQ(Start(floor_body + rigid + "{box: [0.08, 0.08, 0.08]}}\n").warnings(), "");
    const Start two(rigid + "{box: [0.1, 0.1, 0.1]}, sample: 1}\n"
        + "  - {name: other, kind: rigid, material: glass, position: [0.03, 0.13, 0.02], shape: {box: [0.1, 0.1, "
          "0.1]}, "
          "sample: 1}\n");
    EXPECT_TRUE(two.warns("bodies.it.position: starts inside \"other\": 2 points of the surface, the deepest 0.01 m; "
                          "contact will push them apart"))
        << two.warnings();
}

TEST(GranularOverlap, OneOfAKindIsToldAsOne)
{
    EXPECT_TRUE(Start(spheres_at("[[0, 0, 0], [0.01, 0, 0]]"))
                    .warns("bodies.g: 1 pair of spheres with an overlap of more than 1 % of a radius at the start"));
    EXPECT_TRUE(
        Start(spheres_at("[[0, 0, 0], [0.01, 0, 0], [0.02, 0, 0]]")).warns("bodies.g: 2 pairs of spheres with"));
}

TEST(GranularOverlap, WhatAnEarlierRunPressedIsNotTold)
{
    const Start first(floor_body + spheres_at("[[0, 0.008, 0]]"), "", "0.001");
    RunResult ended;
    first.run(ended);
    ASSERT_EQ(ended.status, RunStatus::done);
    const auto started = [&](const std::string& more) {
        write_file_atomically(first.folder.path() / "go.yaml", "include: out/scene.yaml\nstart: {from: out}\n" + more);
        const SceneResult read = read_scene((first.folder.path() / "go.yaml").string());
        EXPECT_EQ(format(read.faults), "");
        return format(build_world(read.scene, first.folder.path()).warnings);
    };
    EXPECT_EQ(started("").find("pressed"), std::string::npos);
    EXPECT_NE(started("bodies:\n  - {name: lid, kind: obstacle, shape: {plane: {normal: [0, -1, 0]}}, position: [0, "
                      "0.012, 0]}\n")
                  .find("1 sphere pressed into \"lid\""),
        std::string::npos);
}

std::string inlet_at(double y, const std::string& more)
{
    return "  - {name: g, kind: spheres, material: glass, radius: 0.01, position: [0, " + std::to_string(y)
        + ", 0], inlet: {box: [0.2, 0.2, 0.2], " + more + "}}\n";
}

TEST(GranularOverlap, AnInletWithWallsInTheWayIsToldAtTheStart)
{
    const Start partly(floor_body + inlet_at(0, "rate: 1"));
    EXPECT_EQ(partly.faults(), "");
    // centres from -0.09 to 0.09 in 11 rows, of which those up to 0 are taken
    EXPECT_TRUE(
        partly.warns("bodies.g.inlet: about 54 % of the region is obstructed by \"floor\"; no sphere enters there"))
        << partly.warnings();
    EXPECT_TRUE(Start(floor_body + inlet_at(-0.2, "rate: 1"))
                    .refuses("bodies.g.inlet: no room for a sphere of radius 0.01 m: obstructed by \"floor\""));
    EXPECT_EQ(Start(floor_body + inlet_at(0.1, "rate: 1")).warnings(), "") << "on the floor";
    EXPECT_TRUE(Start(sheet_body + inlet_at(0, "rate: 1")).warns("about 9 % of the region is obstructed by \"sheet\""));
}

TEST(GranularOverlap, WhatComesInIsPutBesideWalls)
{
    const Start start(floor_body + sheet_body + inlet_at(0, "rate: 2, end: 0.02"), "gravity: [0, 0, 0]\n", "0.02");
    RunResult ended;
    const std::string words = start.run(ended);
    EXPECT_EQ(ended.status, RunStatus::done) << words;
    EXPECT_GT(ended.totals.inlets["g"].count, 2);
    EXPECT_EQ(ended.totals.max_contact_depth, 0);
}

TEST(GranularOverlap, AnInletThatLagsIsToldAtTheEnd)
{
    // A ball of 0.0105 kg at a time has room in the box, for nothing falls.
    const std::string tight = "  - {name: g, kind: spheres, material: glass, radius: 0.01, inlet: {box: [0.025, 0.025, "
                              "0.025], rate: 1}}\n";
    const double one = 2500 * 4 * std::numbers::pi / 3 * 1e-6;
    RunResult ended;
    std::string words = Start(tight, "gravity: [0, 0, 0]\n").run(ended);
    EXPECT_NE(words.find("warning: inlet \"g\" admitted 0.01047 kg of 0.1 kg: there was no room. Requested 1 kg/s, "
                         "achieved 0.1047 kg/s"),
        std::string::npos)
        << words;
    EXPECT_NEAR(ended.totals.inlets["g"].asked, 0.1, 1e-9);
    EXPECT_NEAR(ended.totals.inlets["g"].mass, one, 1e-12);
    // where there is room, or its mass is reached, nothing is said
    words = Start(inlet_at(0, "rate: 2")).run(ended);
    EXPECT_EQ(words, "");
    EXPECT_NEAR(ended.totals.inlets["g"].asked, 0.2, 1e-9);
    EXPECT_EQ(Start(inlet_at(0, "rate: 2, mass: 0.1")).run(ended), "");
    EXPECT_EQ(ended.totals.inlets["g"].asked, 0.1);
}

TEST(GranularOverlap, APeriodicBoxTooSmallIsToldWhereItStands)
{
    const Start start(spheres_at("[[0, 0, 0]]"), "periodic: {min: [0, -.inf, -.inf], max: [0.03, .inf, .inf]}\n");
    EXPECT_TRUE(
        start.refuses("scene.yaml:5:11: error: periodic: expected at least 0.042 m along x, twice the range of the "
                      "spheres, got 0.03 m"))
        << start.faults();
    // what passes runs
    RunResult ended;
    EXPECT_EQ(Start(spheres_at("[[0, 0, 0], [0.02, 0, 0]]"),
                  "periodic: {min: [0, -.inf, -.inf], max: [0.0420001, .inf, .inf]}\n", "0.001")
                  .run(ended),
        "");
    EXPECT_EQ(ended.status, RunStatus::done);
}

} // namespace
} // namespace stickslip::granular_overlap_test
