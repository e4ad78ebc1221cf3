#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/geometry/solids/grid_level_set.h"
#include "stickslip/run/run.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace stickslip::contact_limits_test {
namespace {

/// Those that the bodies are made of.
std::string materials(const std::string& bodies)
{
    std::string text;
    for (const auto& [name, is] :
        {std::pair("oak", "density: 700"), {"gum", "density: 1000, young: 1e5, poisson: 0.3"}})
        if (bodies.find(std::string("material: ") + name) != std::string::npos)
            text += std::string(text.empty() ? "materials:\n" : "") + "  " + name + ": {" + is + "}\n";
    return text;
}

/// What is said of a scene before its run.
struct Checked {
    SceneResult read;
    BuildResult built;

    explicit Checked(const std::string& contact, const std::string& bodies,
        const std::string& time = "{step: 0.01, end: 0.5, frame: 0.1}", const std::filesystem::path& folder = ".")
        : read(read_scene_text(
            "stickslip: 1\ntime: " + time + "\ncontact: {" + contact + "}\n" + materials(bodies) + "bodies:\n" + bodies,
            "scene.yaml"))
    {
        EXPECT_EQ(format(read.faults), "");
        built = build_world(read.scene, folder);
    }
    std::string faults() const { return format(built.faults); }
    std::string warnings() const { return format(read.warnings) + format(built.warnings); }
};

/// How a scene ran, and all that was said.
struct Ran {
    TemporaryFolder folder;
    std::string said;
    RunResult result;

