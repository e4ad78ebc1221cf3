#include <stickslip/stickslip.h>

#include "stickslip/files/meshes/mesh_files.h"

#include "support/extruded.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>

/// A block that comes down on a flat mesh as it flies along it.
namespace stickslip::landing_test {
namespace {

/// A slab, its upper side at y = 0, with vertices 13 cm apart and less.
TriMesh slab_with_vertices_within()
{
    TriMesh slab = extruded({{-1, -0.1}, {1.1, -0.1}, {1.1, 0}, {-1, 0}}, 0.4);
    for (int i = 0; i < 4; ++i)
        slab = refined(slab);
    return slab;
}

// Vertices ahead of its front, which its fall would bring above its bottom before it is over them, did stop it: it had
// lost up to 0.9 m/s of 2 in a step.
TEST(Landing, NoVertexOfAFlatMeshStopsABlock)
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "slab.obj") << obj_text(slab_with_vertices_within());
    for (const double drop : {0.0, 0.001, 0.004, 0.01})
        for (const double ahead : {0.0, 1e-5, 0.01, 0.02, 0.03}) {
            Simulation simulation(scene_from_text(
                "stickslip: 1\ntime: {step: 0.0166666666666666666, end: 1}\ncontact: {friction: 0}\n"
                "materials: {oak: {density: 1000}}\nbodies:\n"
                "  - {name: slab, kind: obstacle, shape: {mesh: {file: slab.obj}}}\n"
                "  - {name: block, kind: rigid, material: oak, shape: {box: [0.2, 0.1, 0.14]}, velocity: [2, 0, 0], "
                "position: ["
                    + std::to_string(-0.6 - ahead) + ", " + std::to_string(0.05 + drop) + ", 0.013]}\n",
                {.folder = folder.path().string()}));
            ASSERT_EQ(simulation.run(0.2), RunStatus::done);
            const auto block = simulation.pose("block");
            SCOPED_TRACE(testing::Message() << "drop " << drop << " ahead " << ahead);
            EXPECT_NEAR(block.v.x(), 2, 1e-4);
            EXPECT_LT(block.w.norm(), 0.02);
        }
}

} // namespace
} // namespace stickslip::landing_test
