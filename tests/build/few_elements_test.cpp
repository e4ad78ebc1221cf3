#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace stickslip::few_elements_test {
namespace {

/// What is said of the elements of a body; empty: nothing.
std::string told(const std::string& shape, double resolution)
{
    const SceneResult read = read_scene_text("stickslip: 1\ntime: {step: 0.01, end: 1}\nmaterials:\n"
                                             "  gum: {density: 900, young: 1e5, poisson: 0.3}\nbodies:\n"
                                             "  - {name: a, kind: deformable, material: gum, shape: {"
            + shape + "}, resolution: " + std::to_string(resolution) + "}\n",
        "scene.yaml");
    EXPECT_EQ(format(read.faults), "");
    const BuildResult result = build_world(read.scene, ".");
    EXPECT_EQ(format(result.faults), "");
    EXPECT_EQ(format(result.warnings), "");
    for (const std::string& note : result.built.notes)
        if (const std::size_t at = note.find(" across the thinnest extent"); at != std::string::npos)
            return note.substr(note.rfind(", ", at) + 2);
    return "";
}

TEST(FewElements, AreToldOfSlenderBodies)
{
    const std::string beam = "box: [0.4, 0.04, 0.04]";
    EXPECT_EQ(told(beam, 0.04),
        "1 element across the thinnest extent of 0.04 m, where a beam bends a third as far as it should (4: nine "
        "tenths)");
    EXPECT_EQ(told(beam, 0.02),
        "2 elements across the thinnest extent of 0.04 m, where a beam bends two thirds as far as it should (4: nine "
        "tenths)");
    EXPECT_EQ(told(beam, 0.04 / 3), "");
    EXPECT_NE(told("box: [0.4, 0.004, 0.4]", 0.1), "");
    EXPECT_NE(told("capsule: {radius: 0.02, height: 0.3}", 0.02), "");
    EXPECT_NE(told("torus: {major: 0.2, minor: 0.02}", 0.02), "");
    EXPECT_EQ(told("torus: {major: 0.2, minor: 0.06}", 0.04), "");
    EXPECT_EQ(told("box: [0.1, 0.1, 0.1]", 0.1), "") << "hardly bends";
    EXPECT_EQ(told("box: [0.1, 0.05, 0.1]", 0.05), "") << "hardly bends";
}

} // namespace
} // namespace stickslip::few_elements_test
