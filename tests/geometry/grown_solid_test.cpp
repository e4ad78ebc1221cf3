#include "stickslip/geometry/solids/grown_solid.h"

#include "geometry/closed_meshes.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "support/numeric.h"

namespace stickslip::grown_solid_test {
namespace {

std::vector<LevelSet> solids()
{
    return {Plane{Vec3(1, 2, 0.5).normalized()}, Box{{0.4, 0.6, 0.5}}, RoundedBox{{0.4, 0.6, 0.5}, 0.1}, Sphere{0.3},
        Cylinder{0.3, 0.5}, Cone{0.3, 0.5}, Capsule{0.2, 0.4}, Torus{0.4, 0.1},
        ConvexPolyhedron::from_mesh(cube_mesh(0.5)), ConvexPolyhedron::from_mesh(sphere_mesh(0.4, 1)),
        build_grid_level_set(sphere_mesh(0.4, 2))};
}

// Every patch moves outward by as much, and keeps its normal.
TEST(GrownSolid, LiesFartherOut)
{
    Random random(1);
    for (const double by : {0.0, 1e-12, 0.03}) {
        for (const LevelSet& solid : solids()) {
            const LevelSet out = grown(solid, by);
            ASSERT_EQ(patch_count(out), patch_count(solid));
            for (int i = 0; i < 100; ++i) {
                const Vec3 U = random.vector(0.6);
                for (int patch = 0; patch < patch_count(solid); ++patch) {
                    EXPECT_NEAR(patch_distance(out, patch, U), patch_distance(solid, patch, U) - by, 1e-14);
                    EXPECT_NEAR(sample_patch(out, patch, U).phi, patch_distance(out, patch, U), 1e-14);
                    EXPECT_CLOSE_ALL(sample_patch(out, patch, U).n, sample_patch(solid, patch, U).n, 1e-9);
                }
                if (signed_distance(out, U) < 0) {
                    EXPECT_TRUE(bounds(out).contains(U)) << solid.index();
                }
            }
        }
    }
}

// Where three faces meet the corner is exact.
TEST(GrownSolid, HasTheCornersOfItsFaces)
{
    const LevelSet out = grown(ConvexPolyhedron::from_mesh(cube_mesh(0.5)), 0.1);
    for (const Vec3& corner : std::get<std::shared_ptr<const ConvexPolyhedron>>(out)->vertices())
        EXPECT_NEAR(signed_distance(out, corner), 0, 1e-12);
    EXPECT_CLOSE_ALL(bounds(grown(Box{Vec3::Constant(0.5)}, 0.1)).max, Vec3::Constant(0.35), 1e-15);
}

} // namespace
} // namespace stickslip::grown_solid_test
