#include "stickslip/scene/scene_difference.h"

#include "stickslip/build/scene_reader.h"

#include <gtest/gtest.h>

namespace stickslip::scene_difference_test {
namespace {

using Phrases = std::vector<std::string>;

Scene scene(const std::string& bodies, const std::string& more = "")
{
    const SceneResult read =
        read_scene_text("stickslip: 1\ntime: {step: 0.01, end: 0.1}\nmaterials: {oak: {density: 700}}\n" + more
                + "bodies:\n  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n" + bodies,
            "scene.yaml");
    EXPECT_EQ(format(read.faults), "");
    return read.scene;
}

std::string box(const std::string& name, const std::string& more = "")
{
    return "  - {name: " + name + ", kind: rigid, material: oak, shape: {box: [1, 1, 1]}, position: [0, 2, 0]" + more
        + "}\n";
}

TEST(SceneDifference, IsNoneOfTheSameScene)
{
    EXPECT_EQ(scene_differences(scene(box("a")), scene(box("a"))), Phrases{});
}

TEST(SceneDifference, NamesEachKeyWithBothValues)
{
    EXPECT_EQ(scene_differences(scene(box("a", ", velocity: [1, 0, 0]")),
                  scene(box("a", ", velocity: [2, 0, 0]"), "contact: {friction: 0.4}\n")),
        (Phrases{
            "`contact.friction`: was 0.3, is 0.4", "`bodies.a.velocity`: was [1.0, 0.0, 0.0], is [2.0, 0.0, 0.0]"}));
    EXPECT_EQ(scene_differences(scene(box("a")), scene(box("a", ", force: [0, 1, 0]"), "title: now\n")),
        (Phrases{"`title`: was \"\", is now", "`bodies.a.force`: was [0.0, 0.0, 0.0], is [0.0, 1.0, 0.0]"}));
}

TEST(SceneDifference, TellsItemsApartByTheirNames)
{
    EXPECT_EQ(scene_differences(scene(box("a") + box("b")), scene(box("b") + box("c"))),
        (Phrases{"`bodies.a` was removed", "`bodies.c` was added"}));
    EXPECT_EQ(scene_differences(scene(box("a") + box("b")), scene(box("b") + box("a"))),
        (Phrases{"`bodies`: the order is another"}));
}

TEST(SceneDifference, ShowsNoEndlessValues)
{
    std::string many = "[0, 0, 0]";
    for (int i = 1; i < 500; ++i)
        many += ", [" + std::to_string(i) + ", 0, 0]";
    const auto spheres = [&](const std::string& places) {
        return scene("  - {name: s, kind: spheres, material: oak, radius: 0.1, positions: [" + places + "]}\n");
    };
    for (const std::string& phrase : scene_differences(spheres("[0, 0, 0]"), spheres(many)))
        EXPECT_LT(phrase.size(), 200u) << phrase;
}

} // namespace
} // namespace stickslip::scene_difference_test
