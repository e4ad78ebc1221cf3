#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "support/finished_run.h"
#include "support/granular_scenes.h"
#include "support/temporary_folder.h"

#include "geometry/concave_meshes.h"

#include <fstream>
#include <iterator>

namespace stickslip::granular_trouble_test {
namespace {

/// What a run says on its way, and how it ends.
struct Told {
    RunStatus status = RunStatus::done;
    std::string words, summary;

    explicit Told(const GranularScene& scene, const std::filesystem::path& files = ".")
    {
        const TemporaryFolder folder;
        RunListener listener;
        listener.message = [&](const std::string& line) { words += line + "\n"; };
        status =
            run_scene(scene.scene, scene.built(), {.scene_folder = files, .folder = folder.path() / "out"}, listener)
                .status;
        std::ifstream in(folder.path() / "out" / "summary.json");
        summary.assign(std::istreambuf_iterator<char>(in), {});
    }
    bool has(const std::string& text) const { return words.find(text) != std::string::npos; }
};

const std::string heap = floor_body + filled_body("box: [0.1, 0.1, 0.1], count: 50", "radius: 0.008");

TEST(GranularTrouble, AStepTooLongIsAFailure)
{
    const GranularScene scene(heap, ".", "", "{step: 0.002, end: 0.5, frame: 0.05}");
    EXPECT_NE(format(scene.result.warnings).find("above the stability limit"), std::string::npos);
    const Told told(scene);
    EXPECT_EQ(told.status, RunStatus::failed);
    EXPECT_TRUE(told.has("energy balance violated") || told.has("of its radius in one step")) << told.words;
    EXPECT_EQ(Told(GranularScene(heap, ".", "", "{step: 1e-4, end: 0.5, frame: 0.05}")).status, RunStatus::done);
}

/// A ball of 1 kg and 1 m that swings in the tip of a funnel, 4 % deep.
TEST(GranularTrouble, EnergyFromNowhereIsToldBeforeItEndsTheRun)
{
    const TemporaryFolder folder;
    const auto swing = [&](int sides) {
        TriMesh funnel = cone_mesh(1, sides, 4);
        for (Vec3& p : funnel.vertices)
            p = Vec3(p.x(), p.z(), -p.y()); // upright along y
        write_file_atomically(folder.path() / "funnel.obj", obj_text(funnel));
        return Told(
            GranularScene("  - {name: funnel, kind: obstacle, shape: {mesh: {file: funnel.obj}}}\n"
                          "  - {name: ball, kind: spheres, material: spring, radius: 1, positions: [[0.03, 1.384, "
                          "0]], velocity: [0, 0, 0.1]}\n",
                folder.path(),
                "  spring: {density: 0.238732, kn: 50, restitution: 1}\n"
                "gravity: [0, -1, 0]\ncontact: {friction: 0}\noutput: {history: 0.02}\n",
                "{step: 0.0022, end: 20, frame: 20}"),
            folder.path());
    };
    const Told coarse = swing(48), fine = swing(192);
    EXPECT_EQ(coarse.words, "");
    EXPECT_EQ(fine.status, RunStatus::done) << fine.words;
    EXPECT_TRUE(fine.has("warning: energy balance violated by") && fine.has("% of the total input")) << fine.words;
}

/// What the wall gave by then is little, and off by a part of itself.
TEST(GranularTrouble, AWallThatComesToTouchBreaksNoBalance)
{
    const Told told(GranularScene(
        "  - {name: wall, kind: obstacle, material: hard, shape: {box: [0.1, 0.4, 0.4]}, position: [-0.1, 0, 0], "
        "motion: {velocity: [1, 0, 0]}}\n"
        "  - {name: ball, kind: spheres, material: hard, radius: 0.02, positions: [[0, 0, 0]]}\n",
        ".", "  hard: {density: 1000, young: 1.0e+7, poisson: 0.3, restitution: 1}\ngravity: [0, 0, 0]\n",
        "{step: auto, end: 0.05}"));
    EXPECT_EQ(told.words, "");
    EXPECT_EQ(told.summary.find("\"largest_energy_rise\": 0.0"), std::string::npos) << "it was not hit";
}

/// Damped beyond the critical, where the dashpot is faster than the spring.
TEST(GranularTrouble, AutomaticStepsServeAnyRestitution)
{
    const std::string sphere = "kind: spheres, material: lead, radius: 0.02, positions: [[X, 0, 0]]";
    const std::string box = "kind: rigid, material: lead, shape: {box: [0.04, 0.04, 0.04]}, position: [X, 0, 0]";
    const std::string clump =
        "kind: spheres, material: lead, positions: [[X, 0, 0]], clump: {positions: [[0, 0, 0], [0, "
        "0.02, 0]], radius: 0.02, orientation: aligned}";
    for (const std::string e : {"0.001", "0.003", "0.01", "0.03", "0.1", "0.2"}) {
        for (const std::string stiffness : {"kn: 1e5", "young: 1e7, poisson: 0.3"}) {
            for (const std::string safety : {"0.1", "0.2"}) {
                for (const std::string& body : {sphere, box, clump}) {
                    const auto at = [&](const std::string& x) {
                        std::string placed = body;
                        return placed.replace(placed.find('X'), 1, x);
                    };
                    const Told told(GranularScene(
                        "  - {name: a, " + at("0") + ", velocity: [1, 0, 0]}\n  - {name: b, " + at("0.05") + "}\n", ".",
                        "  lead: {density: 2500, " + stiffness + ", restitution: " + e + "}\ngravity: [0, 0, 0]\n",
                        "{step: auto, safety: " + safety + ", end: 0.04, frame: 0.04}"));
                    const std::string what = body + " " + e + " " + stiffness + " " + safety + ": " + told.words;
                    EXPECT_EQ(told.status, RunStatus::done) << what;
                    EXPECT_TRUE(told.words.empty() || safety == "0.2") << what; // a few % of one blow
                }
            }
        }
    }
}

TEST(GranularTrouble, ASphereFasterThanItsRadiusAStepIsAFailure)
{
    const std::string time = "{step: 1e-4, end: 0.01, frame: 0.005}";
    const auto at_speed = [&](const std::string& v) {
        return Told(GranularScene(floor_body
                + "  - {name: shot, kind: spheres, material: glass, radius: 0.01, positions: [[0, 5, 0]], velocity: ["
                + v + ", 0, 0]}\n",
            ".", "", time));
    };
    EXPECT_EQ(at_speed("90").status, RunStatus::done);
    const Told told = at_speed("110");
    EXPECT_EQ(told.status, RunStatus::failed);
    EXPECT_TRUE(told.has("sphere 0 moves 1.1 of its radius in one step of 0.0001 s")) << told.words;
}

TEST(GranularTrouble, ASphereThatGoesThroughAWallIsSeen)
{
    // m v^2 = kn R^2: the deepest is v sqrt(m / kn), of 0.01 m
    const auto at_speed = [](const std::string& v) {
        return Told(GranularScene(floor_body
            + "  - {name: shot, kind: spheres, material: glass, radius: 0.01, positions: [[0, 0.012, 0]], velocity: "
              "[0, -"
            + v + ", 0]}\n"));
    };
    const Told gentle = at_speed("3"), hard = at_speed("8"), through = at_speed("25");
    EXPECT_EQ(gentle.status, RunStatus::done);
    EXPECT_EQ(gentle.words, "");
    EXPECT_EQ(hard.status, RunStatus::done);
    EXPECT_TRUE(hard.has("warning: a sphere overlaps \"floor\" by 0.")) << hard.words;
    EXPECT_EQ(through.status, RunStatus::failed);
    EXPECT_TRUE(through.has("a sphere passed through the surface of \"floor\"")) << through.words;
}

/// k/m* and the gap of the centres when they meet, 2 R: they pass at v sqrt(m* / k) = 2 R, of 0.01 m.
TEST(GranularTrouble, SpheresThatGoThroughEachOtherAreSeen)
{
    const auto at_speed = [](const std::string& bodies, const std::string& v) {
        return Told(GranularScene(bodies + v + ", 0, 0]}\n", ".",
            "  soft: {density: 2500, kn: 1e4, restitution: 0.9}\ngravity: [0, 0, 0]\n",
            "{step: auto, end: 0.005, frame: 0.001}"));
    };
    const std::string grains =
        "  - {name: a, kind: spheres, material: soft, radius: 0.01, positions: [[0, 0, 0]]}\n"
        "  - {name: b, kind: spheres, material: soft, radius: 0.01, positions: [[-0.03, 0, 0]], velocity: [";
    const std::string balls =
        "  - {name: a, kind: rigid, material: soft, shape: {sphere: 0.01}}\n"
        "  - {name: b, kind: rigid, material: soft, shape: {sphere: 0.01}, position: [-0.03, 0, 0], "
        "velocity: [";
    for (const std::string& bodies : {grains, balls}) {
        const Told gentle = at_speed(bodies, "3"), hard = at_speed(bodies, "8"), through = at_speed(bodies, "60");
        EXPECT_EQ(gentle.status, RunStatus::done);
        EXPECT_EQ(gentle.words, "");
        EXPECT_EQ(gentle.summary.find("deepest_in_sphere"), std::string::npos);
        EXPECT_EQ(hard.status, RunStatus::done) << hard.words;
        EXPECT_TRUE(hard.has("warning: sphere 0 overlaps sphere 1 by 0.")
            && hard.has(" of the smaller radius and may pass through"))
            << hard.words;
        EXPECT_NE(hard.summary.find("\"deepest_in_sphere\": "), std::string::npos) << hard.summary;
        EXPECT_EQ(through.status, RunStatus::failed);
        EXPECT_TRUE(through.has("gave up: sphere 0 passed through sphere 1")) << through.words;
    }
}

TEST(GranularTrouble, ASphereThatCrossesTrianglesComesBackOrIsAFailure)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "sheet.obj", "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 3 2\nf 1 4 3\n");
    const auto at_speed = [&](const std::string& v) {
        return Told(GranularScene("  - {name: sheet, kind: obstacle, shape: {mesh: {file: sheet.obj}}}\n"
                                  "  - {name: shot, kind: spheres, material: glass, radius: 0.01, positions: [[0, "
                                  "0.012, 0]], velocity: [0, -"
                            + v + ", 0]}\nexpect: [{body: shot, metric: speed, axis: y, min: 1}]\n",
                        folder.path()),
            folder.path());
    };
    const Told back = at_speed("15"), through = at_speed("50");
    EXPECT_EQ(back.status, RunStatus::done) << back.words;
    EXPECT_TRUE(back.has("overlaps \"sheet\"") && back.has("may pass through")) << back.words;
    EXPECT_NE(back.summary.find("\"deepest_in_wall\": 1."), std::string::npos) << back.summary;
    EXPECT_NE(back.summary.find("warning: spheres overlapped a wall by up to 1."), std::string::npos) << back.summary;
    EXPECT_EQ(through.status, RunStatus::failed);
    EXPECT_TRUE(through.has("a sphere passed through the surface of \"sheet\"")) << through.words;
}

