#include "stickslip/world/audit/overlap_audit.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/geometry/solids/separating_axes.h"
#include "stickslip/simulation/run_watch.h"
#include "stickslip/world/time_step.h"

#include "geometry/closed_meshes.h"
#include "support/finished_run.h"
#include "support/numeric.h"
#include "support/temporary_folder.h"
#include "support/threads.h"

namespace stickslip::overlap_audit_test {
namespace {

std::string rigid(const std::string& name, const std::string& shape, const std::string& more)
{
    return "  - {name: " + name + ", kind: rigid, material: oak, shape: {" + shape + "}, " + more + "}\n";
}

std::string soft(const std::string& name, const std::string& shape, double resolution, const std::string& more)
{
    return "  - {name: " + name + ", kind: deformable, material: gum, shape: {" + shape
        + "}, resolution: " + std::to_string(resolution) + ", " + more + "}\n";
}

std::string obstacle(const std::string& name, const std::string& shape, const std::string& more = "position: [0, 0, 0]")
{
    return "  - {name: " + name + ", kind: obstacle, shape: {" + shape + "}, " + more + "}\n";
}

/// Bodies, stepped or looked at where they are placed.
struct Placed {
    SceneResult read;
    BuildResult result;
    State state;

    explicit Placed(
        const std::string& bodies, const std::string& contact = "{}", const std::filesystem::path& files = ".")
        : read(read_scene_text("stickslip: 1\ntime: {step: 0.01, end: 1}\ncontact: " + contact
                + "\nmaterials:\n  oak: {density: 700}\n  gum: {density: 900, young: 1e5, poisson: 0.3}\nbodies:\n"
                + bodies,
            "scene.yaml"))
    {
        EXPECT_EQ(format(read.faults), "");
        result = build_world(read.scene, files);
        EXPECT_EQ(format(result.faults), "");
        state = result.built.state;
    }
    const World& world() const { return result.built.world; }
    void run(double until)
    {
        TimeStepper stepper(world(), result.built.options);
        while (state.time < until - 1e-9)
            ASSERT_TRUE(stepper.step(state).done);
    }
    std::vector<BodyOverlap> overlaps() const { return OverlapAudit(world()).look(state); }
    std::vector<BodyOverlap> passing() const
    {
        OverlapAudit audit(world());
        std::vector<BodyOverlap> found = audit.look(state);
        std::erase_if(found, [&](const BodyOverlap& o) { return !audit.pass_through(o); });
        return found;
    }
};

TEST(OverlapAudit, OfBoxesIsThatOfSeparatingAxes)
{
    const Placed cubes(
        rigid("a", "box: [0.2, 0.2, 0.2]", "position: [0, 0, 0], rotation: {axis: [0, 0, 1], degrees: 45}")
        + rigid("b", "box: [0.2, 0.2, 0.2]", "position: [0.013, 0.25, 0.02], rotation: {axis: [1, 0, 0], degrees: 45}")
        + rigid("far", "box: [0.2, 0.2, 0.2]", "position: [0, 5, 0]"));
    const std::vector<BodyOverlap> found = cubes.overlaps();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(std::pair(found[0].body, found[0].other), std::pair(0, 1));
    EXPECT_NEAR(found[0].depth, 0.2 * std::numbers::sqrt2 - 0.25, 1e-12); // edge across edge
    EXPECT_EQ(found[0].felt, 0);
    EXPECT_LT((found[0].place - Vec3(0.01, 0.125, 0.01)).norm(), 0.02);
    EXPECT_EQ(cubes.passing().size(), 1u);
}

TEST(OverlapAudit, OfWhatTouchesIsNone)
{
    for (const std::string& bodies :
        {
            rigid("a", "box: [0.2, 0.2, 0.2]", "position: [0, 0, 0]")
                + rigid("b", "box: [0.2, 0.2, 0.2]", "position: [0.2, 0.05, 0]"),
            soft("a", "box: [0.2, 0.2, 0.2]", 0.1, "position: [0, 0, 0]")
                + soft("b", "box: [0.2, 0.2, 0.2]", 0.05, "position: [0, 0.2, 0]"),
            soft("a", "box: [0.2, 0.2, 0.2]", 0.1, "position: [0, 0, 0]")
                + rigid("b", "box: [0.3, 0.2, 0.3]", "position: [0, 0.2, 0]"),
            obstacle("a", "plane: {normal: [0, 1, 0]}") + soft("b", "sphere: 0.1", 0.05, "position: [0, 0.1000001, 0]"),
            rigid("a", "sphere: 0.1", "position: [0, 0, 0]")
                + rigid("b", "cylinder: {radius: 0.1, height: 0.2}", "position: [0, 0.2000001, 0]"),
            rigid("a", "torus: {major: 0.1, minor: 0.02}", "position: [0, 0, 0]")
                + rigid("b", "torus: {major: 0.1, minor: 0.02}",
                    "position: [0.1, 0, 0], rotation: {axis: [1, 0, 0], degrees: 90}"), // linked
        })
        EXPECT_TRUE(Placed(bodies).overlaps().empty() || Placed(bodies).overlaps()[0].depth < 1e-12)
            << bodies << Placed(bodies).overlaps()[0].depth;
}

TEST(OverlapAudit, OfRoundBodiesIsByTheirRoundness)
{
    const auto depth = [](const std::string& bodies) {
        const std::vector<BodyOverlap> found = Placed(bodies).overlaps();
        return found.empty() ? 0.0 : found[0].depth;
    };
    const std::string ball = rigid("ball", "sphere: 0.1", "position: [0, 0, 0]");
    EXPECT_NEAR(depth(ball + rigid("other", "sphere: 0.05", "position: [0, 0.14, 0]")), 0.01, 1e-12);
    EXPECT_NEAR(depth(ball + obstacle("floor", "plane: {normal: [0, 1, 0]}", "position: [0, -0.09, 0]")), 0.01, 1e-12);
    EXPECT_NEAR(depth(ball + obstacle("wall", "box: [0.01, 1, 1]", "position: [0.1, 0, 0]")), 0.005, 1e-12);
    EXPECT_NEAR(depth(ball + obstacle("wall", "box: [0.01, 1, 1]")), 0.105, 1e-12); // half through it
    EXPECT_NEAR(
        depth(ball + rigid("can", "cylinder: {radius: 0.1, height: 1}", "position: [0.19, 0, 0]")), 0.01, 1e-12);
    EXPECT_NEAR(depth(ball + soft("block", "box: [0.4, 0.2, 0.4]", 0.1, "position: [0.02, -0.19, 0.01]")), 0.01, 1e-12);
    EXPECT_NEAR(depth(rigid("can", "cylinder: {radius: 0.1, height: 1}", "position: [0, 0, 0]")
                    + rigid("other", "cylinder: {radius: 0.1, height: 1}", "position: [0.19, 0.3, 0]")),
        0.01, 7e-4); // twice the sagitta of edges of 0.15 r, which is 0.3 % of r
}

TEST(OverlapAudit, OfDeformableBodiesNamesTheTrianglesThatCut)
{
    const Placed cubes(soft("a", "box: [0.2, 0.2, 0.2]", 0.1, "position: [0, 0, 0]")
        + soft("b", "box: [0.1, 0.1, 0.1]", 0.05, "position: [0.01, 0.13, 0.02]"));
    const std::vector<BodyOverlap> found = cubes.overlaps();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].depth, 0.02, 1e-12);
    EXPECT_NEAR(found[0].place.y(), 0.09, 0.02);
    EXPECT_GT(found[0].crossings, 4);
    const DeformableSet& set = cubes.world().deformables;
    for (const int b : {0, 1}) {
        ASSERT_GE(found[0].triangles[b], 0);
        double low = infinity, high = -infinity;
        for (const int i : set.triangles[set.bodies[b].triangles.begin + found[0].triangles[b]]) {
            low = std::min(low, cubes.state.x[i].y());
            high = std::max(high, cubes.state.x[i].y());
        }
        EXPECT_LE(low, 0.1 + 1e-12);
        EXPECT_GE(high, 0.08 - 1e-12);
    }
    EXPECT_EQ(cubes.passing().size(), 1u);
    // Deep inside nothing cuts: a ball well inside tells, 0.038 m of it, from where it is.
    const Placed inside(soft("a", "box: [0.4, 0.4, 0.4]", 0.1, "position: [0, 0, 0]")
        + soft("b", "box: [0.1, 0.1, 0.1]", 0.05, "position: [0, 0, 0]"));
    ASSERT_EQ(inside.overlaps().size(), 1u);
    EXPECT_GT(inside.overlaps()[0].depth, 0.2);
    EXPECT_LE(inside.overlaps()[0].depth, 0.25) << "that parts them";
    EXPECT_EQ(inside.overlaps()[0].crossings, 0);
}

