#include <stickslip/stickslip.h>

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "support/extruded.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <string>

/// Circles of rings, cylinders and cones touch where their distance has a minimum along them. As a body rocks, minima
/// appear, vanish and leap from one end of a flat stretch to the other; the force does not, and every solve has a root.
namespace stickslip::lowest_places_test {
namespace {

struct Case {
    std::string name, obstacle, body;
    std::string step = "0.0166666667";
    double until = 2;
    std::string friction = "0.6";
};

void expect_no_failed_solve(const Case& on, const std::filesystem::path& folder = {})
{
    SCOPED_TRACE(on.name);
    Simulation simulation(
        scene_from_text("stickslip: 1\ntime: {step: " + on.step + ", end: 4}\ncontact: {friction: " + on.friction
                + "}\nmaterials: {oak: {density: 1000}}\nbodies:\n  - {name: floor, kind: "
                  "obstacle, shape: "
                + on.obstacle + "}\n  - {name: body, kind: rigid, material: oak, place_on: floor, shape: " + on.body
                + "}\n",
            {.folder = folder.string()}));
    int failed = 0;
    EXPECT_EQ(simulation.run(on.until, [&](const Simulation& after) { failed += after.report().failed_solves; }),
        RunStatus::done);
    EXPECT_EQ(failed, 0);
}

TEST(LowestPlaces, ARingUnderAFlatRoundEnd)
{
    expect_no_failed_solve({"disc tilts on a ring", "{torus: {major: 0.12, minor: 0.03}}",
        "{cylinder: {radius: 0.15, height: 0.03}}, position: [0, 1, 0], rotation: {axis: [0, 0, 1], degrees: 45}"});
}

TEST(LowestPlaces, ARingUnderTheCornersOfABox)
{
    expect_no_failed_solve({"box stands in a ring", "{torus: {major: 0.12, minor: 0.03}}",
        "{box: [0.12, 0.2, 0.2]}, position: [0, 1, 0]", "0.0166666667", 4});
}

TEST(LowestPlaces, ARingLaidOverACapsule)
{
    expect_no_failed_solve(
        {"ring over a capsule", "{capsule: {radius: 0.03424, height: 0.107}}, rotation: {axis: [1, 0, 0], degrees: 90}",
            "{torus: {major: 0.07438, minor: 0.03235}}, position: [0, 1, -0.0104], velocity: [0, -0.476, -0.24]",
            "0.00833333333", 1});
}

// It lies on the cap all round, and slips over to the side.
TEST(LowestPlaces, ARingOverTheCapOfACapsule)
{
    Simulation simulation(scene_from_text(
        "stickslip: 1\ntime: {step: 0.0166667, end: 1}\ncontact: {friction: 0.113}\nsolver: {audit: every}\n"
        "materials: {oak: {density: 700}}\nbodies:\n"
        "  - {name: still, kind: obstacle, shape: {capsule: {radius: 0.08699, height: 0.1127}}, rotation: {quaternion: "
        "[-0.041794, -0.418839, 0.317143, 0.849852]}}\n"
        "  - {name: laid, kind: rigid, material: oak, place_on: still, shape: {torus: {major: 0.0562, minor: "
        "0.02398}}, position: [0.00893, 1, -0.02196], rotation: {quaternion: [0.195953, -0.102749, -0.705878, "
        "-0.672891]}}\n"));
    EXPECT_EQ(simulation.run(0.6), RunStatus::done);
    for (const std::string& message : simulation.messages())
        EXPECT_EQ(message.find("overlap"), std::string::npos) << message;
}

TEST(LowestPlaces, AConeOnALogAsLongAsItIsWide)
{
    expect_no_failed_solve(
        {"cone on a log", "{cylinder: {radius: 0.08, height: 0.2}}, rotation: {axis: [1, 0, 0], degrees: 90}",
            "{cone: {radius: 0.1, height: 0.2}}, position: [0, 1, 0]"});
}

// It slides over the edges of the angle's faces; without friction, for nothing else brings it to rest.
TEST(LowestPlaces, ARingInAnAngleOfTriangles)
{
    const TemporaryFolder folder;
    const Corners section{{-0.1294, -0.1294}, {0.1294, -0.1294}, {0.1294, -0.07764}, {-0.07764, -0.07764},
        {-0.07764, 0.1294}, {-0.1294, 0.1294}};
    write_file_atomically(folder.path() / "angle.obj", obj_text(extruded(section, 0.2588)));
    expect_no_failed_solve({"ring in an angle", "{mesh: {file: angle.obj}}",
                               "{torus: {major: 0.03569, minor: 0.01006}}, position: [0.033354713234368116, 1, "
                               "-0.05303823201644053], rotation: {quaternion: [0.3180731945865832, "
                               "-0.9451530256858801, 0.04810520825541301, -0.05657817477627741]}, velocity: "
                               "[-0.46835628417145936, -0.09656244915296575, -0.0045914354084670705]",
                               "0.0166666667", 1, "0"},
        folder.path());
}

} // namespace
} // namespace stickslip::lowest_places_test
