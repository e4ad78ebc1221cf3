#include <stickslip/stickslip.h>

#include "geometry/closed_meshes.h"
#include "support/obj_file.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

/// The rim of a cylinder, a cone or a sheet across a sharp edge of another body.
namespace stickslip::crossing_rims_test {
namespace {

constexpr double g = 9.81, radius = 0.06, height = 0.2, k = 1e5;

/// A solid that does not turn lies on another that is held, both inclined by 45 degrees, so that each touches by its
/// edge alone: `above` along x, `below` along z.
std::string across(const std::string& above, const std::string& below, const std::string& more_of_below = "")
{
    return R"(
stickslip: 1
time: {step: 0.005, end: 2}
gravity: [0, -9.81, 0]
contact: {friction: 0, stiffness: 1e5}
materials: {oak: {density: 700}}
bodies:
  - {name: below, kind: obstacle, shape: {)"
        + below + "}, rotation: {axis: [0, 0, 1], degrees: 45}" + more_of_below + R"(}
  - {name: above, kind: rigid, material: oak, shape: {)"
        + above
        + R"(}, position: [-0.0282842712, 0.24, 0.0282842712], rotation: {axis: [1, 0, 0], degrees: 45}, fixed_dofs: [x, z, rx, ry, rz]}
)";
}

const std::string cylinder = "cylinder: {radius: 0.06, height: 0.2}", box = "box: [0.12, 0.2, 0.12]";
const double reach = (0.5 * height + radius) / std::sqrt(2.0); // of either in height

TEST(CrossingRims, HoldAtTheDepthOfTheirSpring)
{
    for (const auto& [above, below] : {std::pair(cylinder, cylinder), {cylinder, box}, {box, cylinder}}) {
        SCOPED_TRACE(above + " on " + below);
        Simulation simulation(scene_from_text(across(above, below)));
        ASSERT_EQ(simulation.run(2), RunStatus::done);
        const double weight = simulation.body("above").mass * g;
        const double depth = 2 * reach - simulation.pose("above").x.y();
        EXPECT_LT(depth, 1.02 * weight / k); // a joint of the polygon lies on the rim: four pairs of a quarter each
        EXPECT_GT(depth, 0.5 * weight / k); // points of the box's edge carry as well
        EXPECT_NEAR(simulation.contact_force("above").y(), weight, 1e-3 * weight);
    }
}

// The rim turns below: one side of its polygon after another takes over, and the depth does not grow.
TEST(CrossingRims, TakeOverFromEachOtherWithoutSinkingIn)
{
    const std::string turns = ", motion: {angular_velocity: [-1, 1, 0]}"; // about its own axis
    Simulation simulation(scene_from_text(across(cylinder, cylinder, turns)));
    const double least = 2 * reach - simulation.body("above").mass * g / k;
    const double sagitta = radius * (1 - std::cos(std::numbers::pi / 48)) / std::sqrt(2.0);
    double lowest = infinity, highest = 0;
    ASSERT_EQ(simulation.run(2,
                  [&](Simulation& now) {
                      if (now.time() < 0.5)
                          return;
                      lowest = std::min(lowest, now.pose("above").x.y());
                      highest = std::max(highest, now.pose("above").x.y());
                  }),
        RunStatus::done);
    EXPECT_GT(lowest, least - 2 * sagitta);
    EXPECT_LT(highest, least + 0.5 * sagitta);
}

// Vertices of the ring, at which two edges end, come to lie in the plane of the sheet, exactly or nearly.
TEST(CrossingRims, ARingHangsOnASheet)
{
    constexpr double major = 0.05, minor = 0.012, top = 0.02;
    const TemporaryFolder folder;
    write_obj(folder.path() / "ring.obj", torus_mesh(major, minor, 24, 12));
    write_obj(folder.path() / "strip.obj",
        {{{-1, -top, 0}, {-1, top, 0}, {0, -top, 0}, {0, top, 0}, {1, -top, 0}, {1, top, 0}},
            {{0, 2, 3}, {0, 3, 1}, {2, 4, 5}, {2, 5, 3}}});
    for (const std::string z : {"0", "1e-12", "1e-6", "1e-4", "3e-3", "-1e-6"}) {
        SCOPED_TRACE(z);
        Simulation simulation(scene_from_text(R"(
stickslip: 1
time: {step: 0.005, end: 1}
contact: {friction: 0.4}
materials: {oak: {density: 700}}
bodies:
  - {name: strip, kind: obstacle, shape: {mesh: {file: strip.obj}}, contact_geometry: mesh}
  - {name: ring, kind: rigid, material: oak, shape: {mesh: {file: ring.obj}}, position: [0.3, -0.0178, )"
                + z + R"(], rotation: {axis: [0, 0, 1], degrees: 90}}
)",
            {.folder = folder.path().string()}));
        ASSERT_EQ(simulation.run(0.6), RunStatus::done);
        EXPECT_NEAR(simulation.pose("ring").x.y(), top - (major - minor), 1e-3);
        EXPECT_NEAR(simulation.pose("ring").x.x(), 0.3, 1e-6);
    }
}

} // namespace
} // namespace stickslip::crossing_rims_test
