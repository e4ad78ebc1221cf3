#include "stickslip/files/atomic_file.h"
#include "support/rigid_scenes.h"
#include "support/temporary_folder.h"

namespace stickslip::shared_places_test {
namespace {

std::string warnings(const std::string& bodies, const std::filesystem::path& folder = ".")
{
    const BuiltScene scene(bodies, folder);
    EXPECT_EQ(format(scene.result.faults), "");
    return format(scene.result.warnings);
}

constexpr const char* same = "no face separates them";

TEST(SharedPlaces, EqualBodiesInOnePlaceAreToldOnce)
{
    for (const std::string shape : {"box: [1, 1, 1]", "box: [1, 0.01, 1]", "cylinder: {radius: 0.3, height: 1}",
             "cone: {radius: 0.3, height: 1}", "torus: {major: 0.5, minor: 0.1}",
             "rounded_box: {size: [1, 1, 1], radius: 0.1}", "sphere: 0.5", "capsule: {radius: 0.2, height: 1}"}) {
        const std::string said = warnings(rigid_body("one", shape) + rigid_body("two", shape));
        EXPECT_NE(said.find("bodies.two.position: "), std::string::npos) << shape << said;
        EXPECT_NE(said.find("\"one\""), std::string::npos) << said;
        EXPECT_EQ(said.find("warning", said.find("warning") + 1), std::string::npos) << said;
    }
}

TEST(SharedPlaces, DeformableBodiesInOnePlaceAreTold)
{
    const auto soft = [](const std::string& name, const std::string& x) {
        return "  - {name: " + name
            + ", kind: deformable, material: gum, shape: {box: [1, 1, 1]}, resolution: 0.5, position: [" + x
            + ", 0, 0]}\n";
    };
    for (const std::string x : {"0", "0.001", "0.05", "0.4"}) {
        const std::string said = warnings(soft("one", "0") + soft("two", x));
        EXPECT_NE(said.find("bodies.one.position: "), std::string::npos) << x << said;
        EXPECT_NE(said.find("overlaps \"two\""), std::string::npos) << said;
    }
    EXPECT_EQ(warnings(soft("one", "0") + soft("two", "1")), "") << "they touch";
    EXPECT_EQ(warnings(soft("one", "0") + soft("two", "0.99")), "") << "contact pushes them apart";
    EXPECT_NE(warnings(soft("one", "0") + rigid_body("two", "box: [1, 1, 1]")).find("\"two\""), std::string::npos);
}

TEST(SharedPlaces, SaysHowWideTheCommonPlaceIs)
{
    const std::string said = warnings(rigid_body("one", "cylinder: {radius: 0.5, height: 1}")
        + rigid_body("two", "cylinder: {radius: 0.5, height: 1}"));
    EXPECT_NE(said.find("a ball 0.7643 m wide fits into both"), std::string::npos) << said; // by a lattice of six
    EXPECT_EQ(said.rfind("scene.yaml:8:", 0), 0u) << said; // the body's line, where it says no position
}

TEST(SharedPlaces, ABodyWhollyInsideAnotherIsTold)
{
    for (const std::string shape : {"box: [0.1, 0.1, 0.1]", "cylinder: {radius: 0.05, height: 0.1}", "sphere: 0.05",
             "torus: {major: 0.1, minor: 0.02}"}) {
        const std::string small = rigid_body("small", shape, "position: [0.11, 0.07, 0.03]");
        const std::string in_rigid = warnings(rigid_body("large", "box: [1, 1, 1]") + small);
        EXPECT_NE(in_rigid.find("bodies.small.position: starts in"), std::string::npos) << shape << in_rigid;
        const std::string in_obstacle =
            warnings("  - {name: large, kind: obstacle, shape: {box: [1, 1, 1]}}\n" + small);
        EXPECT_NE(in_obstacle.find("bodies.small.position: starts in"), std::string::npos) << shape << in_obstacle;
    }
}

TEST(SharedPlaces, MeshesAreTold)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "w.obj", wedge_obj());
    const std::string wedge = "mesh: {file: w.obj}";
    EXPECT_NE(warnings(rigid_body("one", wedge) + rigid_body("two", wedge), folder.path()).find("starts in"),
        std::string::npos);
    EXPECT_NE(warnings(rigid_body("one", "mesh: {file: w.obj, spacing: 0.05}")
                      + rigid_body("two", "mesh: {file: w.obj, spacing: 0.05}"),
                  folder.path())
                  .find("starts in"),
        std::string::npos);
}

TEST(SharedPlaces, WhatTouchesOrSinksALittleIsNot)
{
    const std::string cube = "box: [1, 1, 1]";
    for (const char* place : {"[1, 0, 0]", "[1, 0.3, 0.2]", "[1, 1, 0]", "[1, 1, 1]", "[0, 0.95, 0]", "[1.2, 0, 0]"})
        EXPECT_EQ(
            warnings(rigid_body("one", cube) + rigid_body("two", cube, std::string("position: ") + place)).find(same),
            std::string::npos)
            << place;
    EXPECT_EQ(warnings(rigid_body("ring", "torus: {major: 0.5, minor: 0.1}")
                  + rigid_body("pin", "cylinder: {radius: 0.3, height: 1}")),
        ""); // through the ring
}

TEST(SharedPlaces, WhatAScriptBringsNearInTheFirstStepIsNot)
{
    // by 0.05 m a step: 0.0386 m deep in the block after the first
    const std::string piston = "  - {name: piston, kind: obstacle, shape: {cylinder: {radius: 0.1, height: 0.1}}, "
                               "position: [0, 0.1614, 0], motion: {velocity: [0, -5, 0]}}\n";
    EXPECT_EQ(warnings(piston + rigid_body("block", "box: [0.2, 0.1, 0.2]", "position: [0, 0.05, 0]")).find("starts"),
        std::string::npos);
    // one that is inside is told as deep as it is, wherever it is going
    const std::string said = warnings(piston + rigid_body("block", "box: [0.2, 0.1, 0.2]", "position: [0, 0.0644, 0]"));
    EXPECT_NE(said.find("starts inside \"piston\""), std::string::npos) << said;
    EXPECT_NE(said.find("the deepest 0.003 m"), std::string::npos) << said;
}

TEST(SharedPlaces, PairsThatDoNotMeetAreNot)
{
    const std::string one = rigid_body("one", "box: [1, 1, 1]", "collides_with: [other]");
    const std::string two = rigid_body("two", "box: [1, 1, 1]");
    const std::string other = rigid_body("other", "box: [1, 1, 1]", "position: [9, 0, 0]");
    EXPECT_EQ(warnings(one + two + other).find("starts"), std::string::npos);
}

} // namespace
} // namespace stickslip::shared_places_test
