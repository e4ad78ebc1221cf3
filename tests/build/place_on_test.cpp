#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"

#include <gtest/gtest.h>

namespace stickslip::place_on_test {
namespace {

const std::string head = R"(stickslip: 1
time: {step: 0.01, end: 1.0}
contact: {friction: 0.4}
materials: {rubber: {density: 1000, young: 1.0e6, poisson: 0.3}}
bodies:
  - {name: slope, kind: obstacle, shape: {plane: {normal: [0.6, 0.8, 0]}}, position: [0, 0.1, 0]}
  - {name: floor, kind: obstacle, shape: {box: [4, 0.2, 4]}, position: [0, -0.1, 0]}
  - {name: ring, kind: obstacle, shape: {torus: {major: 0.5, minor: 0.1}}, place_on: floor}
)";

Scene scene_with(const std::string& bodies)
{
    SceneResult result = read_scene_text(head + bodies, "test.yaml");
    EXPECT_TRUE(result.good()) << format(result.faults);
    return std::move(result.scene);
}

/// Where the last body of the scene is placed.
Vec3 place_of(const std::string& keys)
{
    return scene_with("  - {name: body, material: rubber, " + keys + "}\n").bodies.back().position;
}

void expect_near(const Vec3& found, const Vec3& expected, double tolerance = 1e-9)
{
    EXPECT_LT((found - expected).norm(), tolerance) << found.transpose() << " instead of " << expected.transpose();
}

TEST(PlaceOn, LowersEveryShapeOntoAPlane)
{
    const std::string on_slope = "kind: rigid, place_on: slope, position: [0, 7, 0], ";
    // height over the slope along gravity: distance from the plane through the origin of the shape over 0.8
    const auto height = [](double distance) { return Vec3(0, 0.1 + distance / 0.8, 0); };
    expect_near(place_of(on_slope + "shape: {sphere: 0.2}"), height(0.2));
    expect_near(place_of(on_slope + "shape: {box: [0.2, 0.4, 0.6]}"), height(0.06 + 0.16));
    expect_near(
        place_of(on_slope + "shape: {rounded_box: {size: [0.2, 0.4, 0.6], radius: 0.05}}"), height(0.03 + 0.12 + 0.05));
    expect_near(place_of(on_slope + "shape: {cylinder: {radius: 0.2, height: 0.4}}"), height(0.12 + 0.16));
    expect_near(place_of(on_slope + "shape: {cone: {radius: 0.2, height: 0.4}}"), height(0.12 + 0.16));
    expect_near(place_of(on_slope + "shape: {capsule: {radius: 0.2, height: 0.4}}"), height(0.2 + 0.16));
    expect_near(place_of(on_slope + "shape: {torus: {major: 0.2, minor: 0.1}}"), height(0.12 + 0.1), 1e-6);
}

TEST(PlaceOn, LowersTheNodesOfADeformableBody)
{
    const Scene scene = scene_with("  - {name: body, kind: deformable, material: rubber, shape: {sphere: 0.2}, "
                                   "resolution: 0.1, rotation: {axis: [1, 2, 3], degrees: 40}, place_on: slope}\n");
    const BuildResult result = build_world(scene, ".", {});
    double least = infinity;
    for (const Vec3& x : result.built.state.x)
        least = std::min(least, Vec3(0.6, 0.8, 0).dot(x - Vec3(0, 0.1, 0)));
    EXPECT_NEAR(least, 0, 1e-12);
}

TEST(PlaceOn, SetsABallIntoARing)
{
    // centre circle of the ring at height 0.1; the ball of radius 0.6 touches it 0.7 from there
    expect_near(
        place_of("kind: rigid, place_on: ring, shape: {sphere: 0.6}"), {0, 0.1 + std::sqrt(0.7 * 0.7 - 0.25), 0}, 1e-5);
    // through the hole onto the floor, which the ring is not
    expect_near(place_of("kind: rigid, place_on: floor, shape: {sphere: 0.2}"), {0, 0.2, 0});
}

TEST(PlaceOn, StacksInTheOrderOfWhatCarries)
{
    const Scene scene = scene_with(R"(  - {name: third, kind: obstacle, shape: {box: [1, 1, 1]}, place_on: second}
  - {name: second, kind: obstacle, shape: {box: [1, 2, 1]}, position: [0.3, 0, 0], place_on: first}
  - {name: first, kind: obstacle, shape: {box: [1, 3, 1]}, place_on: floor}
)");
    expect_near(scene.bodies[3].position, {0, 5.5, 0});
    expect_near(scene.bodies[4].position, {0.3, 4, 0});
    expect_near(scene.bodies[5].position, {0, 1.5, 0});
}

TEST(PlaceOn, MovesAlongAnyDirection)
{
    expect_near(place_of("kind: rigid, place_on: floor, place_along: [-1, 0, 0], position: [0, -0.1, 0], "
                         "shape: {sphere: 0.3}"),
        {2.3, -0.1, 0});
    // along the normal of the slope, from the origin
    expect_near(place_of("kind: rigid, place_on: slope, place_along: [-3, -4, 0], shape: {sphere: 0.3}"),
        Vec3(0.6, 0.8, 0) * (0.08 + 0.3));
}

/// The component of the position along the direction has no effect, not even in round-off.
TEST(PlaceOn, DoesNotDependOnTheHeightAtWhichItBegins)
{
    const std::string body = "kind: rigid, place_on: ring, shape: {box: [0.3, 0.2, 0.9]}, position: ";
    EXPECT_EQ(place_of(body + "[0.1, 5, 0.2]"), place_of(body + "[0.1, -3, 0.2]"));
}

} // namespace
} // namespace stickslip::place_on_test