// Surfaces that coincide do not cross, and have no vertex in the other.
TEST(OverlapAudit, SeesBodiesInOneAndTheSamePlace)
{
    const std::string at = "position: [0.3, 0.2, 0.1]";
    const auto twice = [&](const auto& body) { return Placed(body("a", at) + body("b", at)); };
    const auto expect_deep = [](const Placed& placed, double least) {
        const std::vector<BodyOverlap> found = placed.passing();
        ASSERT_EQ(found.size(), 1u);
        EXPECT_GT(found[0].depth, least);
    };
    for (const std::string shape : {"box: [0.1, 0.1, 0.1]", "sphere: 0.05", "cylinder: {radius: 0.05, height: 0.1}"}) {
        SCOPED_TRACE(shape);
        expect_deep(
            twice([&](const char* name, const std::string& more) { return soft(name, shape, 0.03, more); }), 0.06);
        expect_deep(twice([&](const char* name, const std::string& more) { return rigid(name, shape, more); }), 0.09);
        expect_deep(Placed(soft("a", shape, 0.03, at) + obstacle("b", shape, at)), 0.06);
    }
    const std::string ring = "torus: {major: 0.1, minor: 0.02}";
    expect_deep(twice([&](const char* name, const std::string& more) { return rigid(name, ring, more); }), 0.02);
    // a hair apart, nearly all of it is overlap
    expect_deep(
        Placed(soft("a", "sphere: 0.1", 0.05, at) + soft("b", "sphere: 0.1", 0.05, "position: [0.305, 0.2, 0.1]")),
        0.12);
}