TEST(GranularTrouble, ASphereThatIsFarBehindASheetOrAcrossAThinBoxIsSeen)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "sheet.obj", "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 3 2\nf 1 4 3\n");
    for (const std::string shape : {"mesh: {file: sheet.obj}", "box: [2, 0.0002, 2]"}) {
        const Told told(
            GranularScene("  - {name: sheet, kind: obstacle, shape: {" + shape
                    + "}}\n  - {name: shot, kind: spheres, material: glass, radius: 0.01, positions: [[0.1, "
                      "0.03, 0.13]], velocity: [0, -50, 0]}\n",
                folder.path(), "", "{step: 1e-4, end: 0.005, frame: 0.005}"),
            folder.path());
        EXPECT_EQ(told.status, RunStatus::failed) << shape;
        EXPECT_TRUE(told.has("gave up: a sphere passed through the surface of \"sheet\"")) << shape << told.words;
    }
}

/// A box of 2.5 kg that flies onto a plate of 2 cm, and one onto its like; the plate is as soft as the box.
TEST(GranularTrouble, ABodyThatGoesThroughAnotherIsSeen)
{
    const std::string material = "  soft: {density: 2500, kn: 1e5, restitution: 0.5}\ngravity: [0, 0, 0]\n";
    const std::string box =
        "  - {name: box, kind: rigid, material: soft, shape: {box: [0.1, 0.1, 0.1]}, position: [0.013, "
        "0.2, 0.017], velocity: [0, -";
    const std::string plate = "  - {name: plate, kind: obstacle, material: soft, shape: {box: [0.5, 0.02, 0.5]}}\n";
    const std::string like = "  - {name: plate, kind: rigid, material: soft, shape: {box: [0.1, 0.1, 0.1]}}\n";
    const auto at_speed = [&](const std::string& other, const std::string& v, const std::string& step) {
        return Told(
            GranularScene(other + box + v + ", 0]}\n", ".", material, "{step: " + step + ", end: 0.06, frame: 0.01}"));
    };
    const Told gentle = at_speed(plate, "1", "1e-5"), hard = at_speed(plate, "5", "1e-5");
    EXPECT_EQ(gentle.status, RunStatus::done);
    EXPECT_EQ(gentle.words, "");
    EXPECT_EQ(hard.status, RunStatus::done) << hard.words;
    EXPECT_TRUE(hard.has("warning: \"box\" overlaps \"plate\" by 0.")
        && hard.has(" of half the thickness of the thinner one and may pass through"))
        << hard.words;
    EXPECT_NE(hard.summary.find("\"deepest_in_solid\": 0."), std::string::npos) << hard.summary;
    for (const Told& through : {at_speed(plate, "50", "1e-5"), at_speed(like, "100", "1e-5")}) {
        EXPECT_EQ(through.status, RunStatus::failed);
        EXPECT_TRUE(through.has("gave up: \"box\" passed through the surface of \"plate\"")
            || through.has("gave up: \"plate\" passed through the surface of \"box\""))
            << through.words;
    }
    const Told jump = at_speed(plate, "50", "1e-3");
    EXPECT_EQ(jump.status, RunStatus::failed);
    EXPECT_TRUE(jump.has("\"box\" moves 0.05 m into \"plate\" in one step of 0.001 s")) << jump.words;
    EXPECT_TRUE(at_speed(plate, "1e4", "1e-3").has(" in one step of 0.001 s, more than half the thickness"))
        << "beyond it in one step";
}

