#include <stickslip/stickslip.h>

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

/// Convex meshes whose faces end where the faces of others do.
namespace stickslip::flush_meshes_test {
namespace {

// A cube of 0.1 m with a row of vertices across four of its faces.
const char* const cube =
    "v .05 -.05 -.05\nv .05 .05 -.05\nv .05 .05 .05\nv .05 -.05 .05\nv 0 -.05 -.05\nv 0 -.05 .05\nv 0 .05 -.05\n"
    "v 0 .05 .05\nv -.05 -.05 -.05\nv -.05 -.05 .05\nv -.05 .05 .05\nv -.05 .05 -.05\n"
    "f 1 2 3\nf 1 3 4\nf 5 1 4\nf 5 4 6\nf 7 8 3\nf 7 3 2\nf 5 7 2\nf 5 2 1\nf 6 4 3\nf 6 3 8\n"
    "f 9 10 11\nf 9 11 12\nf 9 5 6\nf 9 6 10\nf 12 11 8\nf 12 8 7\nf 9 12 7\nf 9 7 5\nf 10 6 8\nf 10 8 11\n";

// A vertex at a rim keeps a share of its spring that is less in every step. What rounding leaves of the spring, its
// square over that share, is no energy.
TEST(FlushMeshes, SharesThatVanishStoreNothing)
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "cube.obj") << cube;
    Simulation simulation(scene_from_text(R"(
stickslip: 1
time: {step: 0.001, end: 0.1}
contact: {friction: 0.3}
materials: {oak: {density: 700}}
bodies:
  - {name: A, kind: obstacle, shape: {mesh: {file: cube.obj}}}
  - {name: B, kind: rigid, material: oak, shape: {mesh: {file: cube.obj}}, position: [1.0e-9, 0.1, 0]}
  - {name: C, kind: rigid, material: oak, shape: {mesh: {file: cube.obj}}, position: [0, 0.2, 1.0e-9]}
)",
        {.folder = folder.path().string()}));
    double most = 0;
    ASSERT_EQ(simulation.run(0.1, [&](const Simulation& now) { most = std::max(most, now.energies().contact); }),
        RunStatus::done);
    EXPECT_GT(most, 0);
    EXPECT_LT(most, 1e-3); // the weight of both, 13.7 N, on springs that it presses by micrometres
    EXPECT_TRUE(simulation.messages().empty());
}

} // namespace
} // namespace stickslip::flush_meshes_test