TEST(OverlapAudit, SeesThinSheetsThatCrossBetweenTheirNodes)
{
    // Neither has a node in the other.
    const Placed sheets(soft("a", "box: [0.4, 0.004, 0.4]", 0.1, "position: [0, 0, 0]")
        + soft("b", "box: [0.004, 0.4, 0.4]", 0.1, "position: [0.023, 0.031, 0.012]"));
    const std::vector<BodyOverlap> found = sheets.passing();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_GT(found[0].depth, 0.004);
    EXPECT_GT(found[0].crossings, 8);
    const Placed cards(rigid("up", "box: [0.06, 0.1, 0.001]", "position: [0, 0, 0]")
        + rigid("low", "box: [0.001, 0.1, 0.06]", "position: [0.01, 0.05, 0.003]"));
    ASSERT_EQ(cards.passing().size(), 1u);
    EXPECT_NEAR(cards.passing()[0].depth, 0.0205, 1e-12);
}

/// A ball in a mesh whose parts share an edge.
Placed ball_in_parts(const std::filesystem::path& folder)
{
    write_file_atomically(folder / "parts.obj", obj_text(two_cubes(0.2, Vec3(0.2, 0.2, 0))));
    return Placed(rigid("parts", "mesh: {file: parts.obj}", "position: [0, 0, 0]")
            + rigid("ball", "sphere: 0.02", "position: [0.2, 0.2, 0.01]"),
        "{}", folder);
}

TEST(OverlapAudit, LooksIntoMeshesWhosePartsTouch)
{
    const TemporaryFolder folder;
    const std::vector<BodyOverlap> found = ball_in_parts(folder.path()).overlaps();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].depth, 0.09 + 0.02, 1e-12);
}

TEST(OverlapAudit, NamesWhatItCannotLookAt)
{
    const TemporaryFolder folder;
    Placed placed = ball_in_parts(folder.path());
    World& world = placed.result.built.world;
    ASSERT_TRUE(world.rigids[0].by_triangles);
    world.rigids[0].triangles = std::make_shared<const TriangulatedSurface>(TriMesh(), EdgeRule::smooth);
    RunWatch watch(world, placed.state, placed.read.scene.time, AuditedFrames::last);
    RunTotals totals;
    std::vector<std::string> said;
    const Say say = [&](const std::string& line) { said.push_back(line); };
    watch.look_at_last(placed.state, totals, say);
    watch.tell_worst(totals, say, say);
    EXPECT_EQ(totals.audit.looks, 1);
    EXPECT_EQ(said,
        (std::vector<std::string>{
            "warning: the audit leaves out \"parts\": mesh does not enclose a solid: it has no triangles"}));
}

