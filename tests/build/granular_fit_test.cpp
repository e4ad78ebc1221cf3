#include "stickslip/files/atomic_file.h"
#include "support/granular_scenes.h"
#include "support/temporary_folder.h"

namespace stickslip::granular_fit_test {
namespace {

const std::string grains = "  - {name: g, kind: spheres, material: glass, radius: 0.1, positions: [[0, 5, 0]]}\n";

std::string warnings(const std::string& shape, const std::string& spheres = grains)
{
    const GranularScene scene("  - {name: wall, kind: obstacle, shape: {" + shape + "}}\n" + spheres);
    return format(scene.result.warnings);
}

TEST(GranularFit, APlateThinnerThanARadiusIsWarnedOf)
{
    const std::string thin = warnings("box: [2, 0.002, 2]");
    EXPECT_NE(thin.find("scene.yaml:8:41: warning: bodies.wall.shape: thinner than the radius of a sphere: 0.002 m, "
                        "spheres of radius 0.1 m. A sphere whose centre passes the middle is pushed out on the far "
                        "side. Use a mesh, which keeps track of the side, or make it thicker\n"),
        std::string::npos)
        << thin;
    for (const std::string plate : {"box: [0.099, 2, 2]", "rounded_box: {size: [2, 0.05, 2], radius: 0.01}",
             "cylinder: {radius: 1, height: 0.05}"})
        EXPECT_NE(warnings(plate).find("thinner than the radius"), std::string::npos) << plate;
}

TEST(GranularFit, ThickSolidsAndWiresAreNot)
{
    for (const std::string solid : {"box: [2, 0.101, 2]", "box: [0.02, 2, 0.02]", "cylinder: {radius: 0.02, height: 2}",
             "sphere: 0.02", "plane: {normal: [0, 1, 0]}"})
        EXPECT_EQ(warnings(solid), "") << solid;
}

/// A square of 2 m in n x n x 2 triangles.
std::string flat_mesh(const std::filesystem::path& folder, int n)
{
    std::string text;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
            text += "v " + std::to_string(2.0 * i / n - 1) + " 0 " + std::to_string(2.0 * j / n - 1) + "\n";
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const int a = j * (n + 1) + i + 1, d = a + n + 1;
            const auto facet = [&](int p, int q, int r) {
                text += "f " + std::to_string(p) + " " + std::to_string(q) + " " + std::to_string(r) + "\n";
            };
            facet(a, d, a + 1);
            facet(a + 1, d, d + 1);
        }
    }
    write_file_atomically(folder / "flat.obj", text);
    return "mesh: {file: \"" + (folder / "flat.obj").string() + "\"}";
}

TEST(GranularFit, AMeshMuchFinerThanTheSpheresIsWarnedOfByNameAndNumber)
{
    const TemporaryFolder folder;
    const std::string found = warnings(flat_mesh(folder.path(), 100)); // pi R^2 / 0.0002 m^2
    EXPECT_NE(found.find("scene.yaml:8:"), std::string::npos) << found;
    EXPECT_NE(found.find("warning: bodies.wall.shape.mesh.file: finer than necessary for spheres of radius 0.1 m: "
                         "about 157 facets per sphere, edges of about 0.21 radii. This slows the run; coarsen the mesh "
                         "to edges of half a radius or longer"),
        std::string::npos)
        << found;
    EXPECT_EQ(warnings(flat_mesh(folder.path(), 70)), ""); // 77
    // it is the sphere that counts
    EXPECT_EQ(warnings(flat_mesh(folder.path(), 100),
                  "  - {name: g, kind: spheres, material: glass, radius: 0.05, positions: [[0, 5, 0]]}\n"),
        "");
}

} // namespace
} // namespace stickslip::granular_fit_test