    explicit Ran(const Checked& scene, const std::filesystem::path& files = ".")
    {
        EXPECT_EQ(scene.faults(), "");
        result = run_scene(scene.read.scene, scene.built.built,
            {.scene_folder = files, .folder = folder.path(), .warnings = {"scene.yaml: warning: of the scene\n  ^"}},
            {.progress = {}, .message = [&](const std::string& line) { said += line + "\n"; }, .note = {}});
    }
    Vec3 last(const std::string& body) const // [m] where it ends
    {
        const std::string rows = read_file(folder.path() / "bodies.csv");
        Vec3 x;
        const char* row = rows.c_str() + rows.rfind("," + body + ",") + body.size() + 2;
        EXPECT_EQ(std::sscanf(row, "%lf,%lf,%lf", &x[0], &x[1], &x[2]), 3);
        return x;
    }
    std::string summary() const { return read_file(folder.path() / "summary.json"); }
};

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

std::size_t count_of(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

const std::string floor_body = "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n";
const std::string wall = "  - {name: wall, kind: obstacle, shape: {box: [0.01, 2, 2]}, position: [1, 1, 0]}\n";

const std::string ground = "  - {name: ground, kind: obstacle, shape: {box: [20, 1, 20]}, position: [0, -0.5, 0]}\n";

std::string thrown(const std::string& shape, const std::string& velocity)
{
    return "  - {name: shot, kind: rigid, material: oak, shape: {" + shape
        + "}, position: [0, 0.3, 0], velocity: " + velocity + "}\n";
}

TEST(LongSteps, AreToldBeforeTheRunByBothNames)
{
    const Checked fast("friction: 0", wall + thrown("sphere: 0.01", "[100, 0, 0]"));
    EXPECT_TRUE(has(fast.warnings(),
        "bodies.shot: \"shot\" moves 1 m towards \"wall\" in one step of 0.01 s, but "
        "\"wall\" is only 0.01 m thick in that direction"))
        << fast.warnings();
    const Checked onto_ground("friction: 0", ground + thrown("sphere: 0.01", "[0, -3, 0]"));
    EXPECT_TRUE(has(onto_ground.warnings(), "\"shot\" is only 0.02 m thick in that direction"))
        << onto_ground.warnings();
    const Checked slanting("friction: 0", ground + thrown("sphere: 0.01", "[9, -3, 0]")); // by what leads it there
    EXPECT_TRUE(has(slanting.warnings(), "\"shot\" moves 0.03 m towards \"ground\"")) << slanting.warnings();
}

TEST(LongSteps, AreNotToldOfWhatIsSlowOrThickOrElsewhereOrPasses)
{
    const std::string ball = "sphere: 0.01";
    const std::string mat = "  - {name: mat, kind: obstacle, shape: {box: [9, 9, 9]}, position: [0, -50, 0]}\n";
    for (const std::string& bodies : {
             wall + thrown(ball, "[0.9, 0, 0]"), // slow
             ground + thrown(ball, "[0, -1.9, 0]"), // less than its size
             floor_body + thrown("box: [0.5, 0.001, 0.5]", "[10, 0, 0]"), // along its length
         })
        EXPECT_EQ(Checked("friction: 0", bodies + mat).warnings(), "") << bodies;
    for (const std::string& bodies : {
             ground + thrown(ball, "[9, 0, 0]"), // along the face
             wall + thrown(ball, "[100, 400, 0]"), // above it
             "  - {name: fin, kind: obstacle, shape: {box: [0.001, 0.4, 0.4]}, position: [0.013, -0.1, 0.009]}\n"
                 + thrown("box: [0.3, 0.3, 0.001]", "[0, -0.3, 0]"), // edge on edge
             floor_body + thrown(ball, "[100, -100, 0]"), // half-spaces have no other side
             wall + thrown(ball, "[-100, 0, 0]"), // away from it
             thrown(ball, "[100, 0, 0]"), // nothing there
             "  - {name: post, kind: obstacle, shape: {box: [0.25, 0.2, 4]}, position: [2, 0.3, 0]}\n"
                 + thrown("box: [0.1, 0.1, 0.1]", "[4, 0, 0], angular_velocity: [0, 0, -20]"), // turns far from it
         })
        EXPECT_FALSE(has(Checked("friction: 0", bodies + mat).warnings(), "towards")) << bodies;
    EXPECT_EQ(
        Checked("pairs: [{bodies: [shot, wall], enabled: false}]", wall + thrown(ball, "[100, 0, 0]")).warnings(), "");
}

TEST(LongSteps, OfScriptsAreToldTooAlsoThoseThatBeginLater)
{
    const std::string rest = "  - {name: rest, kind: rigid, material: oak, shape: {box: [0.1, 0.1, 0.1]}, position: "
                             "[1, 0, 0]}\n";
    const std::string bat = "  - {name: bat, kind: obstacle, shape: {box: [0.02, 0.4, 0.4]}, position: [0, 0, 0], ";
    EXPECT_TRUE(has(Checked("friction: 0", rest + bat + "motion: {velocity: [5, 0, 0]}}\n").warnings(),
        "bodies.bat: \"bat\" moves 0.05 m towards \"rest\""));
    const std::string later =
        "motion: {keyframes: [{time: 0.3, position: [0, 0, 0]}, {time: 0.4, position: [2, 0, 0]}]}}\n";
    EXPECT_TRUE(has(Checked("friction: 0", rest + bat + later).warnings(), "bodies.bat: \"bat\" moves 0.2 m"));
    EXPECT_EQ(Checked("friction: 0", rest + bat + "motion: {velocity: [1, 0, 0]}}\n").warnings(), "");
    const std::string blade = "  - {name: blade, kind: obstacle, shape: {box: [2, 0.4, 0.01]}, position: [0, 0, 0.2], ";
    EXPECT_TRUE(has(Checked("friction: 0", rest + blade + "motion: {angular_velocity: [0, 10, 0]}}\n").warnings(),
        "bodies.blade: \"blade\" moves"));
    EXPECT_EQ(Checked("friction: 0",
                  floor_body
                      + "  - {name: disc, kind: obstacle, shape: {cylinder: {radius: 1, "
                        "height: 0.01}}, motion: {angular_velocity: [0, 50, 0]}}\n"
                      + rest)
                  .warnings()
                  .find("\"disc\" moves"),
        std::string::npos); // sweeps nothing
}

TEST(LongSteps, AreNotToldAgainNorOfContactInTime)
{
    for (const char* shape : {"sphere: 0.01", "box: [0.02, 0.02, 0.02]"})
        for (const std::string& body : {ground, floor_body}) {
            const Ran ran(Checked("friction: 0.3", body + thrown(shape, "[0, -30, 0]"), "{step: 0.01, end: 0.1}"));
            EXPECT_EQ(ran.said, "") << body;
            EXPECT_EQ(ran.result.status, RunStatus::done);
            EXPECT_NEAR(ran.last("shot")[1], 0.01, 1e-4) << body; // nor does it go in
        }
    const Ran by_gravity(Checked("friction: 0.3", wall + thrown("sphere: 0.01", "[0, 0, 0]"),
        "{step: 0.01, end: 1.4}\ngravity: [9, 0, 0]")); // 12 cm a step when it is there
    EXPECT_EQ(count_of(by_gravity.said, "\"shot\" moves 0."), 1u) << by_gravity.said;
}

TEST(FarSteps, AreToldOfBodiesAloneWhateverTheyMeet)
{
    const std::string ball = "sphere: 0.01";
    const std::string words = "bodies.shot: \"shot\" travels ";
    for (const auto& [bodies, way] : {std::pair(ground + thrown(ball, "[9, 0, 0]"), "0.09"), // along the face
             {floor_body + thrown(ball, "[100, -100, 0]"), "1.41"}, {wall + thrown(ball, "[-100, 0, 0]"), "1 m"},
             {floor_body + thrown("box: [0.5, 0.001, 0.5]", "[0, -0.2, 0]"), "0.002"}}) {
        const std::string said = Checked("friction: 0", bodies).warnings();
        EXPECT_TRUE(has(said, words + way) && has(said, "farther than it is long in that direction")) << said;
        EXPECT_EQ(count_of(said, "warning"), 1u) << said;
    }
    // Of one that is too fast for what it will meet that is told alone.
    EXPECT_EQ(count_of(Checked("friction: 0", wall + thrown(ball, "[100, 0, 0]")).warnings(), "warning"), 1u);
    // Nobody there to touch.
    EXPECT_EQ(Checked("friction: 0", thrown(ball, "[100, 0, 0]")).warnings(), "");
    EXPECT_EQ(
        Checked("pairs: [{bodies: [shot, wall], enabled: false}]", wall + thrown(ball, "[100, 0, 0]")).warnings(), "");
    // What stands still is driven by gravity in the first step, but not along what is fixed.
    const std::string grain =
        "  - {name: grain, kind: rigid, material: oak, shape: {sphere: 2.0e-4}, position: [0, 1, 0]";
    EXPECT_TRUE(has(Checked("friction: 0", floor_body + grain + "}\n").warnings(), "\"grain\" travels 0.000981 m"));
    EXPECT_EQ(Checked("friction: 0", floor_body + grain + ", fixed_dofs: [x, y, z]}\n").warnings(), "");
    // What is led: from the second keyframe on.
    EXPECT_TRUE(
        has(Checked("friction: 0",
                floor_body + thrown(ball, "[0, 0, 0]")
                    + "  - {name: bat, kind: obstacle, shape: {box: [0.02, 0.4, 0.4]}, position: [0, 9, 0], "
                      "motion: {keyframes: [{time: 0.3, position: [0, 9, 0]}, {time: 0.4, position: [2, 9, 0]}]}}\n")
                .warnings(),
            "\"bat\" travels 0.2 m"));
}

TEST(FarSteps, AreToldOnceOfAFamily)
{
    const std::string rain = "  - {name: drop, kind: rigid, material: oak, shape: {sphere: 0.01}, position: [0, 9, 0], "
                             "velocity: VELOCITY, copies: {grid: {count: [10, 1, 10], spacing: [0.1, 0, 0.1]}}}\n";
    const auto rain_at = [&](const std::string& velocity) {
        std::string text = rain;
        return floor_body + text.replace(text.find("VELOCITY"), 8, velocity);
    };
    const std::string time = "{step: 0.01, end: 0.4}";
    const Checked falling("friction: 0", rain_at("[0, 0, 0]"), time);
    EXPECT_EQ(falling.warnings(), "");
    const Ran fell(falling); // 2 m/s after a fifth of a second, then 4
    EXPECT_EQ(count_of(fell.said, "warning"), 1u) << fell.said;
    EXPECT_TRUE(has(fell.said, "t = 0.21 s: warning: \"drop[0]\" and 99 others travel up to 0.0206 m")) << fell.said;
    EXPECT_TRUE(has(fell.summary(), "and 99 others travel up to 0.039")) << fell.summary();
    const Checked thrown_down("friction: 0", rain_at("[0, -3, 0]"), "{step: 0.01, end: 0.2}");
    EXPECT_EQ(count_of(thrown_down.warnings(), "warning"), 1u) << thrown_down.warnings();
    EXPECT_TRUE(has(thrown_down.warnings(), "\"drop[0]\" and 99 others travel up to 0.031 m"));
    EXPECT_EQ(Ran(thrown_down).said, ""); // 5 m/s in the end: not much worse than foretold
}

TEST(Passage, EndsTheRunWithStatusFailedAndBothNames)
{
    // In one step from side to side; by way of a step that ends inside, of which contact makes the best it can.
    // Both with the eighth of the step too.
    for (const char* step : {"0.05", "0.008"}) {
        const Ran ran(Checked("friction: 0.3", floor_body + wall + thrown("sphere: 0.01", "[100, 0, 0]"),
            std::string("{step: ") + step + ", end: 0.5}"));
        EXPECT_EQ(ran.result.status, RunStatus::failed) << step;
        EXPECT_FALSE(has(ran.said, "moves")) << ran.said; // told before the run
        EXPECT_TRUE(has(ran.said, "gave up: ") && has(ran.said, "\"shot\" passes through \"wall\"")) << ran.said;
        EXPECT_TRUE(has(ran.summary(), "\"shot\\\" passes through \\\"wall\\\"")) << ran.summary();
        EXPECT_LT(ran.result.simulated_time, 0.05) << step; // the state is that before
    }
}

TEST(Passage, IsOfAllKindsOfBodies)
{
    const std::string slab =
        "  - {name: wall, kind: deformable, material: gum, resolution: 0.1, shape: {box: [0.2, 0.4, "
        "0.4]}, position: [1, 0.3, 0]}\n";
    const std::string plate = "  - {name: wall, kind: rigid, material: oak, shape: {box: [0.01, 1, 1]}, position: [1, "
                              "0.5, 0]}\n";
    const std::string soft =
        "  - {name: shot, kind: deformable, material: gum, resolution: 0.1, shape: {box: [0.1, 0.1, "
        "0.1]}, position: [0, 0.3, 0], velocity: [100, 0, 0]}\n";
    const std::string bar = "box: [0.02, 0.02, 1]";
    const std::string rod = "  - {name: wall, kind: obstacle, shape: {cylinder: {radius: 0.01, height: 2}}, ";
    for (const std::string& bodies : {slab + thrown("sphere: 0.01", "[150, 0, 0]"),
             plate + thrown("torus: {major: 0.1, minor: 0.02}", "[100, 0, 0]"), plate + soft, wall + soft,
             rod + "position: [1, 0.3, 0]}\n" + thrown(bar, "[100, 0, 0]")}) {
        const Ran ran(Checked("friction: 0.3", bodies, "{step: 0.02, end: 0.04}"));
        EXPECT_EQ(ran.result.status, RunStatus::failed) << bodies << ran.said;
        EXPECT_TRUE(has(ran.said, "\"shot\" passes through \"wall\"")) << bodies << ran.said;
    }
    // an edge that goes through the axis of a round side is pushed back to where it came from
    const Ran caught(Checked("friction: 0.3",
        rod + "position: [1, 0.3, 0.4]}\n" + thrown(bar, "[100, 0, 0]"), // far from the middle of the bar
        "{step: 0.02, end: 0.04}"));
    EXPECT_EQ(caught.result.status, RunStatus::done) << caught.said;
    EXPECT_FALSE(has(caught.said, "passes through")) << caught.said;
    // a point that crosses triangles of a deformable body is found on its way; at 100 m/s, ten times the wall in a
    // step, one is told to pass
    const Ran held(
        Checked("friction: 0.3", slab + thrown("box: [0.1, 0.1, 0.1]", "[80, 0, 0]"), "{step: 0.02, end: 0.04}"));
    EXPECT_EQ(held.result.status, RunStatus::done) << held.said;
    EXPECT_LT(held.last("shot")[0], held.last("wall")[0]) << held.said;
}

// A plate that comes three times as far in a step as a block of material points is wide.
TEST(Passage, IsOfMaterialPoints)
{
    const auto plate_at = [](const std::string& speed) {
        return Ran(Checked("friction: 0.3",
            floor_body
                + "  - {name: block, kind: mpm, material: gum, shape: {box: [0.2, 0.2, 0.2]}, resolution: 0.1, "
                  "particles_per_cell: 8, position: [0, 0.1, 0]}\n"
                  "  - {name: plate, kind: obstacle, shape: {box: [0.02, 0.3, 0.4]}, position: [-0.3, 0.16, 0], "
                  "motion: {velocity: ["
                + speed + ", 0, 0]}}\n",
            "{step: 0.04, end: 0.08}"));
    };
    const Ran pushed = plate_at("15"); // shorter steps feel it
    EXPECT_EQ(pushed.result.status, RunStatus::done) << pushed.said;
    EXPECT_GT(pushed.last("block")[0], 0.9) << pushed.said;
    const Ran passed = plate_at("1500");
    EXPECT_EQ(passed.result.status, RunStatus::failed) << passed.said;
    EXPECT_TRUE(
        has(passed.said, "gave up: ") && has(passed.said, "a particle of \"block\" has passed through \"plate\""))
        << passed.said;
}

TEST(Passage, IsOfTwoDeformableBodiesWhoseContactFails)
{
    const std::string sheet = "  - {name: wall, kind: deformable, material: gum, resolution: 0.05, shape: {box: [0.02, "
                              "0.3, 0.3]}, position: [0.5, 0.3, 0]}\n";
    const auto block = [](const std::string& velocity) {
        return "  - {name: shot, kind: deformable, material: gum, resolution: 0.05, shape: {box: [0.1, 0.1, 0.1]}, "
               "position: [0, 0.3, 0], velocity: ["
            + velocity + ", 0, 0]}\n";
    };
    const Checked fast("friction: 0.3", sheet + block("60"), "{step: 0.01, end: 0.05}");
    EXPECT_TRUE(has(fast.warnings(), "\"shot\" moves") && has(fast.warnings(), "towards \"wall\"")) << fast.warnings();
    const Ran passed(fast);
    EXPECT_EQ(passed.result.status, RunStatus::failed) << passed.said;
    EXPECT_TRUE(has(passed.said, "\"shot\" passes through \"wall\"")) << passed.said;
    for (const char* velocity : {"10", "18"}) { // at 20 m/s, ten times the sheet in a step, one is told to pass
        const Ran held(Checked("friction: 0.3", sheet + block(velocity), "{step: 0.01, end: 0.1}"));
        EXPECT_EQ(held.result.status, RunStatus::done) << velocity << held.said;
        EXPECT_LT(held.last("shot")[0], held.last("wall")[0]) << velocity << held.said;
    }
}

TEST(Passage, IsOfBothFacesOfAPlateOfTrianglesNotOfASheetThatHolds)
{
    const TemporaryFolder folder;
    const std::string sheet = "v 1 -1 -1\nv 1 1 -1\nv 1 1 1\nv 1 -1 1\nf 1 2 3\nf 1 3 4\n";
    write_file_atomically(folder.path() / "sheet.obj", sheet);
    write_file_atomically(
        folder.path() / "sheets.obj", sheet + "v 1.1 -1 -1\nv 1.1 1 -1\nv 1.1 1 1\nv 1.1 -1 1\nf 5 6 7\nf 5 7 8\n");
    write_file_atomically(folder.path() / "plate.obj", obj_text(triangulate(Box{Vec3(0.01, 2, 2)}, 0.5)));
    for (const auto& [mesh, place] : {std::pair("sheet", "0"), {"sheets", "0"}, {"plate", "1"}}) {
        const Checked scene("friction: 0.3",
            std::string("  - {name: wall, kind: obstacle, shape: {mesh: {file: ") + mesh + ".obj}}, position: [" + place
                + ", 0, 0]}\n" + thrown("sphere: 0.01", "[100, 0, 0]"),
            "{step: 0.02, end: 0.1}", folder.path());
        const Ran ran(scene, folder.path());
        if (mesh == std::string("sheet")) { // of which contact knows the side it came from
            EXPECT_EQ(ran.result.status, RunStatus::done);
            EXPECT_LT(ran.last("shot")[0], 1);
        } else {
            EXPECT_EQ(ran.result.status, RunStatus::failed) << mesh;
            EXPECT_TRUE(has(ran.said, "\"shot\" passes through \"wall\"")) << mesh << ran.said;
        }
    }
}

TEST(Passage, IsNotThatOfWhatIsFeltOrGoesThroughAHole)
{
    const std::string pole = "  - {name: wall, kind: obstacle, shape: {cylinder: {radius: 0.01, height: 2}}, position: "
                             "[1, 0.3, 0]}\n";
    const std::string ring = "  - {name: shot, kind: rigid, material: oak, shape: {torus: {major: 0.5, minor: 0.05}}, "
                             "position: [0.9, 0.3, 0], velocity: [9, 0, 0]}\n"; // about the pole
    for (const std::string& bodies :
        {wall + thrown("sphere: 0.1", "[5, 0, 0]"), pole + ring, wall + thrown("box: [0.2, 0.2, 0.2]", "[1, 0, 0]")}) {
        const Ran ran(Checked("friction: 0", bodies, "{step: 0.01, end: 0.03}"));
        EXPECT_EQ(ran.result.status, RunStatus::done) << bodies << ran.said;
    }
}

TEST(Passage, EndsAResumedRunAsOneThatWasNeverStopped)
{
    const Checked scene("friction: 0.3", floor_body + wall + thrown("sphere: 0.01", "[100, 0, 0]"),
        "{step: 0.008, end: 0.5}"); // in eighths of the second step: inside the wall after two of them
    const Ran whole(scene);
    const TemporaryFolder folder;
    for (const bool resume : {false, true}) {
        RunOptions options{.scene_folder = ".", .folder = folder.path(), .resume = resume};
        if (!resume)
            options.until = 0.01;
        const RunResult result = run_scene(scene.read.scene, scene.built.built, options, {});
        EXPECT_EQ(result.status, resume ? RunStatus::failed : RunStatus::done);
        if (resume) {
            EXPECT_EQ(result.state_hash, whole.result.state_hash);
        }
    }
}

const std::string slab = "  - {name: slab, kind: deformable, material: gum, resolution: RES, shape: {box: [0.6, 0.2, "
                         "0.6]}, position: [0, 0.1, 0]}\n";

std::string with_slab(const std::string& resolution, const std::string& more)
{
    std::string text = slab;
    return floor_body + text.replace(text.find("RES"), 3, resolution) + more;
}

/// 0.6 m wide and 0.1 m high, its underside at y = 0.09.
std::string hanging_slab(const std::string& resolution)
{
    return "  - {name: slab, kind: deformable, material: gum, resolution: " + resolution
        + ", shape: {box: [0.6, 0.1, 0.6]}, position: [0, 0.14, 0]}\n";
}

// A file's level set has no points of its own.
TEST(NarrowBodies, AreToldByTheirNamesAndSinkUnfelt)
{
    const TemporaryFolder folder;
    {
        std::ofstream out(folder.path() / "post.grid", std::ios::binary);
        build_grid_level_set(triangulate(Box{Vec3::Constant(0.06)}, 1), {.spacing = 0.005})->save(out);
    }
    const std::string post =
        "  - {name: post, kind: obstacle, shape: {level_set: {file: post.grid}}, position: [0.05, 0.05, 0.045]}\n";
    const Checked coarse(
        "friction: 0.5", post + hanging_slab("0.1"), "{step: 0.005, end: 0.2, frame: 0.05}", folder.path());
    EXPECT_TRUE(has(coarse.warnings(), "bodies.post.shape.level_set.file: is 0.06")) << coarse.warnings();
    EXPECT_TRUE(has(coarse.warnings(), " m wide, but the surface nodes of \"slab\" are 0.1 m")) << coarse.warnings();
    const Ran ran(coarse, folder.path());
    EXPECT_EQ(count_of(ran.said, "warning: \"post\" is "), 1u) << ran.said; // not at every step
    EXPECT_EQ(count_of(ran.said, "the worst: \"post\" is "), 1u) << ran.said;
    EXPECT_TRUE(has(ran.summary(), "deep in \\\"slab\\\"")) << ran.summary();
    EXPECT_TRUE(has(ran.summary(), "\"scene.yaml: warning: of the scene\"")) << ran.summary();
    EXPECT_EQ(
        Checked("friction: 0.5", post + hanging_slab("0.05"), "{step: 0.01, end: 0.5}", folder.path()).warnings(), "");
}

// A conveyor presses by its own corners and edges, as any other obstacle.
TEST(NarrowBodies, MayBeConveyors)
{
    const std::string belt = "  - {name: belt, kind: obstacle, shape: {box: [0.06, 0.06, 0.06]}, position: [0.05, "
                             "0.05, 0.045], motion: {surface_velocity: [0.1, 0, 0]}}\n";
    const Checked scene("friction: 0.5", belt + hanging_slab("0.1"), "{step: 0.005, end: 0.2, frame: 0.05}");
    EXPECT_EQ(scene.warnings(), "");
    const Ran ran(scene);
    EXPECT_EQ(count_of(ran.said, "deep in"), 0u) << ran.said;
}

TEST(NarrowBodies, WithPointsAndBallsAndWhatIsWideAndWhatPassesAreNot)
{
    for (const char* shape : {"sphere: 0.02", "box: [0.3, 0.02, 0.3]", "box: [0.02, 0.3, 0.02]",
             "cone: {radius: 0.02, height: 0.1}", "cylinder: {radius: 0.02, height: 0.1}",
             "capsule: {radius: 0.02, height: 0.1}", "torus: {major: 0.1, minor: 0.02}"})
        EXPECT_EQ(Checked("friction: 0.5",
                      with_slab("0.1",
                          std::string("  - {name: one, kind: rigid, material: oak, shape: {") + shape
                              + "}, position: [0, 0.4, 0]}\n"))
                      .warnings(),
            "")
            << shape;
    const std::string belt = "  - {name: one, kind: obstacle, shape: {box: [0.02, 0.3, 0.02]}, position: [0, 0.4, 0], "
                             "motion: {surface_velocity: [0, 0.1, 0]}}\n";
    EXPECT_EQ(Checked("pairs: [{bodies: [one, slab], enabled: false}]", with_slab("0.1", belt)).warnings(), "");
}

TEST(SoftOverlap, IsToldOfBodiesThatStartDeepInEachOther)
{
    const auto over = [](const std::string& height) {
        return "  - {name: gel, kind: deformable, material: gum, resolution: 0.05, shape: {box: [0.2, 0.2, 0.2]}, "
               "position: [0, 0.1, 0]}\n  - {name: jelly, kind: deformable, material: gum, resolution: 0.04, shape: "
               "{box: [0.2, 0.2, 0.2]}, position: [0.02, "
            + height + ", 0.01]}\n";
    };
    const std::string time = "{step: 0.005, end: 0.05, frame: 0.01}";
    const Ran deep(Checked("friction: 0.5", floor_body + over("0.22"), time));
    EXPECT_EQ(count_of(deep.said, "warning: \"jelly\" is 0.0"), 1u) << deep.said;
    EXPECT_TRUE(has(deep.said, "it started there or moved too far in a step")) << deep.said;
    EXPECT_EQ(Ran(Checked("friction: 0.5", floor_body + over("0.3"), time)).said, "");
    EXPECT_EQ(
        Ran(Checked("friction: 0.5, pairs: [{bodies: [gel, jelly], enabled: false}]", floor_body + over("0.22"), time))
            .said,
        "");
}

const std::string cube =
    "  - {name: cube, kind: rigid, material: oak, shape: {box: [0.2, 0.2, 0.2]}, position: [1, 0.1, 0]}\n";

TEST(Stiffness, ThatLetsBodiesSinkIsToldWithTheDepth)
{
    // 5.6 kg on four corners: 55 N / (4 k), a tenth of 0.2 m at k = 687 N/m.
    EXPECT_EQ(Checked("stiffness: 700", floor_body + cube).warnings(), "");
    const std::string said = Checked("stiffness: 600", floor_body + cube).warnings();
    EXPECT_TRUE(has(said, "contact.stiffness: \"cube\" sinks by 0.02289 m at rest")) << said;
    EXPECT_EQ(said.rfind("scene.yaml:3:", 0), 0u) << said;
    const Checked of_pair("pairs: [{bodies: [cube, floor], stiffness: 100}]", floor_body + cube);
    EXPECT_TRUE(has(of_pair.warnings(), "contact.pairs.stiffness: \"cube\" sinks by")) << of_pair.warnings();
    EXPECT_TRUE(has(Checked("stiffness: 1", with_slab("0.1", "")).warnings(), "\"slab\" sinks by"));
}

TEST(Stiffness, FarBeyondAutoIsTold)
{
    EXPECT_EQ(Checked("stiffness: 1.1e9", floor_body + cube).warnings(), ""); // auto: 1.12e6
    const std::string hard = Checked("stiffness: 1.2e9", floor_body + cube).warnings();
    EXPECT_TRUE(has(hard, "\"cube\": 1071 times the stiffness that `auto` gives")) << hard;
    const std::string harder = Checked("stiffness: 1e13", floor_body + cube).warnings();
    EXPECT_TRUE(has(harder, "rounding errors of its position")) << harder;
    EXPECT_EQ(Checked("stiffness: auto", floor_body + cube).warnings(), "");
}

/// Two upright cards, the edge of one across that of the other.
std::string crossing_cards(const std::string& up)
{
    return "  - {name: low, kind: obstacle, shape: {box: [0.001, 0.1, 0.06]}}\n"
           "  - {name: up, kind: rigid, material: oak, shape: {box: [0.06, 0.1, 0.001]}, "
        + up + "}\n";
}
const std::string resting = "position: [0.0131, 0.1005, 0.00917], fixed_dofs: [x, z, rx, ry, rz]";
const std::string too_fast = "position: [0.0131, 0.2, 0.00917], velocity: [0, -40, 0]"; // five cards high in a step

TEST(UnfeltOverlap, OfCardsThatPassTooFastIsToldByBothNames)
{
    const Ran ran(Checked("friction: 0.5", crossing_cards(too_fast), "{step: 0.01, end: 0.05, frame: 0.01}"));
    EXPECT_EQ(ran.result.status, RunStatus::done);
    EXPECT_TRUE(has(ran.said, "overlap by 0.0109 m undetected in a step of 0.01 s; retrying with half the step"))
        << ran.said;
    EXPECT_EQ(count_of(ran.said, ": warning: \"up\" and \"low\" overlap by "), 1u) << ran.said;
    // As they meet they are far deeper in one another than they are thick; of what follows the pair is not told twice.
    EXPECT_TRUE(has(ran.said, "where their deepest contact is 0.0152 m deep: more than the thinner one is thick"))
        << ran.said;
    EXPECT_TRUE(has(ran.summary(), "\\\"up\\\" and \\\"low\\\" overlap by ")) << ran.summary();
}

TEST(UnfeltOverlap, IsNoneOfEdgesThatCross)
{
    const std::string time = "{step: 0.002, end: 0.05, frame: 0.01}";
    const Ran boxes(Checked("friction: 0.5", crossing_cards(resting), time));
    EXPECT_EQ(boxes.said, "");
    EXPECT_NEAR(boxes.last("up")[1], 0.1, 1e-3);

    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "card.obj", obj_text(triangulate(Box{Vec3(0.06, 0.1, 0.001)}, 0.5)));
    std::string bodies = crossing_cards(resting);
    const std::string box = "box: [0.06, 0.1, 0.001]";
    bodies.replace(bodies.find(box), box.size(), "mesh: {file: card.obj}");
    const Ran meshes(Checked("friction: 0.5", bodies, time, folder.path()), folder.path());
    EXPECT_EQ(meshes.said, "");
    EXPECT_NEAR(meshes.last("up")[1], 0.1, 1e-3);
}

TEST(UnfeltOverlap, IsNotThatOfWhatIsFeltOrMayPass)
{
    const std::string tilted =
        "  - {name: tilted, kind: rigid, material: oak, shape: {box: [0.1, 0.1, 0.1]}, position: [0, "
        "0.051, 0], rotation: {axis: [1, 0.2, 0], degrees: 20}}\n";
    for (const char* contact : {"friction: 0.5", "friction: 0.5, stiffness: 50"}) { // to rest; and deep in the ground
        const Ran ran(Checked(contact, ground + tilted, "{step: 0.005, end: 1}"));
        EXPECT_FALSE(has(ran.said, "undetected") || has(ran.said, "moved too far")) << ran.said;
    }
    const Ran passing(
        Checked("pairs: [{bodies: [up, low], enabled: false}]", crossing_cards(resting), "{step: 0.002, end: 0.05}"));
    EXPECT_EQ(passing.said, "");
}

TEST(UnfeltOverlap, IsToldOnceByARunThatWasStopped)
{
    const Checked scene("friction: 0.5", crossing_cards(too_fast), "{step: 0.01, end: 0.05, frame: 0.01}");
    const Ran whole(scene);
    const TemporaryFolder folder;
    std::string said;
    RunListener listener;
    listener.message = [&](const std::string& line) { said += line + "\n"; };
    for (const bool resume : {false, true}) {
        RunOptions options{.scene_folder = ".", .folder = folder.path(), .resume = resume};
        if (!resume)
            options.until = 0.03;
        run_scene(scene.read.scene, scene.built.built, options, listener);
    }
    const std::string warning = ": warning: \"up\" and \"low\" overlap";
    EXPECT_EQ(count_of(said, warning), 1u) << said;
    EXPECT_EQ(said.substr(said.rfind(warning)), whole.said.substr(whole.said.rfind(warning)));
}

} // namespace
} // namespace stickslip::contact_limits_test