TEST(OverlapAudit, OfABodyWithItselfNeedsContactWithItself)
{
    const std::string bar = soft("bar", "box: [0.6, 0.05, 0.05]", 0.05, "position: [0, 0, 0]");
    for (const bool self : {false, true}) {
        Placed placed(bar, self ? "{self: true}" : "{}");
        EXPECT_TRUE(placed.overlaps().empty());
        for (Vec3& x : placed.state.x) { // both ends bent up, until they cross
            const double angle = 1.1 * std::numbers::pi * x.x() / 0.3,
                         r = 0.3 / (1.1 * std::numbers::pi) + x.y() + 0.03 * x.x();
            x = Vec3(r * std::sin(angle), r * std::cos(angle), x.z() + 0.02 * x.x());
        }
        EXPECT_EQ(placed.passing().size(), self ? 1u : 0u);
        for (const BodyOverlap& o : placed.passing())
            EXPECT_EQ(o.body, o.other);
    }
}

TEST(OverlapAudit, OfBodiesAtRestIsWhatTheirContactsFeel)
{
    for (const std::string& bodies : {
             rigid("a", "box: [0.2, 0.2, 0.2]", "position: [0, 0.1, 0]")
                 + rigid("b", "box: [0.3, 0.1, 0.2]", "position: [0.05, 0.25, 0.03]"),
             soft("a", "box: [0.2, 0.2, 0.2]", 0.1, "position: [0, 0.1, 0]")
                 + soft("b", "box: [0.1, 0.1, 0.1]", 0.05, "position: [0.02, 0.25, 0.03]"),
             soft("a", "box: [0.3, 0.1, 0.3]", 0.1, "position: [0, 0.05, 0]")
                 + rigid("b", "sphere: 0.05", "position: [0.02, 0.15, 0.01]"),
             rigid("a", "cylinder: {radius: 0.1, height: 0.2}", "position: [0, 0.1, 0]")
                 + rigid("b", "box: [0.1, 0.1, 0.1]", "position: [0.02, 0.25, 0.03]"),
         }) {
        Placed placed(bodies + obstacle("floor", "plane: {normal: [0, 1, 0]}"), "{friction: 0.5}");
        placed.run(0.3);
        const std::vector<BodyOverlap> found = placed.overlaps();
        EXPECT_EQ(found.size(), 2u) << bodies; // on the floor, and on each other
        for (const BodyOverlap& o : found) {
            EXPECT_GT(o.depth, 1e-6) << bodies;
            EXPECT_LT(o.depth, 1.5 * o.felt)
                << bodies; // corners of soft bodies are deeper than the points in triangles
        }
        EXPECT_TRUE(placed.passing().empty()) << bodies;
    }
}

TEST(OverlapAudit, OfMeshesIsByTheirTriangles)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "ring.obj", obj_text(triangulate(Torus{0.1, 0.02}, 0.01)));
    const auto ring = [](const std::string& name, const std::string& geometry, const std::string& more) {
        return "  - {name: " + name + ", kind: rigid, material: oak, shape: {mesh: {file: ring.obj}}, " + geometry
            + more + "}\n";
    };
    for (const char* geometry : {"contact_geometry: mesh, ", ""}) {
        const auto found = [&](const std::string& x) {
            return Placed(ring("a", geometry, "position: [0, 0, 0]")
                    + ring("b", geometry, "position: [" + x + ", 0, 0], rotation: {axis: [1, 0, 0], degrees: 90}"),
                "{}", folder.path())
                .overlaps();
        };
        EXPECT_TRUE(found("0.1").empty()) << geometry; // linked
        ASSERT_EQ(found("0.165").size(), 1u) << geometry; // tube in tube
        EXPECT_NEAR(found("0.165")[0].depth, 0.005, 2e-3) << geometry;
    }
}

TEST(OverlapAudit, IsTheSameForAnyNumberOfThreads)
{
    std::string bodies = obstacle("floor", "plane: {normal: [0, 1, 0]}");
    for (int i = 0; i < 6; ++i)
        bodies += soft("ball" + std::to_string(i), "sphere: 0.1", 0.03,
            "position: [" + std::to_string(0.15 * i) + ", " + std::to_string(0.09 + 0.01 * i) + ", 0]");
    const Placed placed(bodies);
    const auto look = [&](std::size_t threads) {
        const ThreadLimit limit(threads);
        return placed.overlaps();
    };
    const std::vector<BodyOverlap> one = look(1), many = look(8);
    ASSERT_EQ(one.size(), many.size());
    EXPECT_GT(one.size(), 5u);
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(std::tuple(one[i].body, one[i].other, one[i].depth, one[i].crossings),
            std::tuple(many[i].body, many[i].other, many[i].depth, many[i].crossings));
        EXPECT_EQ(one[i].place, many[i].place);
        EXPECT_EQ(one[i].triangles, many[i].triangles);
    }
}