std::string faults_of(const std::string& bodies)
{
    const SceneResult read =
        read_scene_text("stickslip: 1\ntime: {step: auto, end: 1}\nsolver: {integration: explicit}\n"
                        "materials: {glass: {density: 2500, kn: 1e4}}\nbodies:\n"
                + bodies,
            "scene.yaml");
    return format(read.faults) + (read.good() ? format(build_world(read.scene, ".").faults) : "");
}

TEST(GranularTrouble, SpheresWithOneCentreAreRefused)
{
    EXPECT_NE(faults_of("  - {name: twice, kind: spheres, material: glass, radius: 0.01, positions: [[0, 0, 0], [1, 0, "
                        "0], [0, 0, 1e-9]]}\n")
                  .find("6:76: error: bodies.twice: 1 pair of spheres with the same centre"),
        std::string::npos)
        << faults_of("  - {name: twice, kind: spheres, material: glass, radius: 0.01, positions: [[0, 0, 0], [1, 0, "
                     "0], [0, 0, 1e-9]]}\n");
}

TEST(GranularTrouble, AnInletThatHoldsNothingIsToldAtTheInlet)
{
    const std::string filled =
        "  - {name: g, kind: spheres, material: glass, radius: 0.1, fill: {box: [1, 1, 1], count: "
        "2}, inlet: {box: [1, 0.1, 1], rate: 1}}\n";
    EXPECT_NE(faults_of(filled).find("bodies.g.inlet: the inlet's box is too small for a sphere of radius 0.1 m"),
        std::string::npos)
        << faults_of(filled);
}

} // namespace
} // namespace stickslip::granular_trouble_test