TEST(OverlapAudit, LeavesOutPairsThatMayNotTouch)
{
    const std::string two = soft("a", "box: [0.2, 0.2, 0.2]", 0.1, "position: [0, 0, 0]")
        + soft("b", "box: [0.2, 0.2, 0.2]", 0.1, "position: [0.1, 0.1, 0]");
    EXPECT_EQ(Placed(two).overlaps().size(), 1u);
    EXPECT_TRUE(Placed(two, "{pairs: [{bodies: [a, b], enabled: false}]}").overlaps().empty());
}

/// Two soft cubes that start in each other, where contact does not part them; what a run says of it.
struct AuditedRun {
    TemporaryFolder folder;
    std::string said;
    RunResult result;

    explicit AuditedRun(const std::string& audit, const std::string& expect = "[{metric: passing, max: 0}]")
    {
        const SceneResult read = read_scene_text(
            "stickslip: 1\ngravity: [0, 0, 0]\ntime: {step: 0.01, end: 0.1, frame: 0.02}\nsolver: {audit: " + audit
                + "}\nmaterials:\n  gum: {density: 900, young: 1e5, poisson: 0.3}\nexpect: " + expect + "\nbodies:\n"
                + soft("a", "box: [0.2, 0.2, 0.2]", 0.1, "position: [0, 0, 0]")
                + soft("b", "box: [0.2, 0.2, 0.2]", 0.1, "position: [0.16, 0, 0]"),
            "scene.yaml");
        EXPECT_EQ(format(read.faults), "");
        const BuildResult built = build_world(read.scene, ".");
        EXPECT_EQ(format(built.faults), "");
        result = run_scene(read.scene, built.built, {.scene_folder = ".", .folder = folder.path()},
            {.progress = {}, .message = [&](const std::string& line) { said += line + "\n"; }, .note = {}});
    }
    bool summary_has(const std::string& part) const
    {
        return read_file(folder.path() / "summary.json").find(part) != std::string::npos;
    }
};

TEST(AuditedRun, NamesBodiesThatPassThroughEachOtherAndFails)
{
    for (const auto& [audit, looks] : {std::pair("final", 1), {"every", 5}}) {
        const AuditedRun run(audit);
        EXPECT_NE(run.said.find("\"a\" and \"b\" overlap by 0.04 m, where they have no contact: they pass through each "
                                "other at ("),
            std::string::npos)
            << run.said;
        EXPECT_FALSE(run.result.expectations_hold()) << audit;
        EXPECT_NEAR(run.result.expect[0].value[0], 1, 0);
        EXPECT_EQ(run.result.totals.audit.looks, looks);
        EXPECT_NEAR(run.result.totals.audit.deepest, 0.04, 1e-6);
        EXPECT_TRUE(run.summary_has("\"passing\": [\n    {\n      \"bodies\": [\n        \"a\",\n        \"b\"\n"));
    }
}

TEST(AuditedRun, SaysNothingWhereItDoesNotLook)
{
    const AuditedRun run("off");
    EXPECT_EQ(run.said, "");
    EXPECT_TRUE(run.result.expectations_hold());
    EXPECT_TRUE(run.summary_has("\"audited_states\": 0") && run.summary_has("\"passing\": []"));
    EXPECT_TRUE(run.summary_has("\"max_penetration\": 0.0"));
}

TEST(AuditedRun, BoundsMaxPenetrationByTheOverlapOfBodies)
{
    const AuditedRun run("final",
        "[{metric: max_penetration, max: 0.03}, {metric: max_contact_depth, max: 0.03}, "
        "{body: b, metric: max_penetration, max: 0.05}, {body: b, metric: passing, min: 1}]");
    std::vector<bool> held;
    for (const ExpectationResult& e : run.result.expect)
        held.push_back(e.holds);
    EXPECT_EQ(held, (std::vector<bool>{false, true, true, true}));
    EXPECT_NEAR(run.result.expect[0].value[0], 0.04, 1e-6);
}

} // namespace
} // namespace stickslip::overlap_audit_test
